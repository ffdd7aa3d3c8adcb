import { type Check, noAnswer, notJudged, observed, show } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import { because } from '../engine/reasons.ts'
import { findObject, idOf } from '../engine/recognise.ts'
import { omissions } from '../visits/observability.ts'
import { adjustVerdict, anySucceeds, checkOf, observe, observeSuccess } from './steps.ts'

/** §2.4 Alert: the sample is accepted; required fields and answers are observed. */

/** Errored if a refusal of the managed form mentions webhooks: no list shows whether that of the target file exists. */
const sampleIsAccepted = adjustVerdict(anySucceeds(['alert.create-main']), (verdict, { form, target }) => {
  const webhookId = target.cloud?.references?.webhookId
  if (verdict.outcome !== 'broken' || form !== 'managed' || webhookId === undefined) return verdict
  const refused = verdict.exchanges.find(
    ({ response: { status, text } }) => [400, 404, 422].includes(status) && /webhook/i.test(text),
  )
  if (!refused) return verdict
  const reason = because(
    'the deployment refused the webhook of the sample, and the managed form has no list that shows whether {id} exists: check `cloud.references.webhookId` of the target file (answered {answer})',
    { id: JSON.stringify(webhookId), answer: `${refused.response.status} ${show(refused.response.text)}` },
  )
  return { ...notJudged(reason), exchanges: [refused] }
})

export const checks = {
  'alert/create-accepts-the-sample': sampleIsAccepted,
  'alert/required-fields': checkOf(
    omissions.map(field => `alert.create-without-${field}`),
    (names, evidence) => {
      const unanswered = names.find(name => evidence.exchangesOf(name).length === 0)
      if (unanswered) return noAnswer(evidence, unanswered)
      const required = omissions.filter((_, at) => !evidence.exchangesOf(names[at]!).some(isSuccess))
      return observed(required.sort(), ...evidence.exchangesOf(names[0]!))
    },
  ),
  'alert/allowed-values': observeSuccess('alert.create-every-five-minutes', 'accepted', 'refused'),
  'alert/state-at-creation': observe(['alert.create-main', 'alert.list'], (_, { form, exchangesOf }) => {
    const [created, listed] = ['create-main', 'list'].map(step => exchangesOf(`${form}:alert.${step}`).find(isSuccess))
    const alert = findObject(created?.json, 'alert')
    const id = idOf(alert, 'alert')
    // The state of other alerts changes with time.
    const listedAlert = listIn(listed, 'alert')?.find(item => id !== undefined && idOf(item, 'alert') === id)
    return alert?.state ?? listedAlert?.state
  }),
} as const satisfies Record<string, Check>
