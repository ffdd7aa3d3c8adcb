import { absent, type Check, observed, show } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import { findObject, idOf } from '../engine/recognise.ts'
import { omissions } from '../visits/things.ts'
import { lifecycle } from './lifecycle/index.ts'
import { answers, look } from './observations.ts'

/** §2.4 Alert: the sample is accepted; which fields are required, and what comes back, is observed. */

const creation = answers(form => [`${form}:alert.create-main`])

/**
 * The managed form has no list that tells whether the webhook of the target file exists. When the refusal is about the
 * webhook, the target file may be out of date, or the deployment may be wrong: the run cannot tell.
 */
const sampleIsAccepted: Check = {
  reads: creation.reads,
  judge: evidence => {
    const verdict = creation.judge(evidence)
    const webhookId = evidence.target.cloud?.references?.webhookId
    if (verdict.outcome !== 'broken' || evidence.form !== 'managed' || webhookId === undefined) return verdict
    const refused = verdict.exchanges.find(
      ({ response: { status, text } }) => [400, 404, 422].includes(status) && /webhook/i.test(text),
    )
    if (!refused) return verdict
    return {
      outcome: 'errored',
      detail: `the deployment refused the webhook of the sample, and no list of the managed form tells whether ${JSON.stringify(webhookId)} is one: check \`cloud.references.webhookId\` of the target file (answered ${refused.response.status} ${show(refused.response.text)})`,
      exchanges: [refused],
    }
  },
}

export const checks = {
  'alert/create-accepts-the-sample': sampleIsAccepted,
  ...lifecycle('alert'),
  'alert/required-fields': {
    reads: form => omissions.map(field => `${form}:alert.create-without-${field}`),
    judge: evidence => {
      const tried = omissions.flatMap(field => {
        const [exchange] = evidence.of(`${evidence.form}:alert.create-without-${field}`)
        return exchange ? [{ field, exchange }] : []
      })
      const untried = omissions.find(field => !tried.some(one => one.field === field))
      if (untried) return absent(evidence, `${evidence.form}:alert.create-without-${untried}`)
      const required = tried.filter(({ exchange }) => !isSuccess(exchange)).map(({ field }) => field)
      return observed(required.sort(), ...tried.slice(0, 1).map(({ exchange }) => exchange))
    },
  },
  'alert/allowed-values': look(
    form => [`${form}:alert.create-every-five-minutes`],
    ([exchange]) => exchange && (isSuccess(exchange) ? 'accepted' : 'refused'),
  ),
  'alert/state-at-creation': look(
    form => [`${form}:alert.create-main`, `${form}:alert.list`],
    (_, evidence) => {
      const [created, listed] = ['create-main', 'list'].map(step =>
        evidence.of(`${evidence.form}:alert.${step}`).find(isSuccess),
      )
      const alert = findObject(created?.json, 'alert')
      const id = idOf(alert, 'alert')
      // The state of somebody else's alert says nothing of a creation, and changes with time.
      const own = listIn(listed, 'alert')?.find(item => id !== undefined && idOf(item, 'alert') === id)
      return alert?.state ?? own?.state
    },
  ),
} as const satisfies Record<string, Check>
