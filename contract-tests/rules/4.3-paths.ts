import type { Form } from '../../fixtures/contract/index.ts'
import { absent, type Check, notApplicable, observed } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { look, refusal, refusalIn } from './observations.ts'

/** §4.2-4.3 How paths are read where the specification does not say. */

const tolerance = (name: string): Check =>
  look(
    (form: Form) => [`${form}:${name}`],
    ([exchange]) => exchange && (isSuccess(exchange) ? 'same' : 'refused'),
  )

const wrongMethod = (form: Form) => [form === 'selfHosted' ? 'selfHosted:chart.get' : `${form}:wrong-method`]

export const checks = {
  'path/unknown-path': refusal(form => `${form}:unknown-path`),
  'path/wrong-method': {
    reads: wrongMethod,
    judge: evidence => {
      const [exchange] = evidence.of(...wrongMethod(evidence.form))
      if (exchange) return observed(refusalIn(exchange), exchange)
      return evidence.form === 'cloud'
        ? notApplicable('the run has nothing of its own there to send another method to; recorded traffic may show it')
        : absent(evidence, ...wrongMethod(evidence.form))
    },
  },
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
