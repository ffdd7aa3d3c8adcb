import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createListener, writeListenerRefusal } from '../../mock-server/faces/listener.ts'
import { readBody } from '../../mock-server/faces/read-body.ts'
import { type RunningMock, startMock } from '../../mock-server/faces/serve.ts'
import { maxCharacters } from '../../mock-server/telemetry/query/parse.ts'
import { defaultLimits, type Limits } from '../../mock-server/words/limits.ts'
import { exchange, readAnswers } from './exchange.ts'
import { portOf } from './fuzz-sockets.ts'

let running: RunningMock
beforeAll(async () => {
  running = await startMock({ seed: 1, logs: 10_000 })
})
afterAll(() => running.close())

/** A listener with its own limits, which answers every request with `ok`. */
async function listen(limits: Partial<Limits>, handle?: Parameters<typeof createListener>[0]) {
  const answer: typeof handle = (request, response) => request.resume().on('end', () => response.end('ok'))
  const server = createListener(
    handle ?? answer,
    (status, description) => writeListenerRefusal('cloud', status, description),
    {
      ...defaultLimits,
      ...limits,
    },
  )
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port }
}

/** Reads a connection until the server closes it. */
async function hear(port: number, description: string): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1')
  socket.write(description)
  const received: Buffer[] = []
  for await (const chunk of socket) received.push(chunk)
  return Buffer.concat(received)
}

const deliver = async (listener: 'cloud' | 'selfHosted' | 'control', ...pieces: string[]) =>
  readAnswers(
    await exchange(portOf(running.target(), listener), {
      pieces: pieces.map(piece => Buffer.from(piece)),
      ending: 'end',
      isValidRequest: true,
    }),
  )

async function post(path: string, body: unknown) {
  const { baseUrl, apiKey } = running.target().selfHosted!
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(`${baseUrl}/api/v2/${path}`, { method: 'POST', headers, body: text })
  return { status: response.status, body: await response.text() }
}

describe('a body', () => {
  const nested = (depth: number) =>
    `{"name":"x","tiles":[],"savedFilterValues":[{"condition":"","x":${'['.repeat(depth)}${']'.repeat(depth)}}]}`

  it('may be nested, but not without end', async () => {
    expect((await post('dashboards', nested(defaultLimits.depth - 3))).status).toBe(200)
    const refused = await post('dashboards', nested(defaultLimits.depth - 2))
    expect(refused.status).toBe(400)
    expect((await post('dashboards', nested(100_000))).status).toBe(400)
  })

  it('with escapes may not be nested without end either: putting them right goes down as deep', async () => {
    expect((await post('dashboards', nested(100_000).replace('"x"', '"\\u0078"'))).status).toBe(400)
  })

  it('with more values than anybody sends is refused before each of them is found to be wrong', async () => {
    const { status, body } = await post('dashboards', `{"name":"x","tiles":[${'0,'.repeat(10_000_000)}0]}`)
    expect(status).toBe(400)
    expect(body.length).toBeLessThan(1000)
    expect(defaultLimits.values).toBeGreaterThan(500 * 50)
  })

  it('counts no brackets and commas in texts', async () => {
    const name = '[{,"'.repeat(200)
    const { status, body } = await post('dashboards', { name, tiles: [] })
    expect([status, JSON.parse(body).data.name]).toEqual([200, name])
  })
})

describe('a chart query', () => {
  const ask = (series: object, more: object = {}, count = 1) => {
    const { sourceId } = running.target().selfHosted!.references
    const endTime = Date.now()
    const usual = { startTime: endTime - 7 * 86_400_000, endTime, granularity: '30s' }
    return post('charts/series', {
      ...usual,
      ...more,
      series: new Array(count).fill({ sourceId, aggFn: 'count', where: '', groupBy: [], ...series }),
    })
  }

  it('with a regular expression that goes back for ever elsewhere is answered', async () => {
    const { status } = await ask({ where: "match(Body, '^(\\\\w+\\\\s?)*$')", whereLanguage: 'sql' })
    expect(status).toBe(200)
  })

  const many = (count: number, text: string) => new Array(count).fill(text).join(',')

  it.each([
    [
      'ten groups of long texts',
      { groupBy: Array.from({ length: 10 }, (_, at) => `concat(${many(1200, 'TraceId')},'${at}')`) },
      {},
      'less memory',
    ],
    [
      'columns with names as long as their texts',
      { groupBy: [`concat(${many(1200, 'TraceId')},'x')`] },
      { seriesReturnType: 'column' },
      'less memory',
    ],
    [
      'a column of texts in each other group',
      { aggFn: 'any', field: `concat(${many(1200, 'TraceId')},'x')`, groupBy: ['TraceId'] },
      {},
      'less memory',
    ],
    [
      'groups whose texts are joined again for each row',
      { groupBy: Array.from({ length: 10 }, (_, at) => `concat(${many(1900, 'Body')},'${at}')`) },
      {},
      'less',
    ],
    [
      'another regular expression in each row',
      { where: `match('${'a'.repeat(6000)}',concat('${'(\\w|a|b)*'.repeat(250)}~',TraceId))` },
      {},
      'less time',
    ],
    [
      'a part that is found nearly everywhere',
      { where: `concat('${'a'.repeat(4900)}',TraceId) like '%${'a'.repeat(1250)}b${'a'.repeat(1250)}%'` },
      {},
      'less time',
    ],
  ])('with %s is refused before it takes the mock with it', async (_, series, more, description) => {
    const { status, body } = await ask({ whereLanguage: 'sql', ...series }, { granularity: '30d', ...more }, 5)
    expect([status, body]).toEqual([400, expect.stringContaining(description)])
  })

  it('with texts that are mostly blanks, or digits, is answered', async () => {
    for (const where of [
      `trim(concat('a${' '.repeat(9900)}',TraceId))='x'`,
      `toFloat64OrZero(concat('${'1'.repeat(9900)}',TraceId))=1`,
    ]) {
      expect((await ask({ where, whereLanguage: 'sql' })).status).toBe(200)
    }
  })

  it('with a filter longer than any is refused at once', async () => {
    for (const whereLanguage of ['sql', 'lucene']) {
      const { status, body } = await ask({ where: 'x'.repeat(maxCharacters + 1), whereLanguage })
      expect([status, body]).toEqual([400, expect.stringContaining('at most 10000 characters')])
    }
  })

  it('with more points than anybody looks at is refused with a way out', async () => {
    const { sourceId } = running.target().selfHosted!.references
    const start = Date.UTC(2016, 0, 1)
    // Ten years of half-minutes have ten million buckets, of which only those with rows count.
    const rows = Array.from({ length: 100_001 }, (_, at) => ({ Timestamp: start + at * 3_000_000, Body: 'x' }))
    running.mock.loadRows(sourceId, rows)
    const tooMany = await ask({}, { startTime: start, endTime: start + 315_000_000_000 })
    expect([tooMany.status, tooMany.body]).toEqual([400, expect.stringContaining('at most 100000 points')])
    expect((await ask({}, { startTime: start, endTime: start + 315_000_000_000, granularity: '30d' })).status).toBe(200)
    running.mock.reset()
  })
})

describe('rows', () => {
  it('have not so many different keys that each of them, a column, fills the memory', () => {
    const { sourceId } = running.target().selfHosted!.references
    // Each key takes memory for every row.
    running.mock.loadRows(sourceId, new Array(2000).fill({ Timestamp: '2026-01-01T00:00:00Z' }))
    const keys = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, 'x']))
    const row = { Timestamp: '2026-01-01T00:00:00Z', LogAttributes: keys }
    expect(() => running.mock.loadRows(sourceId, [row])).toThrow(/fewer different keys in LogAttributes/)
  })
})

describe('a connection', () => {
  it('that is refused after CONNECT may break off without ending the mock', async () => {
    const socket = connect(portOf(running.target(), 'cloud'), '127.0.0.1')
    await new Promise(resolve => socket.once('connect', resolve))
    socket.on('error', () => {})
    socket.write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise(resolve => socket.once('data', resolve))
    socket.resetAndDestroy()
    expect((await deliver('cloud', 'GET /v1 HTTP/1.1\r\nHost: x\r\n\r\n')).length).toBe(1)
  })

  it('is answered when its caller has said that nothing more comes', async () => {
    const socket = connect({ port: portOf(running.target(), 'selfHosted'), host: '127.0.0.1', allowHalfOpen: true })
    socket.end('POST /api/v2/alerts HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}')
    const received: Buffer[] = []
    for await (const chunk of socket) received.push(chunk)
    expect(readAnswers(Buffer.concat(received)).map(({ status }) => status)).toEqual([401])
  })

  it('gets the whole of an answer that comes before what is no HTTP', async () => {
    for (let i = 0; i < 30; i++) await deliver('cloud', `GET /v1/${'x'.repeat(9000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
    const calls = 'GET /control/calls HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
    const answers = await deliver('control', `${calls}no HTTP\r\n\r\n`, 'more', 'and more')
    expect(answers[0]!.status).toBe(200)
    expect(() => JSON.parse(answers[0]!.body)).not.toThrow()
  })

  it('beyond the limit of open ones is refused with a reason', async () => {
    const { port, server } = await listen({ connections: 1 })
    const closed = new Promise(resolve => server.once('connection', socket => socket.once('close', resolve)))
    const first = connect(port, '127.0.0.1')
    await once(first, 'connect')
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ status: 503, error: expect.stringContaining('Too many connections') })
    first.destroy()
    await closed
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
  })

  it.each([
    ['headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf'],
  ])('whose request stops in its %s is refused with a reason, and closed', async (_, begun) => {
    const { port } = await listen({ headersMs: 50, requestMs: 60 })
    const answers = readAnswers(await hear(port, begun))
    expect(answers.map(({ status, headers }) => [status, headers.connection])).toEqual([[408, 'close']])
    expect(JSON.parse(answers[0]!.body)).toMatchObject({ status: 408, error: 'The request did not arrive in time.' })
  })

  it('on which a caller expects 100-continue before it has its last answer gets both answers whole', async () => {
    const { port } = await listen({}, async (request, response) => {
      const body = await readBody(request, defaultLimits.body)
      response.end(Buffer.from(`${request.method} ${body?.body}`))
    })
    const expecting = 'Host: x\r\nExpect: 100-continue\r\n'
    const requests = [
      'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
      `GET / HTTP/1.1\r\n${expecting}\r\n`,
      `POST / HTTP/1.1\r\n${expecting}Content-Length: 4\r\n\r\nbody`,
    ]
    const sent = { pieces: [Buffer.from(requests.join(''))], ending: 'end', isValidRequest: true } as const
    const answers = readAnswers(await exchange(port, sent))
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, 'GET '],
      [200, 'GET '],
      [200, 'POST body'],
    ])
  })

  it('that says nothing is closed without a word, and so is one that falls silent after its answer', async () => {
    const { port } = await listen({ idleMs: 50 })
    expect(String(await hear(port, ''))).toBe('')
    const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
    expect(readAnswers(await hear(port, request)).map(({ status }) => status)).toEqual([200])
  })
})

describe('the bodies that are being read', () => {
  it('take no more memory together than they may; what is too much is refused, and makes room again', async () => {
    const budget = { bytes: 10_000, held: 0 }
    const { port } = await listen({}, async (request, response) => {
      const body = await readBody(request, defaultLimits.body, budget)
      response.end(body?.unread ?? 'read')
    })
    const post = async (bytes: number, headers = {}, body: BodyInit = 'x'.repeat(bytes)) =>
      (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).text()
    const begin = async () => {
      const socket = connect(port, '127.0.0.1')
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8000\r\n\r\n${'x'.repeat(6000)}`)
      await expect.poll(() => budget.held).toBe(6000)
      return socket
    }

    const slow = await begin()
    expect(await post(5000)).toBe('crowded')
    expect(await post(4000)).toBe('read')
    expect(await post(0, { 'content-encoding': 'gzip' }, gzipSync('x'.repeat(5000)))).toBe('crowded')
    expect(budget.held).toBe(6000)
    slow.write('x'.repeat(2000))
    const [answer] = await once(slow, 'data')
    expect(String(answer)).toMatch(/\r\n\r\nread$/)
    expect([budget.held, await post(10_000), await post(10_001)]).toEqual([0, 'read', 'crowded'])

    const gone = await begin()
    gone.destroy()
    await expect.poll(() => budget.held).toBe(0)
    slow.destroy()
  })
})

describe('the control plane', () => {
  const put = (path: string, body: string) =>
    deliver(
      'control',
      `PUT /control/${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )

  it.each(['{"advanceMs":1e300}', '{"now":"+275760-09-12T23:59:59.999Z"}', '{"advanceMs":-1e14}'])(
    'does not set the clock to a time that cannot be written: %s',
    async body => {
      expect((await put('clock', body))[0]!.status).toBe(400)
      expect((await deliver('control', 'GET /control/clock HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'))[0]!.status).toBe(200)
    },
  )

  it('looks for the rule that was meant only as long as somebody could have meant one', async () => {
    const [answer] = await put('faults', JSON.stringify(['x'.repeat(1_000_000)]))
    expect(answer!.status).toBe(400)
    expect((await put('faults', '[1]'))[0]!.body).toContain('Expected the ids of rules')
  })

  it('refuses a body that is nested without end, and an address that is none', async () => {
    expect((await put('chaos', '['.repeat(1_000_000)))[0]!.status).toBe(400)
    expect((await deliver('control', 'PUT http://[::1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'))[0]!.status).toBe(405)
  })
})
