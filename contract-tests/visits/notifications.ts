import type { Form } from '../../fixtures/contract/index.ts'
import { type Exchange, isSuccess, parseJson, sentIn } from '../engine/exchange.ts'
import { skipForMissing } from '../engine/paths.ts'
import { because, type Reason } from '../engine/reasons.ts'
import { type Notification, notificationsIn, receiverOf } from '../engine/receiver.ts'
import { isObject, type JsonObject } from '../engine/recognise.ts'
import type { RequestOrSkip, RunContext } from '../engine/step.ts'
import { nameOf } from './life.ts'
import type { ObservabilityForm } from './observability.ts'
import { alertBody, dashboardBody, referencesOf } from './samples.ts'
import { type CallOptions, type CreatedObject, type Run, skip, visit } from './visit.ts'

/**
 * An alert of one minute on its own dashboard: it fires, also without rows, and goes on firing, until a change of its threshold
 * resolves it. Both waits together last less than six minutes, on a mock by its clock.
 */

/** A count is always below the first, also without rows, and never below the second. */
const thresholds = { met: 1e15, unmet: 0 }
/** The first notification comes within a minute, the second a minute later. */
const firingSeconds = 170
const resolvingSeconds = 110
const template =
  '{"text":"{{title}}","state":"{{state}}","event":"{{eventId}}","link":"{{link}}","start":"{{startTime}}","end":"{{endTime}}"}'

function write(run: Run): void {
  const form = run.form as ObservabilityForm
  const line = (name: string) => `${form}:${name}`
  const effect = 'notifies'
  const before = run.send(
    'notifications.before',
    'reads the receiver of webhooks, which listens from now on',
    (context): RequestOrSkip => {
      if (context.readOnly) return skip('it writes, and this run is read-only')
      const receiver = receiverOf(context.target)
      return receiver ? { path: receiver.path, receiver } : skip('it requires a receiver that the deployment can reach')
    },
    { readsReceiver: true },
  )
  const unless = (context: RunContext): Reason | undefined =>
    notificationsIn(context.exchange(before)?.json) ? undefined : 'it requires a receiver that the deployment can reach'
  const shared: CallOptions = { from: [before], unless, effect }
  const webhook = run.call('webhook.create', {
    ...shared,
    ...(form === 'managed' && { ifSucceeds: line('webhooks') }),
    name: 'webhook.create-watched',
    why: 'creates a webhook that calls the receiver',
    creates: 'webhook',
    body: context => ({
      name: nameOf(context, 'webhook', 'watched'),
      service: 'generic',
      url: context.target.receiver?.url ?? 'https://stack-parity.invalid/',
      body: template,
    }),
  })
  const listed = run.call('webhook.list', {
    ifSucceeds: webhook,
    name: 'webhook.list-watched',
    why: 'lists webhooks, so that a later list shows that this one is gone',
  })
  const dashboard = run.call('dashboard.create', {
    ...shared,
    from: [before, line('source.list-before')],
    name: 'dashboard.create-watched',
    why: 'creates a dashboard for the alert that fires',
    creates: 'dashboard',
    body: context => dashboardBody(context, form, nameOf(context, 'dashboard', 'watched')),
  })
  const body = (context: RunContext, threshold: number) => {
    const sample =
      context.created(dashboard) && alertBody(context, form, nameOf(context, 'alert', `watched-${form}`), dashboard)
    const webhookId = context.created(webhook) ?? referencesOf(context, form).webhookId
    if (!sample || webhookId === undefined) return undefined
    return { ...sample, interval: '1m', thresholdType: 'below', threshold, channel: { type: 'webhook', webhookId } }
  }
  const alert = run.call('alert.create', {
    ...shared,
    from: [before, webhook, listed, dashboard, line('alert.list-before'), line('dashboard.list-before')],
    name: 'alert.create-watched',
    why: 'creates an alert of one minute that fires',
    creates: 'alert',
    body: context => body(context, thresholds.met),
    skipReason: context =>
      context.created(dashboard)
        ? skipForMissing([`${form === 'managed' ? 'cloud' : form}.references.webhookId`])
        : skip(because('{line} did not succeed', { line: dashboard })),
  })
  const on: CreatedObject = { line: alert, resource: 'alert' }
  const waitFor = (
    name: string,
    why: string,
    after: string,
    withinSeconds: number,
    until: (own: readonly Own[]) => boolean,
  ) =>
    run.send(
      `notifications.${name}`,
      `waits up to ${withinSeconds} seconds, on a mock by its clock, until the alert has notified ${why}`,
      (context): RequestOrSkip => {
        if (!isSuccess(context.exchange(after))) return skip(because('{line} did not succeed', { line: after }))
        const receiver = receiverOf(context.target)!
        return { path: receiver.path, receiver }
      },
      {
        readsReceiver: true,
        from: [alert, after],
        poll: {
          after: [after],
          withinSeconds,
          until: (exchange, context) => until(ownIn(exchange, context.exchange(alert))),
        },
      },
    )
  const fired = waitFor('firing', 'twice', alert, firingSeconds, own => firingIn(own).length >= 2)
  const update = run.call('alert.update', {
    ...shared,
    on,
    from: [before, fired],
    name: 'alert.update-watched',
    why: 'updates the alert, so that it resolves',
    body: context => body(context, thresholds.unmet),
  })
  waitFor('resolved', 'of its resolution', update, resolvingSeconds, own => resolutionsIn(own).length > 0)
}

/** A notification of the alert of the run. */
export interface Own extends Notification {
  /** Its body, if that is JSON. */
  readonly fields: JsonObject
}

/** The notifications of the alert that `created` created: its name, which has the mark of the run and the form, is in their titles. */
export function ownIn(exchange: Exchange | undefined, created: Exchange | undefined): readonly Own[] {
  const name = created && sentIn(created).name
  if (typeof name !== 'string') return []
  return (notificationsIn(exchange?.json) ?? [])
    .filter(({ body }) => body.includes(name))
    .map(one => {
      const json = parseJson(one.body)
      return { ...one, fields: isObject(json) ? json : {} }
    })
}

const hasState = (state: string) => (own: readonly Own[]) =>
  own.filter(({ body, fields }) => (fields.state ?? /\b(?:ALERT|OK)\b/.exec(body)?.[0]) === state)
export const firingIn = hasState('ALERT')
export const resolutionsIn = hasState('OK')

export const notificationSteps = (['managed', 'selfHosted'] as const satisfies readonly Form[]).flatMap(
  form => visit(form, 'notifications', write).steps,
)
