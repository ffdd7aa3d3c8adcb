import { listIn } from '../../engine/pages.ts'
import type { Past, Step } from '../../engine/step.ts'
import { lifeSteps } from '../../visits/life-steps.ts'
import { inOwnService } from '../../visits/singleton.ts'

const list = 'cloud:key.list-before'

/** A key of the organization may call what the run gives an address; nobody does. */
export const steps: readonly Step[] = lifeSteps({
  form: 'cloud',
  resource: 'queryApiEndpoint',
  within: inOwnService,
  from: () => [list],
  body: (past: Past, name: string) => {
    const [key] = listIn(past.exchange(list), 'key') ?? []
    if (typeof key?.id !== 'string') return undefined
    const query = { sql: 'SELECT {number:UInt8}', database: 'default', parameters: { number: '1' } }
    return { name, ...query, apiKeyIds: [key.id], roles: ['sql_console_read_only'] }
  },
})
