import { setTimeout as sleep } from 'node:timers/promises'
import { loopbackHost } from '../../../fixtures/targets/loopback.ts'
import type {
  AlertEvent,
  AlertNotification,
  Answer,
  DeliveryOutcome,
  Mention,
  MockWorld,
  Webhook,
} from '../../mock/mock.ts'
import { lostWebhook, notSent } from '../../words/notification.ts'
import { createPayloadWriter } from './write-payload.ts'

interface DelivererOptions {
  /** Allowed hosts besides loopback. */
  readonly hosts?: readonly string[]
  /** Waits before the second and third attempt. Default: half a second, then a second. */
  readonly wait?: (tries: number, stopped: AbortSignal) => Promise<unknown>
  /** Most notifications that wait for receivers. */
  readonly capacity?: number
}

export interface Deliverer {
  /** Sends notifications, one after the other for each webhook, and resolves when all have succeeded or failed. */
  deliver(world: MockWorld, notifications: readonly AlertNotification[]): Promise<void>
  /** Aborts pending deliveries. */
  close(): void
}

const maxTries = 3
/** In 2.24 nothing but the client's own limit ends the wait for an answer. */
const timeoutMs = { '2.24': 300_000, '2.36': 30_000 } as const
const maxAnswerCharacters = 4096
const defaultCapacity = 10_000
/** How many notifications are sent at once. */
const maxActive = 16

type Edition = AlertNotification['edition']

/** Calls webhooks as a deployment does, but only on loopback and on allowed hosts. */
export function createDeliverer(options: DelivererOptions = {}): Deliverer {
  const { hosts = [], wait = backOff, capacity = defaultCapacity } = options
  const allowed = new Set(hosts.map(host => host.toLowerCase()))
  const isAllowed = ({ hostname }: URL) => loopbackHost.test(hostname) || allowed.has(hostname.toLowerCase())
  const stop = new AbortController()
  const queues = new Map<string, Promise<void>>()
  const writer = createPayloadWriter()
  const waiting: (() => Promise<void>)[] = []
  let active = 0

  interface Sending {
    readonly world: MockWorld
    readonly notification: AlertNotification
    readonly webhook: Webhook
    /** Whether a failure becomes an error of the alert. */
    readonly isError: () => boolean
    readonly startedAt: number
    sent: DeliveryOutcome['request']
  }

  function begin(common: Pick<Sending, 'world' | 'notification' | 'isError'>, webhook: Webhook): Sending {
    const sent = { method: 'POST', path: String(webhook.url), headers: {}, body: '' }
    return { ...common, webhook, startedAt: performance.now(), sent }
  }

  /** Records how a delivery ended. */
  function end(
    { world, notification, webhook, isError, startedAt, sent }: Sending,
    why: string,
    isFailed: boolean,
    response?: Answer,
  ) {
    if (stop.signal.aborted) return
    const ms = performance.now() - startedAt
    const error = isFailed && isError() ? { error: failureOf(webhook, notification.edition, response?.status) } : {}
    world.recordDelivery(notification, { ms, request: sent, why, ...error, ...(response && { response }) })
  }

  async function send(sending: Sending, event: AlertEvent): Promise<void> {
    const { world, notification, webhook } = sending
    let message: Message
    try {
      message = createMessage(webhook, notification)
      sending.sent = { ...message.shown, body: '' }
    } catch {
      return end(sending, 'Not sent: the webhook has no valid address', true)
    }
    try {
      sending.sent = { ...message.shown, body: await writer.writeBody(webhook, event, notification) }
    } catch (error) {
      return end(sending, unfilled(error), true)
    }
    const { url, headers } = message
    const call = { method: 'POST', path: url.pathname, query: url.search.slice(1), headers, body: sending.sent.body }
    await world.breakDelivery(call, async ({ body }) => {
      sending.sent = { ...sending.sent, body }
      return (await attempt(sending, message)) ?? { status: 0, headers: {}, body: '' }
    })
  }

  /** Attempts a delivery up to three times, and records how it ended. */
  async function attempt(sending: Sending, message: Message): Promise<Answer | undefined> {
    const { edition } = sending.notification
    const { webhook } = sending
    if (!isAllowed(message.url)) {
      const { hostname } = message.url
      end(sending, `Not sent: this mock may not call ${hostname}. Allow it with --webhook-host ${hostname}`, false)
      return undefined
    }
    for (let tries = 1; ; tries++) {
      const outcome = await post(message, sending.sent.body, edition, isAllowed, stop.signal)
      const mayRetry =
        outcome.mayRetry && edition !== '2.24' && (webhook.service !== 'slack' || outcome.response?.status === 429)
      if (!mayRetry || tries === maxTries || stop.signal.aborted) {
        const isFailed = outcome.response === undefined || outcome.response.status >= 300
        const nth = tries > 1 ? `, at the ${tries === 2 ? 'second' : 'third'} try` : ''
        end(sending, `${outcome.why}${nth}`, isFailed, outcome.response)
        return outcome.response
      }
      await wait(tries, stop.signal)
    }
  }

  /** Sends a notification to its channels and to the webhooks that its message mentions. */
  async function notify(world: MockWorld, notification: AlertNotification): Promise<void> {
    if (stop.signal.aborted) return
    const { edition, webhooks } = notification
    let event: Awaited<ReturnType<typeof writer.writeEvent>>
    try {
      event = await writer.writeEvent(notification)
    } catch (error) {
      const [webhook] = webhooks
      if (webhook)
        world.recordDelivery(notification, { ...outcomeWithout(webhook), why: unfilled(error), error: notSent })
      else world.recordAlertError(notification, notSent)
      return
    }
    let failures = 0
    // In 2.24, all failures of a notification are one error.
    const isError = () => failures++ === 0 || edition !== '2.24'
    const receivers: Webhook[] = []
    const add = (name: string, webhook: Webhook) => {
      // In 2.24, a webhook that is named twice is notified twice, and there is no limit.
      if (edition !== '2.24' && receivers.some(({ id }) => id === webhook.id)) return
      if (edition === '2.24' || receivers.length < maxReceivers) receivers.push(webhook)
      else world.recordAlertError(notification, unreached(name))
    }
    for (const mention of event.mentions) {
      const found = findMentioned(mention, notification)
      if (typeof found !== 'string') add(mention.id, found)
      else if (isError()) world.recordAlertError(notification, found)
    }
    for (const webhook of webhooks) add(webhook.id, webhook)
    const common = { world, notification, isError }
    await Promise.all(receivers.map(one => enqueue(one, () => send(begin(common, one), event))))
  }

  const enqueue = (webhook: Webhook, task: () => Promise<void>): Promise<void> => {
    const queue = (queues.get(webhook.id) ?? Promise.resolve()).then(() => (stop.signal.aborted ? undefined : task()))
    queues.set(webhook.id, queue)
    return queue.finally(() => queues.get(webhook.id) === queue && queues.delete(webhook.id))
  }

  /** Starts waiting notifications, a few at once. */
  function startNext() {
    while (active < maxActive) {
      const next = waiting.shift()
      if (!next) return
      active++
      next().finally(() => {
        active--
        startNext()
      })
    }
  }

  return {
    async deliver(world, notifications) {
      const sent = notifications.map(notification => {
        if (waiting.length < capacity)
          return new Promise<void>((resolve, reject) => {
            waiting.push(() => notify(world, notification).then(resolve, reject))
          })
        const why = `Not sent: ${capacity} notifications wait for their receivers already`
        for (const webhook of notification.webhooks)
          world.recordDelivery(notification, { ...outcomeWithout(webhook), why })
        return undefined
      })
      startNext()
      await Promise.all(sent)
    },
    close: () => stop.abort(),
  }
}

/** The outcome of a delivery for which no request could be written. */
const outcomeWithout = (webhook: Webhook) => ({
  ms: 0,
  request: { method: 'POST', path: String(webhook.url), headers: {}, body: '' },
})

const unfilled = (error: unknown) => `Not sent: a template cannot be filled in: ${(error as Error).message}`

function failureOf({ name, service }: Webhook, edition: Edition, status = 0): string {
  if (edition === '2.24') return notSent
  return status >= 300 && status < 400 && service !== 'slack'
    ? `Webhook destination responded with a redirect. Redirects are not supported. (webhook "${name}")`
    : `Failed to send notification to webhook "${name}". Check the webhook configuration and destination.`
}

/** The limit of deployments for the webhooks that one notification reaches. */
const maxReceivers = 20

const unreached = (name: string) =>
  `Notification cap of ${maxReceivers} targets reached for this alert event; this channel was not notified. (webhook "${name}")`

/** The webhook that a mention names by its id or the start of its name, or why there is none. */
function findMentioned({ channel, id }: Mention, { edition, mentionable }: AlertNotification): Webhook | string {
  if (channel !== 'webhook')
    return edition === '2.24' ? notSent : 'Alert message contains a mention that is not a webhook channel.'
  const all = mentionable()
  const found = all.find(webhook => webhook.id === id) ?? all.find(webhook => webhook.name.startsWith(id))
  return found ?? lostWebhook(id, edition)
}

interface Message {
  readonly url: URL
  readonly followsRedirects: boolean
  readonly headers: Readonly<Record<string, string>>
  /** The request in the journal, without the values of the webhook's own headers and query, which may be secret. */
  readonly shown: Omit<DeliveryOutcome['request'], 'body'>
}

function createMessage(webhook: Webhook, notification: AlertNotification): Message {
  const url = new URL(webhook.url ?? 'http://nowhere.invalid')
  const shown = new URL(url)
  // The client for Slack is given the address alone.
  const { service, headers: own = {}, queryParams = {} } = webhook.service === 'slack' ? { service: 'slack' } : webhook
  for (const [name, value] of Object.entries(queryParams)) {
    url.searchParams.append(name, value)
    shown.searchParams.append(name, 'redacted')
  }
  const isOld = notification.edition === '2.24'
  // An own header replaces a standard one of the same letter case, and else is sent beside it; the key is not replaced.
  const withOwn = (own: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
    'Content-Type': 'application/json',
    ...own,
    ...(service !== 'slack' && !isOld && { 'Idempotency-Key': notification.idempotencyKey(webhook) }),
  })
  const hidden = Object.fromEntries(Object.keys(own).map(name => [name, '[redacted]']))
  return {
    url,
    followsRedirects: service !== 'slack' && isOld,
    headers: withOwn(own),
    shown: { method: 'POST', path: shown.href, headers: withOwn(hidden) },
  }
}

interface PostOutcome {
  readonly response?: Answer
  readonly why: string
  readonly mayRetry: boolean
}

async function post(
  { url, headers, followsRedirects }: Message,
  body: string,
  edition: Edition,
  isAllowed: (url: URL) => boolean,
  stopped: AbortSignal,
): Promise<PostOutcome> {
  const timeout = timeoutMs[edition]
  const signal = AbortSignal.any([AbortSignal.timeout(timeout), stopped])
  try {
    const first = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    const answer = followsRedirects ? await follow(first, url, isAllowed, { headers, body, signal }) : first
    const response = {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await readStart(answer),
    }
    const { status } = response
    if (status < 300) return { response, why: `Delivered: the webhook answered ${status}`, mayRetry: false }
    const reason = status < 400 ? 'which redirects, and redirects are not followed' : 'which is no success'
    return {
      response,
      why: `Failed: the webhook answered ${status}, ${reason}`,
      mayRetry: status >= 500 || status === 429,
    }
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: Error }
    const hasTimedOut = name === 'TimeoutError'
    const reason = hasTimedOut ? `no answer within ${timeout / 1000} s` : (cause?.message ?? message)
    return { why: `Failed: ${url.host} was called: ${reason}`, mayRetry: !hasTimedOut }
  }
}

/** Follows redirects as 2.24 does, by GET or with the same body, but only to allowed hosts. */
async function follow(
  first: Response,
  from: URL,
  isAllowed: (url: URL) => boolean,
  { headers, body, signal }: Pick<Message, 'headers'> & { readonly body: string; readonly signal: AbortSignal },
): Promise<Response> {
  let [answer, url] = [first, from]
  let request: RequestInit = { method: 'POST', headers, body }
  for (let steps = 0; steps < maxRedirects; steps++) {
    const location = answer.headers.get('location')
    if (!redirects.has(answer.status) || location === null) return answer
    url = new URL(location, url)
    if (!isAllowed(url)) return answer
    await answer.body?.cancel()
    if (answer.status <= 303) request = { headers: withoutContentType(headers) }
    answer = await fetch(url, { ...request, signal, redirect: 'manual' })
  }
  return answer
}

const maxRedirects = 20
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const withoutContentType = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type'))

/** Reads the start of an answer, for the journal: some answers never end. */
async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (reader && text.length < maxAnswerCharacters) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
  }
  await reader?.cancel()
  return text
}

/** Resolves early if the deliverer is closed. */
const backOff = (tries: number, stopped: AbortSignal): Promise<unknown> =>
  sleep(500 * 2 ** (tries - 1), undefined, { signal: stopped }).catch(() => {})
