import { listIn } from '../../engine/pages.ts'
import { lifeOf } from '../../visits/life.ts'
import { visit } from '../../visits/visit.ts'
import { lines as services } from '../service.ts'

const list = 'cloud:key.list-before'

/** A key of the organization may call what the run gives an address; nobody does. */
export const { steps } = visit('cloud', 'query API endpoint', run => {
  lifeOf(run, 'queryApiEndpoint', {
    within: services.service,
    from: () => [list],
    body: (past, name) => {
      const [key] = listIn(past.exchange(list), 'key') ?? []
      if (typeof key?.id !== 'string') return undefined
      const query = { sql: 'SELECT {number:UInt8}', database: 'default', parameters: { number: '1' } }
      return { name, ...query, apiKeyIds: [key.id], roles: ['sql_console_read_only'] }
    },
  }).live()
})
