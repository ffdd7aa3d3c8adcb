import type { Form } from '../../fixtures/contract/index.ts'
import type { Check } from '../harness/check.ts'
import { isSuccess } from '../harness/exchange.ts'
import { look, refusal, refusalIn } from './observations.ts'

/** §4.2-4.3 How paths are read where the specification does not say. */

const tolerance = (name: string): Check =>
  look(
    (form: Form) => [`${form}:${name}`],
    ([exchange]) => exchange && (isSuccess(exchange) ? 'same' : 'refused'),
  )

export const checks = {
  'path/unknown-path': refusal(form => `${form}:unknown-path`),
  'path/wrong-method': refusal(form => (form === 'selfHosted' ? 'selfHosted:chart.get' : `${form}:wrong-method`)),
  'path/trailing-slash': tolerance('trailing-slash'),
  'path/letter-case': tolerance('letter-case'),
  'id/twelve-characters': look(
    () => ['selfHosted:twelve-characters', 'selfHosted:malformed-id'],
    (_, evidence) => {
      const [twelve] = evidence.of('selfHosted:twelve-characters')
      const [malformed] = evidence.of('selfHosted:malformed-id')
      return twelve && malformed && (refusalIn(twelve) === refusalIn(malformed) ? 'refuse' : 'accept')
    },
  ),
} as const satisfies Record<string, Check>
