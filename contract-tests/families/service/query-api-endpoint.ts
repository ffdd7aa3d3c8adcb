import type { Check } from '../../engine/check.ts'
import { listIn } from '../../engine/pages.ts'
import { neverSucceeds } from '../../rules/steps.ts'
import { lifeOf } from '../../visits/life.ts'
import { visit } from '../../visits/visit.ts'
import { service } from './service.ts'

const list = 'cloud:key.list-before'

/** The run's endpoint admits a key of the organization, but nobody calls it. */
export const { steps, lines } = visit('cloud', 'query API endpoint', run => {
  lifeOf(run, 'queryApiEndpoint', {
    within: service,
    from: () => [list],
    body: (context, name) => {
      const [key] = listIn(context.exchange(list), 'key') ?? []
      if (typeof key?.id !== 'string') return undefined
      const query = { sql: 'SELECT {number:UInt8}', database: 'default', parameters: { number: '1' } }
      return { name, ...query, apiKeyIds: [key.id], roles: ['sql_console_read_only'] }
    },
  }).live()
  const known = run.call('queryApiEndpoint.list', {
    name: 'queryApiEndpoint.list-known',
    why: 'lists the query endpoints of a service that existed before the run',
    values: {},
  })
  return {
    ofUser: run.call('queryApiEndpoint.delete', {
      name: 'queryApiEndpoint.delete-of-user',
      why: 'deletes a query of a user',
      notJudgedByOperation: true,
      from: [known],
      values: context => {
        const found = listIn(context.exchange(known), 'queryApiEndpoint')?.find(one => one.ownerType === 'user')
        return typeof found?.id === 'string' ? { queryApiEndpointId: found.id } : undefined
      },
      mockOnly: "the query is not the run's own",
      skipReason: 'no list shows a query of a user',
    }),
  }
})

export const checks = {
  'queryApiEndpoint/user-owned-stays': neverSucceeds([lines.ofUser]),
} as const satisfies Record<string, Check>
