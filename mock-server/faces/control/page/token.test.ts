import { request as sendHttp } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningMock, startMock } from '../../serve.ts'

let running: RunningMock
beforeAll(async () => {
  running = await startMock({ consoleToken: 'the-token' })
})
afterAll(() => running.close())

const fetchPath = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(`${running.target().control!.baseUrl}${path}`, { headers, redirect: 'manual', ...init })

/** Uses node:http, because fetch does not send a custom Host header. */
const get = (url: string, headers: Record<string, string>) =>
  new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const request = sendHttp(url, { headers }, async response => {
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
  ])('refuses %s without the token', async path => {
    const response = await fetchPath(path)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(await response.json()).toEqual({ error: expect.stringContaining('token') })
  })

  it('refuses writes without the token, and with the token in the query', async () => {
    expect((await fetchPath('/control/reset', {}, { method: 'POST' })).status).toBe(401)
    expect((await fetchPath('/control/clock?token=the-token', {}, { method: 'PUT', body: '{}' })).status).toBe(401)
  })

  it.each([
    ['the token', 'Bearer the-token', 200],
    ['another token', 'Bearer the-tokem', 401],
    ['a longer token', 'Bearer the-token-and-more', 401],
    ['an empty token', 'Bearer ', 401],
    ['another scheme', 'Basic dGhlLXRva2Vu', 401],
  ])('checks the Authorization header with %s', async (_, authorization, status) => {
    expect((await fetchPath('/control/target', { authorization })).status).toBe(status)
  })

  it('sets a cookie for a token in the address, and redirects to the address without the token', async () => {
    const response = await fetchPath('/control/calls?limit=3&token=the-token')
    expect([response.status, response.headers.get('location')]).toEqual([303, '/control/calls?limit=3'])
    const cookie = response.headers.get('set-cookie')!
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/)
    expect(cookie).not.toContain('the-token')
    expect((await fetchPath('/control/target', { cookie: cookie.split(';')[0]! })).status).toBe(200)
    expect((await fetchPath('/control/target', { cookie: 'stack-parity-console=the-token' })).status).toBe(401)
  })

  it('never redirects to another site', async () => {
    const response = await fetchPath('//evil.test/?token=the-token')
    expect(response.headers.get('location')).toBe('/evil.test/')
  })

  it('shows a page with a field for the token', async () => {
    const response = await fetchPath('/')
    expect([response.status, response.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8'])
    const page = await response.text()
    expect(page).toContain('type="password"')
    expect(page).not.toContain(running.target().selfHosted!.apiKey)
  })
})

describe('a mock beyond loopback', () => {
  it('generates a token if no token is given', async () => {
    const open = await startMock({ host: '0.0.0.0' })
    try {
      expect(open.consoleToken).toMatch(/^[\w-]{32}$/)
      expect((await fetch(`${open.target().control!.baseUrl}/control/target`)).status).toBe(401)
      const { port } = new URL(open.target().control!.baseUrl)
      const getAs = (host: string, headers = {}, path = 'target') =>
        get(`http://127.0.0.1:${port}/control/${path}`, { host, ...headers })
      const token = { authorization: `Bearer ${open.consoleToken}` }
      // A caller with the token may use any host name, and gets the addresses of the mock under that name.
      for (const [host, name] of [
        ['mock.ci:8080', 'mock.ci'],
        [`127.0.0.1:${port}`, '127.0.0.1'],
        ['[::1]:8080', '[::1]'],
      ]) {
        const { status, body } = await getAs(host!, token)
        expect(status).toBe(200)
        const { cloud, selfHosted, control } = JSON.parse(body)
        for (const { baseUrl } of [cloud, selfHosted, control]) expect(new URL(baseUrl).hostname).toBe(name)
        expect(new URL(control.baseUrl).port).toBe(port)
        const [server] = JSON.parse((await getAs(host!, token, 'openapi/cloud.json')).body).servers
        expect(server.url).toBe(cloud.baseUrl)
      }
      expect((await getAs('mock.ci:8080')).status).toBe(403)
      expect((await getAs('mock.ci:8080', { ...token, origin: 'http://evil.test' })).status).toBe(403)
    } finally {
      await open.close()
    }
  })
})
