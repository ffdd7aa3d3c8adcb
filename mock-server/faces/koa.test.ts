import { connect } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMock } from '../mock/mock.ts'
import { createKoaApp } from './koa.ts'
import { type RunningMock, serve } from './serve.ts'

let running: RunningMock
beforeAll(async () => {
  running = await serve(createMock({ seed: 5 }), {})
})
afterAll(() => running.close())

describe('the Koa face', () => {
  it('answers a request line with an absolute URL, as clients send it to proxies', async () => {
    const path = `${members()}?x=1`
    const answers = await exchange('cloud', `GET http://elsewhere.test${path} HTTP/1.1\r\nHost: x\r\n${basic()}\r\n`)
    expect(answers).toHaveLength(1)
    expect(answers[0]).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  it('does not resolve dots in a path', async () => {
    const path = members().replace('/members', '/services/../members')
    const [answer] = await exchange('cloud', `GET ${path} HTTP/1.1\r\nHost: x\r\n${basic()}\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 404 /)
  })

  it.each(['identity', 'gzip', 'br'])(
    'answers pipelined requests in order, with a body in the encoding %s',
    async coding => {
      const text = Buffer.from(`{"name":"Piped ${coding}","tiles":[]}`)
      const bytes = coding === 'gzip' ? gzipSync(text) : coding === 'br' ? brotliCompressSync(text) : text
      const post = `POST /api/v2/dashboards HTTP/1.1\r\nHost: x\r\n${bearer()}${jsonHeader}Content-Encoding: ${coding}\r\nContent-Length: ${bytes.length}\r\n\r\n`
      const get = `GET /api/v2/dashboards HTTP/1.1\r\nHost: x\r\n${bearer()}\r\n`
      const sent = Buffer.concat([Buffer.from(get + post), bytes, Buffer.from(get)])
      const answers = await exchange('selfHosted', sent, 3)
      expect(answers.map(statusOf)).toEqual([200, 200, 200])
      expect(answers.map(answer => answer.includes(`"Piped ${coding}"`))).toEqual([false, true, true])
    },
  )

  it('answers Expect: 100-continue with 100', async () => {
    const head = `POST /api/v2/dashboards HTTP/1.1\r\nHost: x\r\n${bearer()}${jsonHeader}Content-Length: 11\r\nExpect: 100-continue\r\n\r\n`
    const answers = await exchange('selfHosted', `${head}{"name":""}`, 2)
    expect(answers.map(statusOf)).toEqual([100, 400])
  })

  it('ignores other values of Expect', async () => {
    const [answer] = await exchange(
      'selfHosted',
      `GET /api/v2/alerts HTTP/1.1\r\nHost: x\r\n${bearer()}Expect: miracles\r\n\r\n`,
    )
    expect(statusOf(answer!)).toBe(200)
  })

  it('reads a body in chunks, and a body compressed by Brotli', async () => {
    const body = '{"name":"x","tiles":[]}'
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    const post = `POST /api/v2/dashboards HTTP/1.1\r\nHost: x\r\n${bearer()}${jsonHeader}`
    const [plain] = await exchange('selfHosted', `${post}Transfer-Encoding: chunked\r\n\r\n${chunked}`)
    expect(statusOf(plain!)).toBe(200)

    const { baseUrl, apiKey } = running.target().selfHosted!
    const response = await fetch(`${baseUrl}/api/v2/dashboards`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'content-encoding': 'br' },
      body: new Uint8Array(brotliCompressSync(body)),
    })
    expect([response.status, await response.json()]).toMatchObject([200, { data: { name: 'x' } }])
  })

  it('keeps the connection open, and sends no Keep-Alive header', async () => {
    const [answer] = await exchange('selfHosted', `GET /api/v2/alerts HTTP/1.1\r\nHost: x\r\n${bearer()}\r\n`)
    expect(answer).not.toMatch(/^keep-alive:/im)
    expect(answer).toMatch(/^connection: keep-alive$/im)
  })

  it.each([
    ['bytes that are not HTTP', 'cloud', 'BLAH\r\n\r\n', 400],
    ['bytes that are not HTTP', 'selfHosted', 'BLAH\r\n\r\n', 400],
    ['a request without a Host header', 'selfHosted', 'GET /api/v2/alerts HTTP/1.1\r\n\r\n', 400],
    ['headers that are too long', 'cloud', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`, 431],
    ['CONNECT', 'cloud', 'CONNECT example.test:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
  ] as const)(
    'answers %s on the listener %s in its error shape, and closes the connection',
    async (_, host, sent, status) => {
      const [answer] = await exchange(host, sent)
      expect(statusOf(answer!)).toBe(status)
      expect(answer).toMatch(/^connection: close$/im)
      const body = JSON.parse(answer!.slice(answer!.indexOf('\r\n\r\n')))
      if (host === 'cloud')
        expect(body).toMatchObject({ status, error: expect.any(String), requestId: expect.any(String) })
      else expect(Object.keys(body)).toEqual(['message'])
    },
  )

  it('continues after a client has disconnected in the middle of a body', async () => {
    const { port } = new URL(running.target().selfHosted!.baseUrl)
    const head = `POST /api/v2/dashboards HTTP/1.1\r\nHost: x\r\n${bearer()}${jsonHeader}Content-Length: 1000\r\n\r\n{"na`
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(head, () => socket.destroy()))
    await new Promise(resolve => socket.on('close', resolve))
    const [answer] = await exchange('selfHosted', `GET /api/v2/alerts HTTP/1.1\r\nHost: x\r\n${bearer()}\r\n`)
    expect(statusOf(answer!)).toBe(200)
  })

  it('answers a failure of the mock with a 500 without details, and reports the error', async () => {
    const broken = { ...running.mock, answer: () => assertNever() }
    const app = createKoaApp(broken, 'selfHosted')
    const reported: unknown[] = []
    app.on('error', error => reported.push(error))
    const server = app.listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const response = await fetch(`http://127.0.0.1:${port}/api/v2/alerts`)
    server.close()
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({ message: expect.stringContaining('failed') })
    expect(reported).toHaveLength(1)
  })
})

describe('the Koa middleware in another application', () => {
  const mock = createMock({ seed: 5 })
  const { apiKey } = mock.target({ selfHosted: 'http://stack.test' }).selfHosted!
  const authorization = `Bearer ${apiKey}`

  /** Sends a request to an application whose last middleware is that of the mock. */
  async function sendThrough(before: Koa.Middleware, path: string, init: RequestInit = {}) {
    const app = new Koa()
    app.use(before)
    for (const middleware of createKoaApp(mock, 'selfHosted').middleware) app.use(middleware as Koa.Middleware)
    const server = app.listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    try {
      const { port } = server.address() as { port: number }
      const headers = { authorization, 'content-type': 'application/json' }
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, ...init })
      return { status: response.status, headers: response.headers, body: await response.text() }
    } finally {
      server.close()
    }
  }

  it('lets earlier middleware read and change status, headers and body', async () => {
    const seen: unknown[] = []
    const answer = await sendThrough(async (ctx, next) => {
      await next()
      seen.push(ctx.status, ctx.type, JSON.parse(ctx.body as string).data.length)
      ctx.status = 203
      ctx.set('x-seen', 'yes')
      ctx.body = { instead: true }
    }, '/api/v2/alerts')
    expect(seen).toEqual([200, 'application/json', expect.any(Number)])
    expect([answer.status, answer.body]).toEqual([203, '{"instead":true}'])
    expect(answer.headers.get('x-seen')).toBe('yes')
  })

  it.each([
    ['GET', '/api/v2/alerts', {}],
    ['HEAD', '/api/v2/alerts', {}],
    ['OPTIONS', '/api/v2/alerts', {}],
    ['GET', '/nothing', {}],
    ['DELETE', '/api/v2/alerts/000000000000000000000000', {}],
    ['POST', '/api/v2/dashboards', { body: '{"name":""}' }],
  ])('answers %s %s as the listener of the mock does', async (method, path, init) => {
    const listening = await serve(mock, { consolePort: false })
    const { baseUrl } = listening.target().selfHosted
    const headers = { authorization, 'content-type': 'application/json' }
    const direct = await fetch(baseUrl + path, { method, headers, ...init })
    const mounted = await sendThrough((_, next) => next(), path, { method, ...init })
    const headersOf = (all: Headers) =>
      Object.fromEntries([...all].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name)))
    expect([mounted.status, mounted.body, headersOf(mounted.headers)]).toEqual([
      direct.status,
      await direct.text(),
      headersOf(direct.headers),
    ])
    await listening.close()
  })

  it('uses the body that an earlier parser has read', async () => {
    const answer = await sendThrough(
      async (ctx, next) => {
        let rawBody = ''
        for await (const chunk of ctx.req) rawBody += chunk
        Object.assign(ctx.request, { rawBody })
        await next()
      },
      '/api/v2/dashboards',
      { method: 'POST', body: '{"name":"Parsed before","tiles":[]}' },
    )
    expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('Parsed before')])
  })
})

function assertNever(): never {
  throw new Error('secret of the inside')
}

const jsonHeader = 'Content-Type: application/json\r\n'
const members = () => `/v1/organizations/${running.target().cloud!.organizationId}/members`
const bearer = () => `Authorization: Bearer ${running.target().selfHosted!.apiKey}\r\n`
const basic = () => {
  const { keyId, keySecret } = running.target().cloud!
  return `Authorization: Basic ${btoa(`${keyId}:${keySecret}`)}\r\n`
}

const statusOf = (answer: string) => Number(answer.slice(9, 12))

/** Sends bytes, and resolves with the answers once there are `count` whole ones, or the connection has ended. */
function exchange(host: 'cloud' | 'selfHosted', text: string | Uint8Array, count = 1): Promise<string[]> {
  const { port } = new URL(running.target()[host]!.baseUrl)
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
    const settle = () => {
      socket.destroy()
      resolve(splitAnswers(received))
    }
    socket.on('data', chunk => {
      received += chunk.toString()
      if (splitAnswers(received).length >= count && splitAnswers(received).every(isComplete)) settle()
    })
    socket.on('end', settle).on('error', reject)
  })
}

const splitAnswers = (text: string) => text.split(/(?=HTTP\/1\.1 \d{3} )/)

function isComplete(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n')
  const length = Number(/^content-length: (\d+)/im.exec(answer)?.[1] ?? 0)
  return end >= 0 && Buffer.byteLength(answer.slice(end + 4)) >= length
}
