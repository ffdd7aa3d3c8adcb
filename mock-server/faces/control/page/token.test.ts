import { request as send } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningMock, startMock } from '../../serve.ts'

let running: RunningMock
beforeAll(async () => {
  running = await startMock({ consoleToken: 'the-token' })
})
afterAll(() => running.close())

const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(`${running.target().control!.baseUrl}${path}`, { headers, redirect: 'manual', ...init })

/** Unlike fetch, it sends the Host that is passed. */
const get = (url: string, headers: Record<string, string>) =>
  new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const request = send(url, { headers }, async response => {
      let body = ''
      for await (const chunk of response) body += chunk
      resolve({ status: response.statusCode, body })
    })
    request.on('error', reject).end()
  })

describe('a control plane with a token', () => {
  it.each([
    '/control/target',
    '/control/calls',
    '/control/state',
    '/control/openapi/cloud.json',
    '/console/app.js',
    '/nothing',
  ])('answers nothing at %s to a caller without one', async path => {
    const response = await ask(path)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(await response.json()).toEqual({ error: expect.stringContaining('token') })
  })

  it('changes nothing for a caller without one', async () => {
    expect((await ask('/control/reset', {}, { method: 'POST' })).status).toBe(401)
    expect((await ask('/control/clock?token=the-token', {}, { method: 'PUT', body: '{}' })).status).toBe(401)
  })

  it.each([
    ['the token', 'Bearer the-token', 200],
    ['another one', 'Bearer the-tokem', 401],
    ['a longer one', 'Bearer the-token-and-more', 401],
    ['an empty one', 'Bearer ', 401],
    ['another scheme', 'Basic dGhlLXRva2Vu', 401],
  ])('answers %s as it deserves', async (_, authorization, status) => {
    expect((await ask('/control/target', { authorization })).status).toBe(status)
  })

  it('gives a browser a cookie for it, and takes it out of the address', async () => {
    const response = await ask('/control/calls?limit=3&token=the-token')
    expect([response.status, response.headers.get('location')]).toEqual([303, '/control/calls?limit=3'])
    const cookie = response.headers.get('set-cookie')!
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/)
    expect(cookie).not.toContain('the-token')
    expect((await ask('/control/target', { cookie: cookie.split(';')[0]! })).status).toBe(200)
    expect((await ask('/control/target', { cookie: 'stack-parity-console=the-token' })).status).toBe(401)
  })

  it('sends nobody to another site', async () => {
    const response = await ask('//evil.test/?token=the-token')
    expect(response.headers.get('location')).toBe('/evil.test/')
  })

  it('shows a page that asks for it', async () => {
    const response = await ask('/')
    expect([response.status, response.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8'])
    const page = await response.text()
    expect(page).toContain('type="password"')
    expect(page).not.toContain(running.target().selfHosted!.apiKey)
  })
})

describe('a mock beyond loopback', () => {
  it('makes up a token when it is given none', async () => {
    const open = await startMock({ host: '0.0.0.0' })
    try {
      expect(open.consoleToken).toMatch(/^[\w-]{32}$/)
      expect((await fetch(`${open.target().control!.baseUrl}/control/target`)).status).toBe(401)
      const { port } = new URL(open.target().control!.baseUrl)
      const askAs = (host: string, headers = {}, path = 'target') =>
        get(`http://127.0.0.1:${port}/control/${path}`, { host, ...headers })
      const token = { authorization: `Bearer ${open.consoleToken}` }
      // A caller with the token may use any name, and gets the addresses of the mock under it.
      for (const [host, name] of [
        ['mock.ci:8080', 'mock.ci'],
        [`127.0.0.1:${port}`, '127.0.0.1'],
        ['[::1]:8080', '[::1]'],
      ]) {
        const { status, body } = await askAs(host!, token)
        expect(status).toBe(200)
        const { cloud, selfHosted, control } = JSON.parse(body)
        for (const { baseUrl } of [cloud, selfHosted, control]) expect(new URL(baseUrl).hostname).toBe(name)
        expect(new URL(control.baseUrl).port).toBe(port)
        const [server] = JSON.parse((await askAs(host!, token, 'openapi/cloud.json')).body).servers
        expect(server.url).toBe(cloud.baseUrl)
      }
      expect((await askAs('mock.ci:8080')).status).toBe(403)
      expect((await askAs('mock.ci:8080', { ...token, origin: 'http://evil.test' })).status).toBe(403)
    } finally {
      await open.close()
    }
  })
})
