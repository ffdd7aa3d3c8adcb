import type { Past, Step } from '../../engine/step.ts'
import { resultIn } from '../../rules/fields.ts'
import { lifeSteps } from '../../visits/life-steps.ts'
import { inOwnService } from '../../visits/singleton.ts'

/** The key of the run may call what the run gives an address; nobody does. */
export const steps: readonly Step[] = lifeSteps({
  form: 'cloud',
  resource: 'queryApiEndpoint',
  within: inOwnService,
  from: () => ['cloud:caller.get'],
  body: (past: Past, name: string) => {
    const { keyId } = resultIn(past.exchange('cloud:caller.get')) ?? {}
    if (typeof keyId !== 'string') return undefined
    const sql = 'SELECT {number:UInt8}'
    return {
      name,
      sql,
      database: 'default',
      parameters: { number: '1' },
      apiKeyIds: [keyId],
      roles: ['sql_console_read_only'],
    }
  },
})
