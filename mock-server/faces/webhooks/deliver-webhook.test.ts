import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type AlertNotification, createMock, type Mock, type MockOptions } from '../../mock/mock.ts'
import { type Listening, startMock } from '../serve.ts'
import { createDeliverer } from './deliver-webhook.ts'

const noon = Date.UTC(2026, 5, 1, 12)
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp()
})

interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A receiver of webhooks, which answers with the statuses in order, and then with 200. At 0 it closes the connection. */
async function openReceiver(...statuses: number[]) {
  const received: Received[] = []
  const server: Server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ url: request.url!, headers: request.headers, body })
    const status = statuses.shift() ?? 200
    if (status === 0) return request.socket.destroy()
    response.writeHead(status, status >= 300 && status < 400 ? { location: '/elsewhere' } : {}).end('thanks')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => server.close())
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in` }
}

const choices = { selfHosted: { 'version/self-hosted-edition': '2.36' } }

/** Creates a mock with a webhook, and with an alert that notifies the webhook. */
async function open(webhook: object, options: MockOptions & Listening = {}, alert: object = {}) {
  const mock = createMock({ now: noon, choices, ...options })
  return { mock, ...(await arrange(mock, webhook, alert)) }
}

async function arrange(mock: Mock, webhook: object, alert: object) {
  const { apiKey, references } = mock.target({ selfHosted: '' }).selfHosted!
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const call = { method, path: `/api/v2/${path}`, query: '', headers, body: body ? JSON.stringify(body) : '' }
    const answer = await mock.answer(call, 'selfHosted')
    expect(answer.status, answer.body).toBe(200)
    return JSON.parse(answer.body).data
  }
  const hook = { name: 'mine', service: 'generic', ...webhook }
  // Created directly, because the API refuses a loopback address.
  const { webhooks } = mock.deployment().stackOf('self-hosted')
  const times = { createdAt: new Date(noon).toISOString(), updatedAt: new Date(noon).toISOString() }
  const webhookId = 'e'.repeat(24)
  webhooks.create({ id: webhookId, ...hook, ...times } as never)
  const tile = { name: 'Errors', x: 0, y: 0, w: 6, h: 3 }
  const config = {
    displayType: 'number',
    sourceId: references.sources.log,
    select: [{ aggFn: 'count', where: 'Body:mine', whereLanguage: 'lucene' }],
  }
  const board = await send('POST', 'dashboards', { name: 'Shop', tiles: [{ ...tile, config }] })
  const { id } = await send('POST', 'alerts', {
    source: 'tile',
    dashboardId: board.id,
    tileId: board.tiles[0].id,
    threshold: 1,
    thresholdType: 'above',
    interval: '1m',
    channel: { type: 'webhook', webhookId },
    name: 'My alert',
    message: 'Look',
    ...alert,
  })
  const load = (moment: number) =>
    mock.loadRows(references.sources.log!, [{ Timestamp: new Date(moment).toISOString(), Body: 'mine' }])
  const read = () => send('GET', `alerts/${id}`)
  const deliveries = () =>
    mock.calls().filter(({ host, request }) => host === 'webhook' && request.path.includes('/in'))
  return { load, read, deliveries }
}

const withoutWaiting = { wait: async () => {} }
const isMine = ({ webhooks }: AlertNotification) => webhooks.some(({ name }) => name === 'mine')

describe('an alert', () => {
  it('fires and resolves when the control plane moves the clock, and each change is delivered and recorded', async () => {
    const { received, url } = await openReceiver()
    const running = await startMock({ now: noon, choices })
    cleanups.push(running.close)
    const opened = await arrange(
      running.mock,
      {
        url,
        body: '{"t":"{{title}}","s":"{{state}}","b":"{{body}}","from":{{startTime}},"to":{{endTime}},"e":"{{eventId}}"}',
      },
      {},
    )
    opened.load(noon + 30_000)
    const moveClock = async (now: string) => {
      const init = { method: 'PUT', body: JSON.stringify({ now }) }
      expect((await fetch(`${running.target().control!.baseUrl}/control/clock`, init)).status).toBe(200)
    }
    expect((await opened.read()).state).toBe('OK')
    await moveClock('2026-06-01T12:01:10Z')
    expect(await opened.read()).toMatchObject({ state: 'ALERT', executionErrors: [] })
    await moveClock('2026-06-01T12:02:10Z')
    expect(await opened.read()).toMatchObject({ state: 'OK', executionErrors: [] })

    await expect.poll(() => received.length).toBe(2)
    const [firing, resolved] = received.map(({ body }) => JSON.parse(body))
    expect(firing).toMatchObject({ t: '🚨 My alert', s: 'ALERT', from: noon, to: noon + 60_000 })
    expect(firing.b).toContain('[Jun 1 12:00:00 PM - Jun 1 12:01:00 PM)')
    expect(firing.b).toContain('1 meets or exceeds 1')
    expect(firing.b).toContain('\nLook')
    expect(resolved).toMatchObject({ s: 'OK', e: firing.e, from: noon + 60_000 })
    const [one, other] = received.map(({ headers }) => headers)
    expect(one).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/^[0-9a-f]{40}$/),
    })
    expect(other!['idempotency-key']).not.toBe(one!['idempotency-key'])

    const calls = await (await fetch(`${running.target().control!.baseUrl}/control/calls`)).json()
    const webhookCalls = calls.filter(
      ({ host, request }: { host: string; request: { path: string } }) => host === 'webhook' && request.path === url,
    )
    expect(webhookCalls).toHaveLength(2)
    expect(webhookCalls[0]).toMatchObject({
      response: { status: 200, body: 'thanks' },
      because: { rule: 'event/webhook-payload' },
    })
  })

  it('is evaluated for every minute that the clock skips, but at most for the last day', async () => {
    const opened = await open({ url: 'http://127.0.0.1:1/in' })
    opened.load(noon + 5 * 60_000 + 1)
    const states = opened.mock.advance('10m').map(one => one.renderEvent())
    expect(
      states.filter(({ title }) => title.includes('My alert')).map(({ state, endTime }) => [state, endTime]),
    ).toEqual([
      ['ALERT', noon + 6 * 60_000],
      ['OK', noon + 7 * 60_000],
    ])
    // A year has half a million minutes.
    const nextYear = noon + 365 * 86_400_000
    for (const { at } of opened.mock.advance('365d')) expect(at).toBeGreaterThanOrEqual(nextYear - 86_400_000)
    expect(opened.mock.clock.now()).toBeGreaterThanOrEqual(nextYear)
  })

  it('is evaluated in the managed form as well', async () => {
    const mock = createMock({ now: noon, logs: 0 })
    const { serviceId } = mock.target({ cloud: '' }).cloud!
    const { alerts } = mock.deployment().stackOf(serviceId)
    expect(alerts.list()).toHaveLength(4)
    mock.moveClock(noon + 30 * 60_000)
    expect(alerts.list().find(({ name }) => name === 'Nobody shops')).toMatchObject({
      state: 'ALERT',
      executionErrors: [],
    })
  })

  it('is evaluated in real time with the option evaluateAlerts', async () => {
    const { received, url } = await openReceiver()
    const mock = createMock({ now: noon, choices })
    const opened = await arrange(mock, { url }, {})
    opened.load(noon - 30_000)
    const { serve } = await import('../serve.ts')
    const running = await serve(mock, { evaluateAlerts: true })
    cleanups.push(running.close)
    await expect.poll(() => received.length).toBe(1)
    expect(JSON.parse(received[0]!.body).text).toMatch(
      /^🚨 My alert \| [^|]+ \| http:\/\/localhost:8080\/dashboards\/[^|]+ \| ALERT \| \d+ \| \d+ \| [0-9a-f]{40}$/s,
    )
  })
})

describe('a delivery', () => {
  const fire = async (
    webhook: object,
    alert: object = {},
    hosts: readonly string[] = [],
    options: MockOptions = {},
  ) => {
    const opened = await open(webhook, options, alert)
    opened.load(noon + 30_000)
    const mine = opened.mock.advance(60_000).filter(isMine)
    expect(mine).toHaveLength(1)
    await createDeliverer({ hosts, ...withoutWaiting }).deliver(opened.mock, mine)
    return opened
  }
  const older = { choices: { selfHosted: { 'version/self-hosted-edition': '2.24' } } }
  const failed = 'Failed to send notification to webhook "mine". Check the webhook configuration and destination.'

  it('has the headers and query parameters of the webhook, whose values the journal does not show', async () => {
    const { received, url } = await openReceiver()
    const opened = await fire({
      url: `${url}?key=a`,
      headers: { 'X-Token': 'hush' },
      queryParams: { key: 'hush&more' },
    })
    expect(received[0]).toMatchObject({ url: '/in?key=a&key=hush%26more', headers: { 'x-token': 'hush' } })
    expect(JSON.stringify(opened.deliveries())).toContain('X-Token')
    expect(JSON.stringify(opened.deliveries())).not.toContain('hush')
  })

  it('fills in the templates of name, message and body, with JSON escaping and the helper eq', async () => {
    const { received, url } = await openReceiver()
    const body =
      '{"title":"{{title}}","to":{{endTime}},"on":{{#if (eq state "ALERT")}}true{{else}}false{{/if}},"x":"{{#eq state "OK"}}ok{{else}}no{{/eq}}","p":"{{constructor.name}}{{__proto__}}"}'
    await fire({ url, body }, { name: 'Say "{{value}}" on {{source.name}}\\', message: '{{alert.name}}' })
    expect(JSON.parse(received[0]!.body)).toEqual({
      title: '🚨 Say "1" on Logs\\',
      to: noon + 60_000,
      on: true,
      // The helper answers a value, and is no block.
      x: 'false',
      p: '',
    })
  })

  it.each([
    ['the channels of its alert', {}, 'webhook'],
    ['one channel of its alert in 2.24', older, ''],
  ])('shows its message the source as it is kept, and %s', async (_, options, channels) => {
    const { received, url } = await openReceiver()
    const message = '{{source.id}}|{{source._id}}|{{#each alert.channels}}{{type}}{{/each}}|{{alert.channel.type}}|'
    const opened = await fire({ url, body: '{{{body}}}' }, { message }, [], options)
    const { log } = opened.mock.target({ selfHosted: '' }).selfHosted!.references.sources
    expect(received[0]!.body).toContain(`\\n|${log}|${channels}|webhook|`)
  })

  it('keeps the blanks around the blocks of a message, and is not sent if the message calls the helper eq', async () => {
    const { received, url } = await openReceiver()
    const at = (message: string) => fire({ url, body: '{{{body}}}' }, { interval: '1m', message })
    await at('{{granularity}}\n{{#if value}}\nfires\n{{/if}}')
    // The mention of the channel follows the last block, which is therefore not alone in its line.
    expect(received[0]!.body).toMatch(/\)\\n1 minute\\nfires\\n $/)
    const opened = await at('{{#if (eq value 1)}}one{{/if}}')
    expect(received).toHaveLength(1)
    expect((await opened.read()).executionErrors).toMatchObject([{ type: 'WEBHOOK_ERROR' }])
  })

  it('reaches twenty webhooks at most, and each further one is an error of the alert', async () => {
    const { received, url } = await openReceiver()
    const opened = await open(
      { url },
      {},
      { message: Array.from({ length: 21 }, (_, at) => `@webhook-n${at}.`).join(' ') },
    )
    const { webhooks } = opened.mock.deployment().stackOf('self-hosted')
    for (let at = 0; at < 21; at++)
      webhooks.create({
        ...webhooks.list().find(({ name }) => name === 'mine')!,
        id: `${at}`.padStart(24, 'a'),
        name: `n${at}.`,
      } as never)
    opened.load(noon + 30_000)
    await createDeliverer(withoutWaiting).deliver(opened.mock, opened.mock.advance(60_000).filter(isMine))
    expect(received).toHaveLength(20)
    expect((await opened.read()).executionErrors.map(({ message }: { message: string }) => message)).toEqual(
      ['n20.', 'e'.repeat(24)].map(name =>
        expect.stringMatching(new RegExp(`^Notification cap of 20 .* \\(webhook "${name}"\\)$`)),
      ),
    )
  })

  it('to Slack has a section with a link, and nothing else of the webhook than its address', async () => {
    const { received, url } = await openReceiver()
    await fire({ url, service: 'slack', headers: { 'X-Token': 'hush' }, queryParams: { key: 'hush' } })
    expect(received[0]!.url).toBe('/in')
    expect(received[0]!.headers).not.toHaveProperty('x-token')
    const { text, blocks } = JSON.parse(received[0]!.body)
    expect(text).toBe('🚨 My alert')
    expect(JSON.parse(received[0]!.body).timeout).toBe(30_000)
    expect(received[0]!.headers).not.toHaveProperty('idempotency-key')
    expect(blocks).toEqual([
      { type: 'section', text: { type: 'mrkdwn', text: expect.stringMatching(/^\*<http.* \| 🚨 My alert>\*\n/) } },
    ])
  })

  it('is attempted three times, and then recorded as an error of the alert', async () => {
    const { received, url } = await openReceiver(500, 503)
    const opened = await fire({ url })
    expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual(
      Array(3).fill(received[0]!.headers['idempotency-key']),
    )
    expect(opened.deliveries()[0]!.because.why).toBe('Delivered: the webhook answered 200, at the third try')
    expect((await opened.read()).executionErrors).toEqual([])

    const broken = await openReceiver(500, 500, 500)
    const other = await fire({ url: broken.url })
    expect(broken.received).toHaveLength(3)
    expect(await other.read()).toMatchObject({
      state: 'ALERT',
      executionErrors: [{ type: 'WEBHOOK_ERROR', message: failed }],
    })
  })

  it('does not follow a redirect, and is not repeated after a redirect', async () => {
    const { received, url } = await openReceiver(302)
    const opened = await fire({ url })
    expect(received.map(one => one.url)).toEqual(['/in'])
    expect(opened.deliveries()[0]).toMatchObject({
      response: { status: 302 },
      because: { why: expect.stringContaining('redirects are not followed') },
    })
    expect((await opened.read()).executionErrors[0].message).toBe(
      'Webhook destination responded with a redirect. Redirects are not supported. (webhook "mine")',
    )
  })

  it('without an answer has the status 0 in the journal, and is an error of the alert', async () => {
    const opened = await fire({ url: 'http://127.0.0.1:1/in' })
    expect(opened.deliveries()[0]).toMatchObject({
      response: { status: 0 },
      because: { why: expect.stringContaining('127.0.0.1:1') },
    })
    expect((await opened.read()).executionErrors[0].type).toBe('WEBHOOK_ERROR')
  })

  it('is only sent to loopback and to hosts of --webhook-host', async () => {
    const opened = await fire({ url: 'https://hooks.example.test/in' })
    const [entry] = opened.deliveries()
    expect(entry).toMatchObject({ response: { status: 0 }, request: { body: expect.stringContaining('My alert') } })
    expect(entry!.because.why).toContain('--webhook-host hooks.example.test')
    expect((await opened.read()).executionErrors).toEqual([])
    const named = await fire({ url: 'http://hooks.invalid/in' }, {}, ['Hooks.invalid'])
    expect(named.deliveries()[0]!.because.why).toContain('was called')
  })

  it('with an unreadable template is not sent, the journal has the reason, and the alert an error', async () => {
    const { received, url } = await openReceiver()
    const opened = await fire({ url, body: '{{#if state}}' })
    expect(received).toEqual([])
    expect(opened.deliveries()[0]!.because.why).toMatch(/template cannot be filled in/)
    expect((await opened.read()).executionErrors[0].message).toBe(failed)
  })

  const nestLoops = (depth: number) => '{{#each @root}}'.repeat(depth) + '{{/each}}'.repeat(depth)
  // In a message, ` @root` is a mention.
  const nestLoopsOverAlert = (depth: number) =>
    Array.from({ length: depth }, (_, at) => `{{#each ${'../'.repeat(at)}alert}}`).join('') + '{{/each}}'.repeat(depth)
  it.each([
    ['nested loops in the message', {}, { message: nestLoopsOverAlert(12) }, 'more than 1000 times'],
    ['nested loops in the name', {}, { name: nestLoops(12) }, 'more than 1000 times'],
    ['nested loops in the body', { body: nestLoops(12) }, {}, 'more than 1000 times'],
    ['blocks that are nested too deeply', { body: nestLoops(21) }, {}, 'more than 20 levels'],
    [
      'conditions that are nested too deeply',
      { body: `{{#if ${'(eq 1 '.repeat(30)}1${')'.repeat(30)}}}{{/if}}` },
      {},
      'more than 20 levels',
    ],
    ['a partial that calls itself', { body: '{{#*inline "a"}}{{> a}}{{> a}}{{/inline}}{{> a}}' }, {}, 'partials'],
    ['a template that is too long', { body: 'x'.repeat(20_000) }, {}, 'longer than 16384 characters'],
    [
      'loops that write too much',
      { body: `${'{{#each @root}}'.repeat(3)}${'x'.repeat(15_000)}${'{{/each}}'.repeat(3)}` },
      {},
      'longer than 1048576 characters',
    ],
    [
      'values that are too long',
      { body: '{{body}}'.repeat(1500) },
      { message: 'n'.repeat(4000) },
      'longer than 1048576',
    ],
  ])('with %s is not sent, the journal has the reason, and the alert an error', async (_, webhook, alert, sentence) => {
    const opened = await fire({ url: 'https://hooks.example.test/in', ...webhook }, alert)
    expect(opened.deliveries()[0]!.because.why).toContain(sentence)
    expect((await opened.read()).executionErrors[0].message).toMatch(/^Failed to send .* destination\.$/)
  })

  it('can loop over its values', async () => {
    const { received, url } = await openReceiver()
    await fire({
      url,
      body: '{{#each this as |value name|}}{{name}} {{else}}nothing{{/each}}{{#each none}}{{else}}!{{/each}}',
    })
    expect(received[0]!.body).toBe('title body link state startTime endTime eventId !')
  })

  it('to a webhook without a valid address is not sent, and the journal has the reason', async () => {
    const opened = await fire({ url: 'no address/in' })
    expect(opened.deliveries()[0]!.because.why).toBe('Not sent: the webhook has no valid address')
    expect((await opened.read()).executionErrors[0].type).toBe('WEBHOOK_ERROR')
  })

  it.each([
    ['500, three times', {}, {}, [500, 500, 500, 200], 3],
    ['429, until it is accepted', {}, {}, [429, 200], 2],
    ['400, once', {}, {}, [400, 200], 1],
    ['500 by Slack, once', {}, { service: 'slack' }, [500, 200], 1],
    ['429 by Slack, until it is accepted', {}, { service: 'slack' }, [429, 200], 2],
    ['by a closed connection, three times', {}, {}, [0, 0, 0, 200], 3],
    ['by a closed connection to Slack, once', {}, { service: 'slack' }, [0, 200], 1],
    ['500 in 2.24, once', older, {}, [500, 200], 1],
    ['302 in 2.24, which is followed', older, {}, [302, 200], 2],
    ['307 in 2.24, which is followed', older, {}, [307, 200], 2],
    ['302 by Slack in 2.24, once', older, { service: 'slack' }, [302, 200], 1],
  ])('that is answered %s', async (_, options, webhook, statuses, attempts) => {
    const { received, url } = await openReceiver(...statuses)
    await fire({ url, body: '{{state}}', ...webhook }, {}, [], options)
    expect(received).toHaveLength(attempts)
    // Only a redirect by 307 or 308 keeps the body.
    const isEmptied = statuses[0] === 302 && attempts === 2
    expect(received.filter(({ body }) => body === '')).toHaveLength(isEmptied ? 1 : 0)
  })

  it('has the default body of 2.36, while 2.24 sends nothing without a body', async () => {
    const { received, url } = await openReceiver()
    await fire({ url })
    expect(received[0]!.body).toMatch(
      /^\{"text": "🚨 My alert \| \\n1 meets or exceeds 1\\nTime .* \| ALERT \| \d+ \| \d+ \| \w+"\}$/,
    )
    await fire({ url, body: '' })
    expect(received[1]!.body).toBe('')
    const opened = await fire({ url }, {}, [], older)
    expect(received).toHaveLength(2)
    expect((await opened.read()).executionErrors[0].message).toBe(
      'Failed to send webhook notification. Check the webhook configuration and destination.',
    )
  })

  it('has own headers instead of the standard ones, except for the key of 2.36', async () => {
    const { received, url } = await openReceiver()
    const headers = { 'Content-Type': 'text/plain', 'Idempotency-Key': 'mine' }
    await fire({ url, headers })
    await fire({ url, headers, body: 'x' }, {}, [], older)
    await fire({ url, headers: { 'content-type': 'text/plain' } })
    const key = expect.stringMatching(/^[0-9a-f]{40}$/)
    expect(received.map(({ headers }) => [headers['content-type'], headers['idempotency-key']])).toEqual([
      ['text/plain', key],
      ['text/plain', 'mine'],
      // Names in another letter case are other names, whose values the client joins.
      ['application/json, text/plain', key],
    ])
  })

  it('also goes to the webhooks that the message mentions, and each failure is an error of the alert', async () => {
    const { received, url } = await openReceiver()
    const mention =
      '@webhook-{{alert.none}} @webhook-min @webhook-nobody @here {{#is_match "alert.name" "My alert"}}yes{{/is_match}}'
    const opened = await fire({ url, body: '{{body}}' }, { message: mention })
    // The template that yields nothing mentions the oldest webhook, which the mock may not call.
    expect(opened.deliveries().map(({ request }) => request.path)).toEqual([url])
    expect(received).toHaveLength(1)
    expect(received[0]!.body).toMatch(/\\n {4}yes $/)
    expect((await opened.read()).executionErrors.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringMatching(/^Webhook not found\. .* \(webhook "nobody"\)$/),
      'Alert message contains a mention that is not a webhook channel.',
    ])
  })

  it.each([
    ['each failure is an error of its own', {}, 4],
    ['all failures are one error in 2.24', older, 1],
  ])('to several webhooks can fail several times: %s', async (_, options, errors) => {
    const { url } = await openReceiver(400, 400, 400)
    const message = '@webhook-nobody @webhook-noone @here @webhook-min'
    const opened = await fire({ url, body: '{{body}}' }, { message }, [], options)
    expect((await opened.read()).executionErrors).toHaveLength(errors)
  })

  it('escapes values of name and message for HTML between two braces, but not between three', async () => {
    const { received, url } = await openReceiver()
    await fire({ url, body: '{{{title}}}' }, { name: `{{alert.message}} {{{alert.message}}}`, message: `<b>'&` })
    expect(received[0]!.body).toBe(`🚨 &lt;b&gt;&#x27;&amp; <b>'&`)
  })

  it('waits in a queue; what does not fit is not sent, and the journal says so', async () => {
    const { received, url } = await openReceiver()
    const opened = await open({ url, body: '{{state}}' })
    opened.load(noon + 30_000)
    const [mine] = opened.mock.advance(60_000).filter(isMine)
    await createDeliverer({ ...withoutWaiting, capacity: 2 }).deliver(opened.mock, [mine!, mine!, mine!])
    expect(received).toHaveLength(2)
    expect(opened.deliveries().map(({ because }) => because.why)).toContain(
      'Not sent: 2 notifications wait for their receivers already',
    )
  })

  it('is aborted when the mock stops', async () => {
    const { url } = await openReceiver(500)
    const opened = await open({ url })
    opened.load(noon + 30_000)
    const mine = opened.mock.advance(60_000).filter(isMine)
    const deliverer = createDeliverer({
      wait: (_, stopped) => new Promise(resolve => stopped.addEventListener('abort', resolve)),
    })
    const delivered = deliverer.deliver(opened.mock, mine)
    deliverer.close()
    await delivered
    expect(opened.deliveries()).toEqual([])
  })
})
