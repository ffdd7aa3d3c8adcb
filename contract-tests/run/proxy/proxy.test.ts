import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as listen, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import type { TargetFile } from '../../engine/target/target.ts'
import { shapeOf } from '../shape.ts'
import { createProxyJudge, type Judgement } from './judge-proxied.ts'
import type { ProxiedCall } from './proxied-call.ts'
import { type ProxyOptions, type RunningProxy, startProxy } from './start-proxy.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close()
})

/** Starts a deployment with this request handler. */
async function startDeployment(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface JudgedCall {
  readonly call: ProxiedCall
  readonly judgement: Judgement | undefined
}

async function openProxy(baseUrl: string, more: Partial<ProxyOptions> & { writes?: boolean } = {}) {
  const target: TargetFile = { cloud: { baseUrl, keyId: 'id', keySecret: 'secret' }, writes: more.writes ?? true }
  const judge = createProxyJudge({ baseUrls: { cloud: baseUrl } })
  const judged: JudgedCall[] = []
  const proxy: RunningProxy = await startProxy({
    target,
    judge: async (call, isKept) => judge.judge(call, isKept),
    record: judge.record,
    onJudged: (call, judgement) => judged.push({ call, judgement }),
    ...more,
  })
  cleanups.push(proxy.close)
  return { address: proxy.addresses.cloud!, proxy, judge, judged }
}

interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Sends the path and headers unchanged, which `fetch` does not. */
function send(url: string, { method = 'GET', headers = {}, body = '', path = '' } = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, ...(path && { path }) }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers as Record<string, string>,
          body: Buffer.concat(chunks),
        }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

const organization = '3637e1d4-280a-4013-a18b-82996c89aa61'
const members = `/v1/organizations/${organization}/members`
const ada = { userId: 'u1', name: 'Ada', email: 'ada@example.com', role: 'admin', joinedAt: '2025-01-01T00:00:00Z' }
const envelope = (role: string, requestId = '11111111-1111-4111-8111-111111111111') =>
  JSON.stringify({ status: 200, requestId, result: [{ ...ada, role }] })
const json = { 'content-type': 'application/json' }

describe('a call through the proxy', () => {
  it('reaches the target unchanged, and its answer reaches the client unchanged', async () => {
    const received: { method?: string; url?: string; headers: unknown; body: string }[] = []
    const target = await startDeployment(async (incoming, response) => {
      let body = ''
      for await (const chunk of incoming) body += chunk
      received.push({ method: incoming.method, url: incoming.url, headers: incoming.headers, body })
      response.writeHead(207, 'Odd', { 'X-Odd': ['a', 'b'], 'content-type': 'text/odd' }).end(gzipSync('odd'))
    })
    const { address, proxy, judged } = await openProxy(target)
    const headers = { Authorization: 'Basic b3duOmtleQ==', 'X-Own': 'yes', 'Content-Type': 'text/plain' }
    const answer = await send(`${address}/v1/a%2Fb?x=1&x=%20`, { method: 'POST', headers, body: 'äöü' })
    expect([answer.status, answer.headers['x-odd'], answer.body]).toEqual([207, 'a, b', gzipSync('odd')])
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/v1/a%2Fb?x=1&x=%20',
        headers: { authorization: 'Basic b3duOmtleQ==', 'x-own': 'yes', host: new URL(target).host },
        body: 'äöü',
      },
    ])
    await proxy.close()
    expect(judged).toHaveLength(1)
  })

  it('goes to a path below the base path of the target', async () => {
    const target = await startDeployment((incoming, response) => response.end(incoming.url))
    const { address } = await openProxy(`${target}/gateway/`)
    expect(String((await send(`${address}/v1/x`)).body)).toBe('/gateway/v1/x')
  })

  it('gets a redirect as the answer, which the proxy does not follow', async () => {
    const elsewhere = await startDeployment((_, response) => response.end('elsewhere'))
    const target = await startDeployment((_, response) =>
      response.writeHead(302, { location: `${elsewhere}/v1/x` }).end(),
    )
    const { address } = await openProxy(target)
    const { status, headers } = await send(`${address}/v1/x`)
    expect([status, headers.location]).toEqual([302, `${elsewhere}/v1/x`])
  })

  it('streams both bodies before either has ended', async () => {
    const target = await startDeployment((incoming, response) => {
      response.writeHead(200)
      incoming.once('data', chunk => response.write(chunk))
      incoming.on('end', () => response.end('end'))
    })
    const { address } = await openProxy(target)
    const outgoing = request(`${address}/v1/x`, { method: 'POST' })
    const answered = new Promise<IncomingMessage>(resolve => outgoing.on('response', resolve))
    outgoing.write('first')
    const response = await answered
    const chunks: string[] = []
    for await (const chunk of response) {
      chunks.push(String(chunk))
      if (chunks.length === 1) outgoing.end()
    }
    expect(chunks).toEqual(['first', 'end'])
  })

  it('reaches only the target, whatever host its path names', async () => {
    const other = await startDeployment((_, response) => response.end('other'))
    const target = await startDeployment((incoming, response) => response.end(`target ${incoming.url}`))
    const { address } = await openProxy(target)
    expect((await send(address, { path: `${other}/v1/x` })).status).toBe(400)
    const { host } = new URL(other)
    expect(String((await send(address, { path: `//${host}/x` })).body)).toBe(`target //${host}/x`)
    expect(String((await send(address, { path: `/@${host}/x` })).body)).toBe(`target /@${host}/x`)
  })

  it.each([
    ['with another Host header (DNS rebinding)', { host: 'evil.example' }],
    ['from a web page', { origin: 'http://127.0.0.1:3000' }],
    ['from a web page without an Origin header', { 'sec-fetch-site': 'cross-site' }],
  ])('%s is declined and never sent on', async (_, headers) => {
    let calls = 0
    const target = await startDeployment((_, response) => response.end(String(++calls)))
    const { address } = await openProxy(target)
    const { status, body } = await send(`${address}/v1/x`, { headers: headers as Record<string, string> })
    expect(status).toBe(403)
    expect(JSON.parse(String(body)).error).toMatch(/^stack-parity: the proxy declined the request: it /)
    expect(calls).toBe(0)
  })

  it('may write only if the target file allows writes', async () => {
    const target = await startDeployment((incoming, response) => response.end(incoming.method))
    const { address } = await openProxy(target, { writes: false })
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, body } = await send(`${address}/v1/x`, { method })
      expect([status, String(body)]).toEqual([403, expect.stringContaining(`not ${method}: put \\"writes\\": true`)])
    }
    expect((await send(`${address}/v1/x`)).status).toBe(200)
    expect((await send(`${address}/v1/x`, { method: 'HEAD' })).status).toBe(200)
  })

  it('takes only encodings that the judge reads from the Accept-Encoding of its client', async () => {
    const target = await startDeployment(({ headers }, response) => response.end(headers['accept-encoding']))
    const { address } = await openProxy(target)
    for (const [accepted, passed] of [
      ['gzip, deflate, br, zstd', 'gzip, deflate, br'],
      ['zstd;q=1, gzip;q=0.5', 'gzip;q=0.5'],
      ['zstd, *', 'identity'],
    ] as const)
      expect(String((await send(`${address}/v1/x`, { headers: { 'accept-encoding': accepted } })).body)).toBe(passed)
    expect(String((await send(`${address}/v1/x`)).body)).toBe('')
  })
})

const rawRequest = (head: string, body = '') =>
  `${head.replace(/$|(?=\r\n)/, ' HTTP/1.1\r\nHost: 127.0.0.1')}\r\n\r\n${body}`

/** A deployment that writes what `answer` says for each request; it reads no bodies. */
async function startRaw(
  answer: (request: { readonly line: string; readonly head: string; readonly socket: Socket }) => string,
): Promise<string> {
  const sockets = new Set<Socket>()
  const server = listen(socket => {
    sockets.add(socket.on('error', () => {}))
    let rest = ''
    socket.on('data', chunk => {
      rest += chunk
      for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
        const head = rest.slice(0, end)
        rest = rest.slice(end + 4)
        socket.write(answer({ line: head.split('\r\n')[0]!, head, socket }))
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const answerWith = (text: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`

describe('a request in the body of another', () => {
  const smuggled = 'POST /smuggled HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'
  const length = smuggled.length
  const chunked = `${length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`

  /** A deployment that reads no bodies: what follows the head of a request on a connection is its next request. */
  async function startCareless() {
    const heads: string[] = []
    const baseUrl = await startRaw(({ line }) => {
      heads.push(line)
      return answerWith(line)
    })
    return { baseUrl, heads }
  }

  it.each([
    [
      'a Content-Length that Connection names',
      `GET /v1/x\r\nConnection: content-length\r\nContent-Length: ${length}`,
      smuggled,
    ],
    ['a Content-Length', `GET /v1/x\r\nContent-Length: ${length}`, smuggled],
    ['a Content-Length, of HEAD', `HEAD /v1/x\r\nContent-Length: ${length}`, smuggled],
    ['chunks', 'GET /v1/x\r\nTransfer-Encoding: chunked', chunked],
    [
      'chunks that Connection names',
      'GET /v1/x\r\nConnection: transfer-encoding\r\nTransfer-Encoding: chunked',
      chunked,
    ],
    ['both', `GET /v1/x\r\nContent-Length: ${length}\r\nTransfer-Encoding: chunked`, chunked],
    ['two lengths', `GET /v1/x\r\nContent-Length: 0\r\nContent-Length: ${length}`, smuggled],
    ['a length with a sign', `GET /v1/x\r\nContent-Length: +${length}`, smuggled],
    ['chunks in other words', 'GET /v1/x\r\nTransfer-Encoding: xchunked', chunked],
    ['chunks after another coding', 'GET /v1/x\r\nTransfer-Encoding: gzip, chunked', chunked],
    ['chunks that are obfuscated', 'GET /v1/x\r\nTransfer-Encoding : chunked', chunked],
    [
      'chunks, and a promise to switch',
      'GET /v1/x\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings, Content-Length\r\nHTTP2-Settings: AAMAAABk\r\nTransfer-Encoding: chunked',
      chunked,
    ],
    [
      'what a client sends before 100 Continue',
      `GET /v1/x\r\nExpect: 100-continue\r\nContent-Length: ${length}`,
      smuggled,
    ],
  ])('is not passed on by a read-only proxy: %s', async (_, head, body) => {
    const { baseUrl, heads } = await startCareless()
    const { address } = await openProxy(baseUrl, { writes: false })
    const received = await sendRaw(address, rawRequest(head, body))
    expect(received.replace('HTTP/1.1 100 Continue\r\n\r\n', '')).toMatch(/^HTTP\/1\.1 400 /)
    expect(String((await send(`${address}/v1/mine`)).body)).toBe('GET /v1/mine HTTP/1.1')
    expect(heads).toEqual(['GET /v1/mine HTTP/1.1'])
  })

  it.each([
    [
      'a Content-Length that Connection names',
      `POST /v1/x\r\nConnection: close, content-length\r\nContent-Length: ${length}`,
      smuggled,
    ],
    [
      'chunks that Connection names',
      'POST /v1/x\r\nConnection: close, transfer-encoding\r\nTransfer-Encoding: chunked',
      chunked,
    ],
    ['a body of DELETE', `DELETE /v1/x\r\nConnection: close\r\nContent-Length: ${length}`, smuggled],
  ])('stays a body where writes are allowed: %s', async (_, head, body) => {
    const bodies: string[] = []
    const target = await startDeployment(async (incoming, response) => {
      let whole = ''
      for await (const chunk of incoming) whole += chunk
      bodies.push(`${incoming.method} ${incoming.url} ${whole}`)
      response.end('ok')
    })
    const { address } = await openProxy(target)
    await sendRaw(address, rawRequest(head, body))
    const [method] = head.split(' ')
    expect(bodies).toEqual([`${method} /v1/x ${smuggled}`])
  })

  it('gets its answer alone if a deployment takes it for a request: the next client gets its own', async () => {
    const { baseUrl } = await startCareless()
    const { address } = await openProxy(baseUrl)
    await sendRaw(address, rawRequest(`DELETE /v1/x\r\nConnection: close\r\nContent-Length: ${length}`, smuggled))
    for (const path of ['/v1/mine', '/v1/next'])
      expect(String((await send(`${address}${path}`)).body)).toBe(`GET ${path} HTTP/1.1`)
  })
})

describe('what one call leaves on a connection', () => {
  it.each([
    ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 70\r\n\r\n'],
    ['GET', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['GET', 'HTTP/1.1 304 Not Modified\r\n\r\n'],
    ['GET', answerWith('first')],
  ])('is not the answer to the next: what comes late after %s, %s', async (method, early) => {
    const late = new WeakSet<Socket>()
    const target = await startRaw(({ line, socket }) => {
      const own = answerWith(line)
      if (late.has(socket)) return answerWith('late') + own
      if (!line.includes('/early')) return own
      late.add(socket)
      return early
    })
    const { address } = await openProxy(target)
    await send(`${address}/early`, { method })
    expect(String((await send(`${address}/v1/mine`)).body)).toBe('GET /v1/mine HTTP/1.1')
  })

  it('does not cost HEAD its answer: a body in one piece with it', async () => {
    const target = await startRaw(() => 'HTTP/1.1 200 OK\r\nX-Own: yes\r\n\r\n{"a": 1}')
    const { address, proxy, judged } = await openProxy(target)
    const { status, headers } = await send(`${address}/v1/x`, { method: 'HEAD' })
    expect([status, headers['x-own']]).toEqual([200, 'yes'])
    await proxy.close()
    expect(judged.map(({ call }) => [call.response.status, call.instead])).toEqual([[200, undefined]])
  })

  it('does not delay the next request: the rest of a body that was answered early', async () => {
    const size = 4 * 1024 * 1024
    const target = await startRaw(({ line }) => answerWith(line))
    const { address } = await openProxy(target)
    const early = rawRequest(`POST /v1/x\r\nContent-Length: ${size}`, 'x'.repeat(size))
    const received = await sendRaw(address, early + rawRequest('GET /v1/mine\r\nConnection: close'))
    expect(received).toMatch(/POST \/v1\/x HTTP\/1\.1HTTP\/1\.1 200 OK.+GET \/v1\/mine HTTP\/1\.1$/s)
  })

  it('is not passed on after a declined request with a body', async () => {
    const lines: string[] = []
    const { address, proxy, judged } = await openProxy(
      await startRaw(({ line }) => answerWith(String(lines.push(line)))),
    )
    const declined = rawRequest('GET /v1/x\r\nContent-Length: 2', 'ok')
    expect(await sendRaw(address, declined + rawRequest('POST /v1/y'))).toMatch(/^HTTP\/1\.1 400 /)
    await proxy.close()
    expect([lines, judged.length]).toEqual([[], 1])
  })
})

describe('a header that deployments read in two ways', () => {
  const received = async (head: string, body = '') => {
    let text = ''
    const target = await startRaw(({ head }) => {
      text = head
      return answerWith('ok')
    })
    const { address } = await openProxy(target)
    await sendRaw(address, rawRequest(`${head}\r\nConnection: close`, body))
    return text
  }

  it.each(['Content_Length: 9', 'Transfer_Encoding: chunked'])('is not passed on: %s', async header => {
    expect(await received(`GET /v1/x\r\n${header}`)).not.toMatch(/_/)
  })

  it('is passed on in its plain form: a length with leading zeros', async () => {
    expect(await received('POST /v1/x\r\nContent-Length: 0012', 'twelve bytes')).toContain('\r\nContent-Length: 12\r\n')
  })

  it.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', 'X_HTTP_Method-Override'])(
    'makes no write of a read: %s',
    async name => {
      const lines: string[] = []
      const target = await startRaw(({ line }) => answerWith(String(lines.push(line))))
      const { address } = await openProxy(target, { writes: false })
      const { status, body } = await send(`${address}/v1/x`, { headers: { [name]: 'DELETE' } })
      expect([status, String(body)]).toEqual([403, expect.stringContaining(`${name.toLowerCase()} may make a write`)])
      expect(lines).toEqual([])
    },
  )
})

const sendRaw = (address: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(new URL(address).port), '127.0.0.1', () => socket.write(text))
    socket.on('data', chunk => {
      received += chunk
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })

describe('the proxy of a failing target', () => {
  it('answers 502 with the reason if the connection is refused', async () => {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await new Promise(resolve => server.close(resolve))
    const { address, judged, proxy } = await openProxy(target)
    const { status, body } = await send(`${address}/v1/x`)
    expect([status, String(body)]).toEqual([
      502,
      expect.stringContaining(`no whole answer from ${target}: ECONNREFUSED`),
    ])
    await proxy.close()
    expect(judged.map(({ call }) => call.response.status)).toEqual([0])
  })

  it.each<[string, (response: ServerResponse) => void]>([
    ['a connection reset', response => response.socket!.destroy()],
    [
      'an answer that is shorter than announced',
      response => {
        response.writeHead(200, { 'content-length': '10' }).write('short')
        setImmediate(() => response.socket!.destroy())
      },
    ],
    ['bytes that are not HTTP', response => response.socket!.end('HTTP/9 nonsense\r\n\r\n')],
  ])('goes on after %s', async (_, fail) => {
    const target = await startDeployment((incoming, response) =>
      incoming.url === '/fail' ? fail(response) : response.end('ok'),
    )
    const { address } = await openProxy(target)
    const first = await send(`${address}/fail`).then(
      ({ status }) => status,
      () => 'broken off',
    )
    expect([502, 'broken off']).toContain(first)
    expect(String((await send(`${address}/v1/x`)).body)).toBe('ok')
  })

  it('drops an unanswered request when the client disconnects, and when the proxy closes', async () => {
    let resolveClosed = () => {}
    const closed = new Promise<void>(resolve => (resolveClosed = resolve))
    const target = await startDeployment(incoming => incoming.socket.on('close', resolveClosed))
    const { address, proxy } = await openProxy(target)
    const outgoing = request(`${address}/v1/x`).on('error', () => {})
    outgoing.end()
    const arrived = new Promise(resolve => outgoing.on('socket', socket => socket.on('connect', resolve)))
    await arrived
    const pending = request(`${address}/v1/y`).on('error', () => {})
    pending.end()
    outgoing.destroy()
    await closed
    await proxy.close()
  })
})

describe('the proxy of a target that violates HTTP', () => {
  it.each([
    ['a status message with a control character', 'HTTP/1.1 200 O\u0001K\r\nContent-Length: 2\r\n\r\nok', 200],
    ['a switch that names no protocol', 'HTTP/1.1 101 Switching\r\n\r\n', 502],
    ['a status that is none', 'HTTP/1.1 000 None\r\nContent-Length: 0\r\n\r\n', 502],
    ['a switch to another protocol', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nraw', 502],
    ['a header inside a header', 'HTTP/1.1 200 OK\r\nX-A: a\rSet-Cookie: b=c\r\nContent-Length: 2\r\n\r\nok', 502],
    ['two different lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nokk', 502],
  ])('answers, and goes on, after %s', async (_, text, status) => {
    const { address } = await openProxy(await startRaw(() => text))
    for (const _ of [1, 2]) expect(await send(`${address}/v1/x`)).toMatchObject({ status })
  })
})

describe('a judgement', () => {
  it('names the rule that an answer breaks, with the expected and the received value', async () => {
    const target = await startDeployment((_, response) => response.writeHead(200, json).end(envelope('owner')))
    const { address, proxy, judged, judge } = await openProxy(target)
    await send(`${address}${members}`, { headers: { authorization: 'Basic b3duOmtleQ==' } })
    await proxy.close()
    expect(judged[0]!.judgement).toMatchObject({
      form: 'cloud',
      operation: 'member.list',
      broken: [{ id: 'member/role-is-admin-or-developer', detail: expect.stringContaining('got "owner"') }],
    })
    expect(judge.conclude()!.summary.broken).toBe(1)
  })

  it('reads a compressed answer, which the client gets unchanged', async () => {
    const zipped = gzipSync(envelope('owner'))
    const target = await startDeployment((_, response) =>
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(zipped),
    )
    const { address, proxy, judged } = await openProxy(target)
    expect((await send(`${address}${members}`)).body).toEqual(zipped)
    await proxy.close()
    expect(judged[0]!.judgement!.broken.map(({ id }) => id)).toEqual(['member/role-is-admin-or-developer'])
  })

  it('includes, at the end, the rules that only several calls show', async () => {
    const target = await startDeployment((_, response) => response.writeHead(200, json).end(envelope('admin')))
    const { address, proxy, judged, judge } = await openProxy(target)
    for (let turn = 0; turn < 2; turn++) await send(`${address}${members}`)
    await proxy.close()
    expect(judged.flatMap(({ judgement }) => judgement!.broken)).toEqual([])
    const broken = judge.conclude()!.rules.filter(({ outcome }) => outcome === 'broken')
    expect(broken.map(({ id }) => id)).toEqual(['envelope/request-id-is-never-repeated'])
  })

  it('keeps credentials out of the recording', async () => {
    const target = await startDeployment((_, response) =>
      response
        .writeHead(200, { ...json, 'set-cookie': 'session=hunter2hunter2' })
        .end(String.raw`{"keySecret": "a-new-secret-1", "p\u0061ssword": "p-1\"p-2", "note": "PASSWORD=p-3&p-4"}`),
    )
    const { address, proxy, judge } = await openProxy(target)
    await send(`${address}/v1/x?token=a-token-in-a-query`, {
      headers: { authorization: `Basic ${btoa('id:a-very-own-secret')}` },
      method: 'POST',
      body: `{"login":"${btoa('user:p-5x').replaceAll('=', '')}"}`,
    })
    await proxy.close()
    const text = JSON.stringify(judge.har())
    for (const secret of [
      'hunter2',
      'a-new-secret-1',
      'a-token-in-a-query',
      btoa('id:a-very-own-secret'),
      'a-very-own-secret',
      ...['p-1', 'p-2', 'p-3', 'p-4', btoa('user:p-5x').replaceAll('=', '')],
    ])
      expect(text).not.toContain(secret)
    expect(text).toContain('/v1/x')
  })
})

describe('a baseline of the proxy', () => {
  it('is compared with each call, and drift is reported with the call and in the final report', async () => {
    const team = (more: object) => {
      const result = Array.from({ length: 20 }, (_, at) => ({ ...ada, userId: `u${at}`, ...more }))
      return { status: 200, requestId: '11111111-1111-4111-8111-111111111111', result }
    }
    const operations = { 'member.list': shapeOf([team({ nickname: 'A' })], 'member') }
    const baseline = { name: 'then', observedAt: '2026-01-01', choices: {}, shapes: { cloud: { operations } } }
    const target = await startDeployment((_, response) => response.writeHead(200, json).end(JSON.stringify(team({}))))
    const judge = createProxyJudge({ baseUrls: { cloud: target }, baseline })
    const { address, proxy, judged } = await openProxy(target, { judge: async call => judge.judge(call) })
    await send(`${address}${members}`, { headers: { authorization: 'Basic b3duOmtleQ==' } })
    await proxy.close()
    const [drift] = judged[0]!.judgement!.drift
    expect(drift).toMatchObject({ kind: 'breaking', id: expect.stringContaining('nickname') })
    expect(judge.conclude()!.drift).toEqual([drift])
  })
})

describe('a proxy that holds answers', () => {
  const hold = ({ broken }: Judgement) => broken[0] && `${broken[0].id}: ${broken[0].detail}`
  it('answers 502 with the reason instead of a broken answer, and passes on a correct one', async () => {
    const roles = ['owner', 'admin']
    const target = await startDeployment((_, response) => response.writeHead(200, json).end(envelope(roles.shift()!)))
    const { address, proxy, judged } = await openProxy(target, { hold })
    const broken = await send(`${address}${members}`)
    expect([broken.status, String(broken.body)]).toEqual([
      502,
      expect.stringContaining('member/role-is-admin-or-developer: expected'),
    ])
    expect(await send(`${address}${members}`)).toMatchObject({ status: 200, body: Buffer.from(envelope('admin')) })
    await proxy.close()
    expect(judged).toHaveLength(2)
  })

  it.each([
    ['an encoding that is not read', 'zstd', Buffer.from(envelope('owner'))],
    ['an encoding that the body does not have', 'gzip', Buffer.from(envelope('admin'))],
    ['two encodings', 'gzip, br', gzipSync(envelope('owner'))],
  ])('answers 502 with the reason instead of an answer in %s', async (_, encoding, bytes) => {
    const target = await startDeployment((_, response) =>
      response.writeHead(200, { ...json, 'content-encoding': encoding }).end(bytes),
    )
    const { address, proxy, judged } = await openProxy(target, {
      hold: judgement => hold(judgement) || judgement.unread,
    })
    expect(await send(`${address}${members}`)).toMatchObject({ status: 502 })
    // It is none of the API, so that no rule is about it.
    expect(await send(`${address}/logo.png`)).toMatchObject({ status: 200, body: bytes })
    await proxy.close()
    expect(judged.map(({ judgement }) => judgement!.unread !== undefined)).toEqual([true, false])
  })

  it('reads an answer that is large only when it is decoded', async () => {
    const large = JSON.parse(envelope('owner'))
    large.result[0].name = 'x'.repeat(2 * 1024 * 1024)
    const target = await startDeployment((_, response) =>
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(large))),
    )
    const { address } = await openProxy(target, { hold })
    expect((await send(`${address}${members}`)).status).toBe(502)
  })

  it('passes on in full an answer that is too large to hold', async () => {
    const large = Buffer.alloc(3 * 1024 * 1024, 'x')
    const target = await startDeployment((_, response) => response.end(large))
    const { address } = await openProxy(target, { hold })
    expect((await send(`${address}/v1/x`)).body.equals(large)).toBe(true)
  })

  it('passes on the answer to a write, even a broken one', async () => {
    const target = await startDeployment((_, response) => response.writeHead(200, json).end(envelope('owner')))
    const { address } = await openProxy(target, { hold })
    expect((await send(`${address}${members}`, { method: 'POST' })).status).toBe(200)
  })
})
