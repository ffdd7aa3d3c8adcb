import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../../mock/mock.ts'
import { type Listening, startMock } from '../serve.ts'
import { createDeliverer } from './deliver-webhook.ts'

const noon = Date.UTC(2026, 5, 1, 12)
const close: (() => unknown)[] = []
afterEach(async () => {
  for (const one of close.splice(0)) await one()
})

interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A receiver of webhooks: answers with these statuses, one after the other, and from then on with 200. */
async function openReceiver(...statuses: number[]) {
  const received: Received[] = []
  const server: Server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ url: request.url!, headers: request.headers, body })
    const status = statuses.shift() ?? 200
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('thanks')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  close.push(() => server.close())
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in` }
}

const choices = { selfHosted: { 'version/self-hosted-edition': '2.36' } }

/** A mock with a webhook, an alert on errors that notifies it, and a caller. */
async function open(webhook: object, options: MockOptions & Listening = {}, alert: object = {}) {
  const mock = createMock({ now: noon, choices, ...options })
  return { mock, ...(await layOut(mock, webhook, alert)) }
}

async function layOut(mock: Mock, webhook: object, alert: object) {
  const { apiKey, references } = mock.target({ selfHosted: '' }).selfHosted!
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const call = { method, path: `/api/v2/${path}`, query: '', headers, body: body ? JSON.stringify(body) : '' }
    const answer = await mock.answer(call, 'selfHosted')
    expect(answer.status, answer.body).toBe(200)
    return JSON.parse(answer.body).data
  }
  const hook = { name: 'mine', service: 'generic', ...webhook }
  // The API refuses loopback; a local receiver is useful all the same.
  const { webhooks } = mock.deployment().stackOf('self-hosted')
  const times = { createdAt: new Date(noon).toISOString(), updatedAt: new Date(noon).toISOString() }
  const webhookId = 'e'.repeat(24)
  webhooks.create({ id: webhookId, ...hook, ...times } as never)
  const tile = { name: 'Errors', x: 0, y: 0, w: 6, h: 3 }
  const config = {
    displayType: 'number',
    sourceId: references.sources.log,
    select: [{ aggFn: 'count', where: 'mine' }],
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

const soon = { wait: async () => {} }

describe('an alert, over the control plane', () => {
  it('fires and resolves as the clock goes on, notifies its webhook of both, and shows it in the journal', async () => {
    const { received, url } = await openReceiver()
    const running = await startMock({ now: noon, choices })
    close.push(running.close)
    const at = await layOut(
      running.mock,
      {
        url,
        body: '{"t":"{{title}}","s":"{{state}}","b":"{{body}}","from":{{startTime}},"to":{{endTime}},"e":"{{eventId}}"}',
      },
      {},
    )
    at.load(noon + 30_000)
    const turn = async (now: string) => {
      const init = { method: 'PUT', body: JSON.stringify({ now }) }
      expect((await fetch(`${running.target().control!.baseUrl}/control/clock`, init)).status).toBe(200)
    }
    expect((await at.read()).state).toBe('OK')
    await turn('2026-06-01T12:01:10Z')
    expect(await at.read()).toMatchObject({ state: 'ALERT', executionErrors: [] })
    await turn('2026-06-01T12:02:10Z')
    expect(await at.read()).toMatchObject({ state: 'OK', executionErrors: [] })

    const [firing, resolved] = received.map(({ body }) => JSON.parse(body))
    expect(firing).toMatchObject({ t: '🚨 My alert', s: 'ALERT', from: noon, to: noon + 60_000 })
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
    const shown = calls.filter(
      ({ host, request }: { host: string; request: { path: string } }) => host === 'webhook' && request.path === url,
    )
    expect(shown).toHaveLength(2)
    expect(shown[0]).toMatchObject({
      response: { status: 200, body: 'thanks' },
      because: { rule: 'event/webhook-payload' },
    })
  })

  it('is evaluated minute by minute in a leap, for the last day of a long one', async () => {
    const at = await open({ url: 'http://127.0.0.1:1/in' })
    at.load(noon + 5 * 60_000 + 1)
    const states = at.mock.moveClock(noon + 10 * 60_000).map(delivery => delivery.event())
    expect(
      states.filter(({ title }) => title.includes('My alert')).map(({ state, endTime }) => [state, endTime]),
    ).toEqual([
      ['ALERT', noon + 6 * 60_000],
      ['OK', noon + 7 * 60_000],
    ])
    // A leap of a year evaluates its last day, not half a million minutes.
    const nextYear = noon + 365 * 86_400_000
    for (const delivery of at.mock.moveClock(nextYear)) {
      expect(delivery.event().endTime).toBeGreaterThanOrEqual(nextYear - 86_400_000)
    }
    expect(at.mock.clock.now()).toBeGreaterThanOrEqual(nextYear)
  })

  it('is evaluated in the managed form as well', async () => {
    const mock = createMock({ now: noon, logs: 0 })
    const { serviceId } = mock.target({ cloud: '' }).cloud!
    mock.moveClock(noon + 60_000)
    const { alerts } = mock.deployment().stackOf(serviceId)
    expect(alerts.list().find(({ name }) => name === 'Nobody shops')).toMatchObject({
      state: 'ALERT',
      executionErrors: [],
    })
  })

  it('is evaluated in real time where the option says so', async () => {
    const { received, url } = await openReceiver()
    const mock = createMock({ now: noon, choices })
    const at = await layOut(mock, { url }, {})
    at.load(noon - 30_000)
    const { serve } = await import('../serve.ts')
    const running = await serve(mock, { evaluateAlerts: true })
    close.push(running.close)
    await expect.poll(() => received.length).toBe(1)
    expect(JSON.parse(received[0]!.body).text).toMatch(
      /^🚨 My alert \| [^|]+ \| http:\/\/localhost:8080\/dashboards\/[^|]+ \| ALERT \| \d+ \| \d+ \| [0-9a-f]{40}$/s,
    )
  })
})

describe('a delivery', () => {
  const fire = async (webhook: object, alert: object = {}, hosts: readonly string[] = []) => {
    const at = await open(webhook, {}, alert)
    at.load(noon + 30_000)
    const mine = at.mock.moveClock(noon + 60_000).filter(({ webhook }) => webhook.name === 'mine')
    expect(mine).toHaveLength(1)
    await createDeliverer({ hosts, ...soon }).deliver(at.mock, mine)
    return at
  }

  it('carries the headers and query parameters of the webhook, which the journal keeps to itself', async () => {
    const { received, url } = await openReceiver()
    const at = await fire({ url, headers: { 'X-Token': 'hush' }, queryParams: { key: 'hush&more' } })
    expect(received[0]).toMatchObject({ url: '/in?key=hush%26more', headers: { 'x-token': 'hush' } })
    expect(JSON.stringify(at.deliveries())).toContain('X-Token')
    expect(JSON.stringify(at.deliveries())).not.toContain('hush')
  })

  it('fills in name, message and body, with texts as JSON has them and with eq', async () => {
    const { received, url } = await openReceiver()
    const body =
      '{"title":"{{title}}","to":{{endTime}},"on":{{#if (eq state "ALERT")}}true{{else}}false{{/if}},"x":"{{#eq state "OK"}}ok{{else}}no{{/eq}}","p":"{{constructor.name}}{{__proto__}}"}'
    await fire({ url, body }, { name: 'Say "{{value}}" on {{tile.name}}\\', message: '{{alert.name}}' })
    expect(JSON.parse(received[0]!.body)).toEqual({
      title: '🚨 Say "1" on Errors\\',
      to: noon + 60_000,
      on: true,
      x: 'no',
      p: '',
    })
  })

  it('to Slack has a section with a link', async () => {
    const { received, url } = await openReceiver()
    await fire({ url, service: 'slack' })
    const { text, blocks } = JSON.parse(received[0]!.body)
    expect(text).toBe('🚨 My alert')
    expect(blocks).toEqual([
      { type: 'section', text: { type: 'mrkdwn', text: expect.stringMatching(/^\*<http.* \| 🚨 My alert>\*\n/) } },
    ])
  })

  it('is tried three times, and then noted in the alert', async () => {
    const { received, url } = await openReceiver(500, 503)
    const at = await fire({ url })
    expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual(
      Array(3).fill(received[0]!.headers['idempotency-key']),
    )
    expect(at.deliveries()[0]!.because.why).toBe('Delivered: the webhook answered 200, at the third try')
    expect((await at.read()).executionErrors).toEqual([])

    const broken = await openReceiver(500, 500, 500)
    const other = await fire({ url: broken.url })
    expect(broken.received).toHaveLength(3)
    expect(await other.read()).toMatchObject({
      state: 'ALERT',
      executionErrors: [{ type: 'WEBHOOK_ERROR', message: expect.stringContaining('500') }],
    })
  })

  it('follows no redirect, and does not ask again', async () => {
    const { received, url } = await openReceiver(302)
    const at = await fire({ url })
    expect(received.map(one => one.url)).toEqual(['/in'])
    expect(at.deliveries()[0]).toMatchObject({
      response: { status: 302 },
      because: { why: expect.stringContaining('redirects are not followed') },
    })
  })

  it('that nobody answers is in the journal without a status, and in the alert', async () => {
    const at = await fire({ url: 'http://127.0.0.1:1/in' })
    expect(at.deliveries()[0]).toMatchObject({
      response: { status: 0 },
      because: { why: expect.stringContaining('127.0.0.1:1') },
    })
    expect((await at.read()).executionErrors[0].type).toBe('WEBHOOK_ERROR')
  })

  it('goes nowhere but to loopback and to hosts that were named', async () => {
    const at = await fire({ url: 'https://hooks.example.test/in' })
    const [entry] = at.deliveries()
    expect(entry).toMatchObject({ response: { status: 0 }, request: { body: expect.stringContaining('My alert') } })
    expect(entry!.because.why).toContain('--webhook-host hooks.example.test')
    expect((await at.read()).executionErrors).toEqual([])
    const named = await fire({ url: 'http://hooks.invalid/in' }, {}, ['Hooks.invalid'])
    expect(named.deliveries()[0]!.because.why).toContain('was called')
  })

  it('with a template that cannot be read is not sent, and says why', async () => {
    const { received, url } = await openReceiver()
    const at = await fire({ url, body: '{{#if state}}' })
    expect(received).toEqual([])
    expect((await at.read()).executionErrors[0].message).toMatch(/template cannot be filled in/)
  })

  const loops = (depth: number) => '{{#each @root}}'.repeat(depth) + '{{/each}}'.repeat(depth)
  it.each([
    ['a message of loops inside each other', {}, { message: loops(12) }, 'more than 1000 times'],
    ['a name of loops inside each other', {}, { name: loops(12) }, 'more than 1000 times'],
    ['a body of loops inside each other', { body: loops(12) }, {}, 'more than 1000 times'],
    ['blocks too deep inside each other', { body: loops(21) }, {}, 'more than 20 levels'],
    [
      'conditions too deep inside each other',
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
  ])('with %s is not sent, says why, and keeps nobody waiting', async (_, webhook, alert, sentence) => {
    const at = await fire({ url: 'https://hooks.example.test/in', ...webhook }, alert)
    expect(at.deliveries()[0]!.because.why).toContain(sentence)
    expect((await at.read()).executionErrors[0].message).toContain(sentence)
  })

  it('may loop over what it is given', async () => {
    const { received, url } = await openReceiver()
    await fire({
      url,
      body: '{{#each this as |value name|}}{{name}} {{else}}nothing{{/each}}{{#each none}}{{else}}!{{/each}}',
    })
    expect(received[0]!.body).toBe('title body link state startTime endTime eventId !')
  })

  it('to a webhook without an address is not sent, and says why', async () => {
    const at = await fire({ url: 'no address/in' })
    expect(at.deliveries()[0]!.because.why).toBe('Not sent: the webhook has no valid address')
    expect((await at.read()).executionErrors[0].type).toBe('WEBHOOK_ERROR')
  })

  it('is given up when the mock stops', async () => {
    const { url } = await openReceiver(500)
    const at = await open({ url })
    at.load(noon + 30_000)
    const mine = at.mock.moveClock(noon + 60_000).filter(({ webhook }) => webhook.name === 'mine')
    const deliverer = createDeliverer({
      wait: (_, stopped) => new Promise(resolve => stopped.addEventListener('abort', resolve)),
    })
    const delivered = deliverer.deliver(at.mock, mine)
    deliverer.close()
    await delivered
    expect(at.deliveries()).toEqual([])
  })
})
