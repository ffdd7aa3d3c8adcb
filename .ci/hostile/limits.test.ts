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

/** Starts a listener with its own limits. It answers `ok`, unless `handle` is given. */
async function startListener(limits: Partial<Limits>, handle?: Parameters<typeof createListener>[0]) {
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
async function readUntilClosed(port: number, request: string): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  const received: Buffer[] = []
  for await (const chunk of socket) received.push(chunk)
  return Buffer.concat(received)
}

const sendPieces = async (listener: 'cloud' | 'selfHosted' | 'control', ...pieces: string[]) =>
  readAnswers(
    await exchange(portOf(running.target(), listener), {
      pieces: pieces.map(piece => Buffer.from(piece)),
      ending: 'end',
      mustBeAnswered: true,
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
  const nestArrays = (depth: number) =>
    `{"name":"x","tiles":[],"savedFilterValues":[{"condition":"","x":${'['.repeat(depth)}${']'.repeat(depth)}}]}`

  it('is refused if it is nested more deeply than the limit', async () => {
    expect((await post('dashboards', nestArrays(defaultLimits.depth - 3))).status).toBe(200)
    const refused = await post('dashboards', nestArrays(defaultLimits.depth - 2))
    expect(refused.status).toBe(400)
    expect((await post('dashboards', nestArrays(100_000))).status).toBe(400)
  })

  it('that is nested too deeply is refused even if it contains escapes, whose decoding recurses too', async () => {
    expect((await post('dashboards', nestArrays(100_000).replace('"x"', '"\\u0078"'))).status).toBe(400)
  })

  it('with more values than the limit is refused before each of them is validated', async () => {
    const { status, body } = await post('dashboards', `{"name":"x","tiles":[${'0,'.repeat(10_000_000)}0]}`)
    expect(status).toBe(400)
    expect(body.length).toBeLessThan(1000)
    // A dashboard of 500 tiles with 50 values each is below the limit.
    expect(defaultLimits.values).toBeGreaterThan(500 * 50)
  })

  it('may have any number of brackets and commas in texts', async () => {
    const name = '[{,"'.repeat(200)
    const { status, body } = await post('dashboards', { name, tiles: [] })
    expect([status, JSON.parse(body).data.name]).toEqual([200, name])
  })
})

describe('a chart query', () => {
  const query = (series: object, more: object = {}, count = 1) => {
    const { sourceId } = running.target().selfHosted!.references
    const endTime = Date.now()
    const defaults = { startTime: endTime - 7 * 86_400_000, endTime, granularity: '30s' }
    return post('charts/series', {
      ...defaults,
      ...more,
      series: new Array(count).fill({ sourceId, aggFn: 'count', where: '', groupBy: [], ...series }),
    })
  }

  it('with a regular expression that backtracks without end in JavaScript is answered', async () => {
    const { status } = await query({ where: "match(Body, '^(\\\\w+\\\\s?)*$')", whereLanguage: 'sql' })
    expect(status).toBe(200)
  })

  const repeat = (count: number, text: string) => new Array(count).fill(text).join(',')

  it.each([
    [
      'ten groups of long texts',
      { groupBy: Array.from({ length: 10 }, (_, at) => `concat(${repeat(1200, 'TraceId')},'${at}')`) },
      {},
      'less memory',
    ],
    [
      'columns with names as long as their texts',
      { groupBy: [`concat(${repeat(1200, 'TraceId')},'x')`] },
      { seriesReturnType: 'column' },
      'less memory',
    ],
    [
      'a long text in each of many groups',
      { aggFn: 'any', field: `concat(${repeat(1200, 'TraceId')},'x')`, groupBy: ['TraceId'] },
      {},
      'less memory',
    ],
    [
      'groups whose texts are concatenated for each row',
      { groupBy: Array.from({ length: 10 }, (_, at) => `concat(${repeat(1900, 'Body')},'${at}')`) },
      {},
      'less',
    ],
    [
      'a different regular expression for each row',
      { where: `match('${'a'.repeat(6000)}',concat('${'(\\w|a|b)*'.repeat(250)}~',TraceId))` },
      {},
      'less time',
    ],
    [
      'a LIKE pattern that almost matches at every position',
      { where: `concat('${'a'.repeat(4900)}',TraceId) like '%${'a'.repeat(1250)}b${'a'.repeat(1250)}%'` },
      {},
      'less time',
    ],
  ])('with %s is refused before it exhausts time or memory', async (_, series, more, description) => {
    const { status, body } = await query({ whereLanguage: 'sql', ...series }, { granularity: '30d', ...more }, 5)
    expect([status, body]).toEqual([400, expect.stringContaining(description)])
  })

  it('with texts of many blanks or digits is answered', async () => {
    for (const where of [
      `trim(concat('a${' '.repeat(9900)}',TraceId))='x'`,
      `toFloat64OrZero(concat('${'1'.repeat(9900)}',TraceId))=1`,
    ]) {
      expect((await query({ where, whereLanguage: 'sql' })).status).toBe(200)
    }
  })

  it('with a filter beyond the limit of its length is refused', async () => {
    for (const whereLanguage of ['sql', 'lucene']) {
      const { status, body } = await query({ where: 'x'.repeat(maxCharacters + 1), whereLanguage })
      expect([status, body]).toEqual([400, expect.stringContaining('at most 10000 characters')])
    }
  })

  it('with more points than the limit is refused; the same range at a coarser granularity is answered', async () => {
    const { sourceId } = running.target().selfHosted!.references
    const start = Date.UTC(2016, 0, 1)
    // At 30 s, ten years are ten million buckets; only buckets with rows count.
    const rows = Array.from({ length: 100_001 }, (_, at) => ({ Timestamp: start + at * 3_000_000, Body: 'x' }))
    running.mock.loadRows(sourceId, rows)
    const tooMany = await query({}, { startTime: start, endTime: start + 315_000_000_000 })
    expect([tooMany.status, tooMany.body]).toEqual([400, expect.stringContaining('at most 100000 points')])
    expect((await query({}, { startTime: start, endTime: start + 315_000_000_000, granularity: '30d' })).status).toBe(
      200,
    )
    running.mock.reset()
  })
})

describe('rows', () => {
  it('with too many different attribute keys are refused', () => {
    const { sourceId } = running.target().selfHosted!.references
    // Each key becomes a column, which takes memory for every row.
    running.mock.loadRows(sourceId, new Array(2000).fill({ Timestamp: '2026-01-01T00:00:00Z' }))
    const keys = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, 'x']))
    const row = { Timestamp: '2026-01-01T00:00:00Z', LogAttributes: keys }
    expect(() => running.mock.loadRows(sourceId, [row])).toThrow(/fewer different keys in LogAttributes/)
  })
})

describe('a connection', () => {
  it('that breaks off after its CONNECT was refused does not end the mock', async () => {
    const socket = connect(portOf(running.target(), 'cloud'), '127.0.0.1')
    await new Promise(resolve => socket.once('connect', resolve))
    socket.on('error', () => {})
    socket.write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise(resolve => socket.once('data', resolve))
    socket.resetAndDestroy()
    expect((await sendPieces('cloud', 'GET /v1 HTTP/1.1\r\nHost: x\r\n\r\n')).length).toBe(1)
  })

  it('is answered when the client has half-closed it', async () => {
    const socket = connect({ port: portOf(running.target(), 'selfHosted'), host: '127.0.0.1', allowHalfOpen: true })
    socket.end('POST /api/v2/alerts HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}')
    const received: Buffer[] = []
    for await (const chunk of socket) received.push(chunk)
    expect(readAnswers(Buffer.concat(received)).map(({ status }) => status)).toEqual([401])
  })

  it('gets a whole answer, even if bytes that are not HTTP follow its request', async () => {
    // Makes the answer of /control/calls long.
    for (let i = 0; i < 30; i++) await sendPieces('cloud', `GET /v1/${'x'.repeat(9000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
    const calls = 'GET /control/calls HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
    const answers = await sendPieces('control', `${calls}no HTTP\r\n\r\n`, 'more', 'and more')
    expect(answers[0]!.status).toBe(200)
    expect(() => JSON.parse(answers[0]!.body)).not.toThrow()
  })

  it('beyond the limit of open connections is refused with a reason', async () => {
    const { port, server } = await startListener({ connections: 1 })
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
    const { port } = await startListener({ headersMs: 50, requestMs: 60 })
    const answers = readAnswers(await readUntilClosed(port, begun))
    expect(answers.map(({ status, headers }) => [status, headers.connection])).toEqual([[408, 'close']])
    expect(JSON.parse(answers[0]!.body)).toMatchObject({ status: 408, error: 'The request did not arrive in time.' })
  })

  it('gets every answer whole when pipelined requests expect 100-continue', async () => {
    const { port } = await startListener({}, async (request, response) => {
      const body = await readBody(request, defaultLimits.body)
      response.end(Buffer.from(`${request.method} ${body?.body}`))
    })
    const expecting = 'Host: x\r\nExpect: 100-continue\r\n'
    const requests = [
      'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
      `GET / HTTP/1.1\r\n${expecting}\r\n`,
      `POST / HTTP/1.1\r\n${expecting}Content-Length: 4\r\n\r\nbody`,
    ]
    const sent = { pieces: [Buffer.from(requests.join(''))], ending: 'end', mustBeAnswered: true } as const
    const answers = readAnswers(await exchange(port, sent))
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, 'GET '],
      [200, 'GET '],
      [200, 'POST body'],
    ])
  })

  it('that stays idle is closed without an answer, before its first request and after an answer', async () => {
    const { port } = await startListener({ idleMs: 50 })
    expect(String(await readUntilClosed(port, ''))).toBe('')
    const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
    expect(readAnswers(await readUntilClosed(port, request)).map(({ status }) => status)).toEqual([200])
  })
})

describe('the request bodies that are being read', () => {
  it('share a limit of memory: a body beyond the limit is refused, and memory is released after each request', async () => {
    const budget = { bytes: 10_000, held: 0 }
    const { port } = await startListener({}, async (request, response) => {
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
    sendPieces(
      'control',
      `PUT /control/${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )

  it.each(['{"advanceMs":1e300}', '{"now":"+275760-09-12T23:59:59.999Z"}', '{"advanceMs":-1e14}'])(
    'does not set the clock to a time out of range: %s',
    async body => {
      expect((await put('clock', body))[0]!.status).toBe(400)
      expect((await sendPieces('control', 'GET /control/clock HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'))[0]!.status).toBe(
        200,
      )
    },
  )

  it('refuses an id of a rule with a million characters, and one that is no text', async () => {
    const [answer] = await put('faults', JSON.stringify(['x'.repeat(1_000_000)]))
    expect(answer!.status).toBe(400)
    expect((await put('faults', '[1]'))[0]!.body).toContain('Expected the ids of rules')
  })

  it('refuses a body that is nested too deeply', async () => {
    expect((await put('chaos', '['.repeat(1_000_000)))[0]!.status).toBe(400)
  })

  it('reads an invalid URL as the root, which takes no PUT', async () => {
    expect((await sendPieces('control', 'PUT http://[::1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'))[0]!.status).toBe(405)
  })
})
