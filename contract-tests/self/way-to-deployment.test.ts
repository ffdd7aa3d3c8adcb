import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer as createHttpsServer, type ServerOptions } from 'node:https'
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createCertificate } from './command/certificate.ts'
import { createFolder, runCommand, startCommand } from './command/run-command.ts'

/** How a run reaches a deployment behind proxies, gateways and certificates of its own. */

async function listen(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

const host = 'deployment.example.test'

/** A deployment that refuses all credentials, at a name that only a proxy knows. */
async function startDeployment(options: ServerOptions = {}) {
  const { key, cert } = await createCertificate(host)
  const requests: IncomingMessage[] = []
  const server = createHttpsServer({ key, cert, ...options }, (request, response) => {
    requests.push(request)
    response.writeHead(401).end('{}')
  })
  const port = await listen(server)
  const folder = createFolder()
  const write = (more: object = {}) => {
    folder.write('ca.pem', cert)
    folder.write('client.key', key)
    const selfHosted = { baseUrl: `https://${host}:${port}`, apiKey: 'a-key-of-the-stack' }
    return folder.write('target.json', { selfHosted, tls: { ca: 'ca.pem' }, ...more })
  }
  return { port, requests, write, folder }
}

/** A proxy that opens tunnels (CONNECT) to a port on this machine, whatever host is asked for, or answers with a status. */
async function startForwardProxy(status?: number) {
  const asked: { readonly url: string | undefined; readonly credentials: string | undefined }[] = []
  const server = createHttpServer()
  server.on('connect', ({ url, headers }, socket) => {
    asked.push({ url, credentials: headers['proxy-authorization'] })
    if (status !== undefined) return void socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 2\r\n\r\n{}`)
    const onward = connect(Number(url!.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  return { address: `127.0.0.1:${await listen(server)}`, asked }
}

/** Sets the variables of proxies, and empties all others. */
function setProxies(given: Record<string, string>) {
  for (const name of ['http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'])
    for (const one of [name, name.toUpperCase()]) vi.stubEnv(one, given[one] ?? '')
  onTestFinished(() => void vi.unstubAllEnvs())
}

const verify = (file: string, ...more: string[]) => runCommand('verify', '--target', file, '--rate', '1000', ...more)

describe('a proxy of the environment', () => {
  it.each(['HTTPS_PROXY', 'https_proxy'])(
    'is used where %s names it, with its password, which is never printed',
    async name => {
      const [deployment, proxy] = [await startDeployment(), await startForwardProxy()]
      setProxies({ [name]: `http://me:a-password-of-mine@${proxy.address}` })
      const file = deployment.write()
      const ledger = deployment.folder.write(
        'ledger',
        `{"what":"run","bases":["https://${host}:${deployment.port}"]}\n{"what":"intended","form":"selfHosted","resource":"dashboard","name":"n"}\n`,
      )
      const out = deployment.folder.path('world.json')
      const requests: string[] = []
      const plain = await listen(
        createHttpServer((request, response) => {
          requests.push(request.url!)
          response.writeHead(401).end()
        }),
      )
      const results = [
        await verify(file),
        await runCommand('compare', '--rate', '1000', '--target', file, '--target', file),
        await runCommand('capture', '--rate', '1000', '--target', file, '--out', out),
        await runCommand('sweep', '--rate', '1000', '--target', file, '--ledger', ledger),
      ]
      for (const { stdout, stderr } of results) expect(stdout + stderr).not.toContain('a-password-of-mine')
      expect(results[0]!.stdout).toContain('the credentials were refused (401 to GET /api/v2/dashboards)')
      expect(results[1]!.stderr).toContain('the credentials were refused')
      expect(results[2]!.stderr).toContain('the credentials were refused')
      expect(proxy.asked.length).toBeGreaterThanOrEqual(4)
      const credentials = `Basic ${btoa('me:a-password-of-mine')}`
      expect(new Set(proxy.asked.map(one => JSON.stringify(one)))).toEqual(
        new Set([JSON.stringify({ url: `${host}:${deployment.port}`, credentials })]),
      )
      // http: goes through a tunnel as well.
      setProxies({ HTTP_PROXY: `http://${proxy.address}` })
      const given = ['--self-hosted', `http://${host}:${plain}`, '--api-key', 'a-key', '--insecure']
      expect((await runCommand('init', ...given)).stderr).toContain('the credentials were refused (401')
      expect(requests).toEqual(['/api/v2/dashboards'])
      for (const { headers } of deployment.requests) expect(headers).not.toHaveProperty('proxy-authorization')
    },
  )

  it.each([
    [
      'NO_PROXY names the host',
      { NO_PROXY: `.example.test` },
      'without the proxy of HTTPS_PROXY, since NO_PROXY names the host',
    ],
    ['no_proxy is a star', { no_proxy: '*' }, 'without the proxy of HTTPS_PROXY, since NO_PROXY names the host'],
    ['only HTTP_PROXY is set', { HTTPS_PROXY: '' }, 'without a proxy: HTTPS_PROXY is not set'],
  ])('is not used where %s, and the message about the unknown host says so', async (_, more, sentence) => {
    const proxy = await startForwardProxy()
    setProxies({ HTTP_PROXY: `http://${proxy.address}`, HTTPS_PROXY: `http://${proxy.address}`, ...more })
    const file = createFolder().write('t.json', { selfHosted: { baseUrl: `https://${host}`, apiKey: 'a' } })
    const { status, stdout } = await verify(file)
    expect(status).toBe(2)
    expect(stdout).toMatch(
      new RegExp(`cannot be reached \\(getaddrinfo \\w+ ${host}, ${sentence}\\): check selfHosted.baseUrl`),
    )
    expect(proxy.asked).toEqual([])
  })

  it('is not used for loopback', async () => {
    const proxy = await startForwardProxy()
    setProxies({ HTTP_PROXY: `http://${proxy.address}`, HTTPS_PROXY: `http://${proxy.address}` })
    const port = await listen(createHttpServer((_, response) => response.writeHead(401).end()))
    const file = createFolder().write('t.json', { selfHosted: { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'a' } })
    expect((await verify(file)).stdout).toContain('the credentials were refused (401')
    expect(proxy.asked).toEqual([])
  })

  it.each([
    [407, 'which answered 407: it asks for a user and a password'],
    [403, 'which answered 403'],
    [502, 'which answered 502'],
  ])('that answers %i itself is named, and its answer is not judged', async (status, sentence) => {
    const [deployment, proxy] = [await startDeployment(), await startForwardProxy(status)]
    setProxies({ HTTPS_PROXY: `http://${proxy.address}` })
    const { stdout, ...result } = await verify(deployment.write())
    expect(result.status).toBe(2)
    expect(stdout).toContain(
      `was not reached (no connection through the proxy http://${proxy.address} of HTTPS_PROXY, ${sentence}): check that proxy, or list the host in NO_PROXY`,
    )
    expect(stdout).toContain(' 0 held, 0 broken')
  })

  it('that does not answer, or is none, is named', async () => {
    const file = createFolder().write('t.json', { selfHosted: { baseUrl: `https://${host}`, apiKey: 'a' } })
    setProxies({ HTTPS_PROXY: 'me:secret-word@127.0.0.1:1' })
    const refused = await verify(file)
    expect(refused.stdout).toContain(
      '(ECONNREFUSED: Connection refused, through the proxy http://127.0.0.1:1 of HTTPS_PROXY)',
    )
    expect(refused.stdout + refused.stderr).not.toContain('secret-word')
    const other = await listen(createTcpServer(socket => socket.end('SSH-2.0-x\r\n\r\n')))
    setProxies({ HTTPS_PROXY: `127.0.0.1:${other}` })
    expect((await verify(file)).stdout).toContain('of HTTPS_PROXY, which answered no HTTP)')
    setProxies({ HTTPS_PROXY: 'socks5://127.0.0.1:1' })
    expect((await verify(file)).stdout).toContain(
      'HTTPS_PROXY is not the address of an HTTP proxy: http://HOST:PORT is expected',
    )
  })
})

describe('certificates of the target file', () => {
  it('are read from files beside it, and a client certificate is sent', async () => {
    const { key, cert } = await createCertificate(host)
    const proxy = await startForwardProxy()
    setProxies({ HTTPS_PROXY: `http://${proxy.address}` })
    const deployment = await startDeployment({ key, cert, ca: cert, requestCert: true, rejectUnauthorized: true })
    const file = deployment.write({ tls: { ca: 'own.pem', cert: 'own.pem', key: 'own.key' } })
    deployment.folder.write('own.pem', cert)
    deployment.folder.write('own.key', key)
    expect((await verify(file)).stdout).toContain('the credentials were refused (401')
    const without = deployment.write({ tls: { ca: 'own.pem' } })
    expect((await verify(without)).stdout).toMatch(
      /asks for a client certificate \(.*certificate required.*\): name its files in `tls.cert`/,
    )
  })

  it.each([
    [{ ca: 'gone.pem' }, '`tls.ca` '],
    [{ cert: 'client.pem' }, '`tls.cert` and `tls.key` belong together'],
    [{ path: 'x' }, '`tls.path` is not known; known are ca, cert, key.'],
  ])('are refused if they are %j', async (tls, sentence) => {
    const file = createFolder().write('t.json', { selfHosted: { baseUrl: `https://${host}`, apiKey: 'a' }, tls })
    const { status, stderr } = await verify(file)
    expect([status, stderr]).toEqual([2, expect.stringContaining(sentence)])
  })
})

describe('headers of the target file', () => {
  const secret = 'a-secret-of-the-gateway'
  const headers = { 'CF-Access-Client-Secret': secret }

  it('are sent with every request to that deployment alone, and are in no report', async () => {
    const received: (string | string[] | undefined)[] = []
    const answer = (request: IncomingMessage) => request.headers['cf-access-client-secret']
    const port = await listen(
      createHttpServer((request, response) => {
        received.push(answer(request))
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ data: [{ id: '1', name: answer(request) }] }))
      }),
    )
    const controlled: unknown[] = []
    const control = await listen(
      createHttpServer((request, response) => response.end(String(controlled.push(answer(request))))),
    )
    const folder = createFolder()
    const target = {
      selfHosted: { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k' },
      headers,
      control: { baseUrl: `http://127.0.0.1:${control}` },
    }
    const reports = ['json', 'html', 'junit', 'markdown'].map(kind => folder.path(`report.${kind}`))
    const args = reports.flatMap(path => ['--report', `${path.split('.').at(-1)}=${path}`])
    const { stdout, stderr } = await verify(folder.write('t.json', target), '--section', '2.4', ...args)
    expect(new Set(received)).toEqual(new Set([secret]))
    expect(received.length).toBeGreaterThan(3)
    expect(new Set(controlled)).toEqual(new Set([undefined]))
    for (const text of [stdout, stderr, ...reports.map(path => readFileSync(path, 'utf8'))])
      expect(text).not.toContain(secret)
  })

  it.each([
    'Authorization',
    'host',
    'content-length',
    'Transfer-Encoding',
    'connection',
    'proxy-authorization',
    'upgrade',
    'a b',
  ])('may not be %s', async name => {
    const file = createFolder().write('t.json', {
      selfHosted: { baseUrl: `https://${host}`, apiKey: 'a' },
      headers: { [name]: secret },
    })
    const { status, stderr } = await verify(file)
    expect([status, stderr]).toEqual([2, expect.stringContaining(`\`headers.${name}\` `)])
    expect(stderr).not.toContain(secret)
  })
})

it('names the location of a redirect, without its query', async () => {
  const location = 'https://me:word@login.example.test/sign-in?token=a-token-of-mine#fragment'
  const port = await listen(createHttpServer((_, response) => response.writeHead(302, { location }).end()))
  const folder = createFolder()
  const file = folder.write('t.json', { selfHosted: { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'a' } })
  const { stdout, stderr } = await verify(file, '--report', `json=${folder.path('r.json')}`)
  expect(stdout).toContain(
    'redirects to https://login.example.test/sign-in?[redacted] (302 to GET /api/v2/dashboards), and redirects are not followed: check selfHosted.baseUrl',
  )
  expect(stdout + stderr + readFileSync(folder.path('r.json'), 'utf8')).not.toMatch(/a-token-of-mine|me:word/)
})

describe('the proxy command', () => {
  it('uses the certificates and headers of the target file, whose values are in no output and no recording', async () => {
    const { key, cert } = await createCertificate('localhost')
    const received: IncomingMessage[] = []
    const options = { key, cert, ca: cert, requestCert: true, rejectUnauthorized: true }
    const port = await listen(
      createHttpsServer(options, (request, response) => {
        received.push(request)
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}')
      }),
    )
    const folder = createFolder()
    folder.write('own.pem', cert)
    folder.write('own.key', key)
    const file = folder.write('t.json', {
      selfHosted: { baseUrl: `https://localhost:${port}`, apiKey: '$NOBODY_SET_THIS' },
      tls: { ca: 'own.pem', cert: 'own.pem', key: 'own.key' },
      headers: { 'CF-Access-Client-Secret': '$GATEWAY' },
    })
    const recording = folder.path('traffic.har')
    const secret = 'a-secret-of-the-gateway'
    const args = ['proxy', '--target', file, '--self-hosted-port', '0', '--no-console', '--record', recording]
    const { child, finished } = startCommand(args, { GATEWAY: secret })
    const address = await new Promise<string>((resolve, reject) => {
      let log = ''
      child.stderr!.on('data', chunk => {
        log += chunk
        if (log.includes('Ctrl-C')) resolve(/Self-hosted +(http:\S+)/.exec(log)![1]!)
      })
      child.on('close', () => reject(new Error(log)))
    })
    const headers = { authorization: 'Bearer of-the-client', 'cf-access-client-secret': 'a-guess' }
    const { status } = await fetch(`${address}/api/v2/alerts`, { headers })
    child.kill('SIGINT')
    const { stdout, stderr } = await finished
    expect([status, received.map(one => one.headers['cf-access-client-secret'])]).toEqual([200, [secret]])
    expect(received[0]!.headers.authorization).toBe('Bearer of-the-client')
    for (const text of [stdout, stderr, readFileSync(recording, 'utf8')]) expect(text).not.toContain(secret)
  })

  it('asks for a header whose variable is not set', async () => {
    const selfHosted = { baseUrl: 'https://127.0.0.1:1', apiKey: '$NOBODY_SET_THIS' }
    const file = createFolder().write('t.json', { selfHosted, headers: { 'X-Gateway': '$NOBODY_SET_THIS' } })
    const { status, stderr } = await runCommand('proxy', '--target', file)
    expect([status, stderr]).toEqual([2, expect.stringContaining('the variable of `headers.X-Gateway` is not set')])
  })
})
