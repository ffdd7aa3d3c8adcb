import { type Check, type Evidence, noAnswer, notJudged, observed, type Verdict } from '../engine/check.ts'
import { type Exchange, isSuccess, sentIn } from '../engine/exchange.ts'
import { firingIn, notificationSteps, type Own, ownIn, resolutionsIn } from '../visits/notifications.ts'
import { checkOf, heldUnless } from './steps.ts'

/** §6 Events: what a receiver of webhooks sees of an alert that fires and resolves. */

export const steps = notificationSteps

const firingSteps = ['notifications.before', 'webhook.create-watched', 'alert.create-watched', 'notifications.firing']
const allSteps = [...firingSteps, 'alert.update-watched', 'notifications.resolved']

/** Judges the notifications in the answer to the last of these steps, the oldest first. */
const ofNotifications = (
  names: readonly string[],
  judge: (own: readonly Own[], exchange: Exchange, alert: Exchange) => Verdict,
): Check =>
  checkOf(names, (steps, evidence) => {
    const [before, , created] = steps
    const [exchange] = evidence.exchangesOf(steps.at(-1)!)
    const [alert] = evidence.exchangesOf(created!)
    if (!exchange || !isSuccess(alert)) return noAnswer(evidence, before!, ...unsent(evidence, steps))
    return judge(ownIn(exchange, alert), exchange, alert)
  })

/** The webhook may be one of the target file. */
const unsent = (evidence: Evidence, steps: readonly string[]) =>
  steps.filter(step => !step.endsWith('webhook.create-watched') && evidence.exchangesOf(step).length === 0)

const observeFiring = (value: (own: readonly [Own, ...Own[]]) => string | undefined): Check =>
  ofNotifications(firingSteps, (own, exchange) => {
    const [first, ...more] = firingIn(own)
    const seen = first && value([first, ...more])
    return seen === undefined ? notJudged('the answers do not show it') : observed(seen, exchange)
  })

const among = (own: readonly Own[]) => (own.length === 0 ? 'none' : own.map(({ body }) => body).join('\n'))

export const checks = {
  'alert/firing-notifies': ofNotifications(firingSteps, (own, exchange, alert) => {
    const finding =
      firingIn(own).length > 0
        ? undefined
        : {
            path: '$',
            expected: 'a notification with the state ALERT, since the webhook leads to the receiver',
            got: among(own),
          }
    return heldUnless(finding, [exchange, alert])
  }),
  'alert/resolution-notifies': ofNotifications(allSteps, (own, exchange, alert) => {
    const finding =
      resolutionsIn(own).length > 0
        ? undefined
        : { path: '$', expected: 'a notification with the state OK', got: among(own) }
    return heldUnless(finding, [exchange, alert])
  }),
  'alert/notification-links-to-dashboard': ofNotifications(allSteps, (own, exchange, alert) => {
    const withLink = own.filter(({ body }) => body.includes('://'))
    if (withLink.length === 0) return notJudged('the answers do not show it')
    const link = `/dashboards/${sentIn(alert).dashboardId}`
    const wrong = withLink.find(({ body }) => !body.includes(link))
    return heldUnless(wrong && { path: '$', expected: `a link with ${link}`, got: wrong.body }, [exchange, alert])
  }),
  'alert/notification-repeats': observeFiring(own => (own.length > 1 ? 'in every window' : 'never')),
  'alert/notification-ids': observeFiring(own => {
    const ids = new Set(own.map(({ fields }) => fields.event))
    if (own.length < 2 || ids.has(undefined)) return undefined
    const keys = own.flatMap(({ headers }) => headers['idempotency-key'] ?? [])
    const ofKeys =
      keys.length === 0
        ? ''
        : new Set(keys).size === own.length
          ? ', an Idempotency-Key for each'
          : ', one Idempotency-Key'
    return `${ids.size === 1 ? 'one eventId' : 'an eventId for each'}${ofKeys}`
  }),
  'event/webhook-payload': observeFiring(() => 'rendered template'),
} as const satisfies Record<string, Check>
