import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startMock } from './serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'tls-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

function send(url: string, ca: string, headers: Record<string, string>, method = 'GET'): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ca, headers, method, agent: false }, answer => {
      let text = ''
      answer.on('data', part => {
        text += part
      })
      answer.once('end', () => resolve(text))
    })
    sent.once('error', reject)
    sent.end()
  })
}

describe('--tls', () => {
  it('serves the cloud API over TLS too, with addresses of uploads that the command line of the vendor accepts', async () => {
    const file = join(folder, 'ca.pem')
    const { target, tlsUrl, close } = await startMock({ tls: true, tlsCa: file, logs: 1 })
    const { cloud } = target()
    const path = `/v1/organizations/${cloud.organizationId}`
    const headers = { authorization: `Basic ${btoa(`${cloud.keyId}:${cloud.keySecret}`)}` }
    const ca = readFileSync(file, 'utf8')
    const members = JSON.parse(await send(`${tlsUrl}${path}/members`, ca, headers))
    expect(members.status).toBe(200)
    const { result } = JSON.parse(await send(`${tlsUrl}${path}/udfUploads/url`, ca, headers, 'POST'))
    expect(result.uploadUrl.startsWith(`${tlsUrl}/udf-uploads/`)).toBe(true)
    // Behind a proxy that ends TLS.
    const forwarded = { ...headers, 'x-forwarded-proto': 'https', host: 'mock.test' }
    const answer = await fetch(`${cloud.baseUrl}${path}/udfUploads/url`, { method: 'POST', headers: forwarded })
    expect((await answer.json()).result.uploadUrl).toMatch(/^https:\/\//)
    await close()
    await expect(send(`${tlsUrl}${path}/members`, ca, headers)).rejects.toThrow(/ECONNREFUSED/)
  })

  it('refuses a file that cannot be written, with its option', async () => {
    const tlsCa = join(folder, 'none', 'ca.pem')
    await expect(startMock({ tls: true, tlsCa, logs: 1 })).rejects.toThrow(/--tls-ca .* Name another file/)
  })
})
