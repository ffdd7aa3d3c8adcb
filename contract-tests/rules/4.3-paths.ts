import { type Check, notJudged } from '../engine/check.ts'
import { adjustVerdict, answersTo, describeAnswer, observe, observeRefusal, observeSuccess } from './steps.ts'

/** §4.2-4.3 How paths are read where the specification does not say. */

const wrongMethod = observeRefusal(form => (form === 'selfHosted' ? 'chart.get' : 'wrong-method'))

const ids = ['twelve-characters', 'malformed-id']

export const checks = {
  'path/unknown-path': observeRefusal('unknown-path'),
  'path/wrong-method': adjustVerdict(wrongMethod, (verdict, { form }) =>
    form === 'cloud' && verdict.outcome !== 'observed'
      ? notJudged('the run has no object in the cloud form to send a wrong method to; recorded traffic may show it')
      : verdict,
  ),
  'path/trailing-slash': observeSuccess('trailing-slash', 'same', 'refused'),
  'path/letter-case': observeSuccess('letter-case', 'same', 'refused'),
  'id/twelve-characters': observe(ids, (_, evidence) => {
    const [twelve, malformed] = answersTo(ids, evidence)
    return twelve && malformed && (describeAnswer(twelve) === describeAnswer(malformed) ? 'refuse' : 'accept')
  }),
} as const satisfies Record<string, Check>
