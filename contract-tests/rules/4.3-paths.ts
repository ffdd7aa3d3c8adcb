import { type Check, notApplicable } from '../engine/check.ts'
import { observe, refusal, refusalIn, whether } from './observations.ts'
import { answersTo, reconsider } from './steps.ts'

/** §4.2-4.3 How paths are read where the specification does not say. */

const wrongMethod = refusal(form => (form === 'selfHosted' ? 'chart.get' : 'wrong-method'))

const ids = ['twelve-characters', 'malformed-id']

export const checks = {
  'path/unknown-path': refusal('unknown-path'),
  'path/wrong-method': reconsider(wrongMethod, (verdict, { form }) =>
    form === 'cloud' && verdict.outcome !== 'observed'
      ? notApplicable('the run has nothing of its own there to send another method to; recorded traffic may show it')
      : verdict,
  ),
  'path/trailing-slash': whether('trailing-slash', 'same', 'refused'),
  'path/letter-case': whether('letter-case', 'same', 'refused'),
  'id/twelve-characters': observe(ids, (_, evidence) => {
    const [twelve, malformed] = answersTo(ids, evidence)
    return twelve && malformed && (refusalIn(twelve) === refusalIn(malformed) ? 'refuse' : 'accept')
  }),
} as const satisfies Record<string, Check>
