import { setTimeout as sleep } from 'node:timers/promises'
import { loopbackHost } from '../../../fixtures/targets/loopback.ts'
import type { Answer, Delivery, DeliveryOutcome, MockWorld } from '../../mock/mock.ts'
import { createPayloadWriter } from './write-payload.ts'

interface DelivererOptions {
  /** Allowed hosts besides loopback. */
  readonly hosts?: readonly string[]
  /** Waits before the second and third attempt. Default: half a second, then a second. */
  readonly wait?: (tries: number, stopped: AbortSignal) => Promise<unknown>
}

export interface Deliverer {
  /** Sends deliveries, sequentially for each webhook, and resolves when all have succeeded or failed. */
  deliver(world: MockWorld, deliveries: readonly Delivery[]): Promise<void>
  /** Aborts pending deliveries. */
  close(): void
}

const maxTries = 3
const timeoutMs = 30_000
const maxAnswerCharacters = 4096

/** Calls webhooks as a deployment does, but only on loopback and on allowed hosts. */
export function createDeliverer({ hosts = [], wait = backOff }: DelivererOptions = {}): Deliverer {
  const allowed = new Set(hosts.map(host => host.toLowerCase()))
  const stop = new AbortController()
  const queues = new Map<string, Promise<void>>()
  const writePayload = createPayloadWriter()

  async function send(world: MockWorld, delivery: Delivery): Promise<void> {
    if (stop.signal.aborted) return
    const startedAt = performance.now()
    let sent: DeliveryOutcome['request'] = { method: 'POST', path: String(delivery.webhook.url), headers: {}, body: '' }
    const record = (why: string, isFailed: boolean, response?: Answer) => {
      const ms = performance.now() - startedAt
      const outcome: DeliveryOutcome = { ms, request: sent, why, isFailed, ...(response && { response }) }
      if (!stop.signal.aborted) world.recordDelivery(delivery, outcome)
    }
    let message: Message
    try {
      message = createMessage(delivery)
      sent = { ...message.shown, body: '' }
    } catch {
      return record('Not sent: the webhook has no valid address', true)
    }
    try {
      sent = { ...sent, body: await writePayload(delivery) }
    } catch (error) {
      return record(`Not sent: a template cannot be filled in: ${(error as Error).message}`, true)
    }
    const { hostname } = message.url
    if (!loopbackHost.test(hostname) && !allowed.has(hostname.toLowerCase())) {
      return record(`Not sent: this mock may not call ${hostname}. Allow it with --webhook-host ${hostname}`, false)
    }
    for (let tries = 1; ; tries++) {
      const outcome = await post(message, sent.body, stop.signal)
      if (!outcome.mayRetry || tries === maxTries || stop.signal.aborted) {
        const isFailed = outcome.response === undefined || outcome.response.status >= 300
        return record(
          `${outcome.why}${tries > 1 ? `, at the ${tries === 2 ? 'second' : 'third'} try` : ''}`,
          isFailed,
          outcome.response,
        )
      }
      await wait(tries, stop.signal)
    }
  }

  return {
    async deliver(world, deliveries) {
      const sent = deliveries.map(delivery => {
        const { id } = delivery.webhook
        const queue = (queues.get(id) ?? Promise.resolve()).then(() => send(world, delivery))
        queues.set(id, queue)
        return queue.finally(() => queues.get(id) === queue && queues.delete(id))
      })
      await Promise.all(sent)
    },
    close: () => stop.abort(),
  }
}

interface Message {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** The request in the journal, without the values of the webhook's own headers and query, which may be secret. */
  readonly shown: Omit<DeliveryOutcome['request'], 'body'>
}

function createMessage({ webhook, idempotencyKey }: Delivery): Message {
  const url = new URL(webhook.url ?? 'http://nowhere.invalid')
  const shown = new URL(url)
  for (const [name, value] of Object.entries(webhook.queryParams ?? {})) {
    url.searchParams.set(name, value)
    shown.searchParams.set(name, 'redacted')
  }
  const standardHeaders = { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey }
  const own = webhook.headers ?? {}
  const hidden = Object.fromEntries(Object.keys(own).map(name => [name, '[redacted]']))
  return {
    url,
    headers: { ...standardHeaders, ...own },
    shown: { method: 'POST', path: shown.href, headers: { ...standardHeaders, ...hidden } },
  }
}

interface PostOutcome {
  readonly response?: Answer
  readonly why: string
  readonly mayRetry: boolean
}

async function post({ url, headers }: Message, body: string, stopped: AbortSignal): Promise<PostOutcome> {
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), stopped])
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
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
    const reason = name === 'TimeoutError' ? `no answer within ${timeoutMs / 1000} s` : (cause?.message ?? message)
    return { why: `Failed: ${url.host} was called: ${reason}`, mayRetry: true }
  }
}

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
