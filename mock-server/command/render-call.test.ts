import { beforeAll, describe, expect, it } from 'vitest'
import { createMock } from '../faces/create-mock.ts'
import { renderCall } from './render-call.ts'

const at = new Date(2026, 0, 1, 9, 8, 7)
const mock = createMock({ logs: 0 })
const { cloud, selfHosted } = mock.target()
const bearer = { authorization: `Bearer ${selfHosted.apiKey}`, 'content-type': 'application/json' }
let lines: string[]

/** The line of the log for one request, with a fixed duration. */
async function logOf(path: string, init: RequestInit = { headers: bearer }): Promise<string> {
  lines = []
  await mock.fetch(path, init).catch(() => {})
  expect(lines).toHaveLength(1)
  return lines[0]!.replace(/ +[\d.]+ ms/, ' 1 ms')
}

beforeAll(() => {
  mock.onCall((entry, worldId) => lines.push(renderCall(entry, { hasColours: false, at, worldId })))
})

describe('a line of the log', () => {
  const alerts = `${selfHosted.baseUrl}/api/v2/alerts`
  const organization = `${cloud.baseUrl}/v1/organizations/${cloud.organizationId}`

  it('has time, method, status, duration and path, in which long ids are shortened', async () => {
    const authorization = `Basic ${btoa(`${cloud.keyId}:${cloud.keySecret}`)}`
    const path = `${organization}/services/${cloud.serviceId}/backups`
    const short = (id: string) => `${id.slice(0, 8)}…`
    expect(await logOf(path, { headers: { authorization } })).toBe(
      `09:08:07 GET    200 1 ms /v1/organizations/${short(cloud.organizationId)}/services/${short(cloud.serviceId)}/backups`,
    )
  })

  it('names the rule or gap of a refusal, and the reason', async () => {
    expect(await logOf(`${organization}/members`, {})).toMatch(
      / 401 1 ms .*members · auth\/missing-credentials: No Authorization/,
    )
    expect(await logOf(alerts, { method: 'POST', headers: bearer, body: '{}' })).toMatch(
      /POST {3}400 .*· error\/self-hosted-body: request body\.channel: Required;.*…$/,
    )
  })

  it('names the stub, the fault or the chaos behind an answer', async () => {
    mock.stub({ when: {}, answer: { status: 201 }, times: 1 })
    expect(await logOf(alerts)).toMatch(/ 201 .*alerts · by stub-1$/)
    mock.setFaults(['alert/list-answers'])
    expect(await logOf(alerts)).toMatch(/ 500 .*alerts · by fault alert\/list-answers$/)
    mock.setFaults([])
    mock.setChaos({ dropRate: 1 })
    expect(await logOf(alerts)).toMatch(/ --- .*alerts · by chaos$/)
    mock.setChaos({})
  })

  it('names the world and the client', async () => {
    const { apiKey } = mock.worlds.open({ name: 'job-4711' }).world.target(mock.bases).selfHosted!
    expect(await logOf(alerts, { headers: { authorization: `Bearer ${apiKey}` } })).toMatch(/alerts \[job-4711\]$/)
    expect(await logOf(alerts, { headers: { ...bearer, 'user-agent': 'stack-parity verify' } })).toMatch(
      /alerts \[suite\]$/,
    )
  })

  it('has no secrets and no control characters', async () => {
    expect(await logOf(`${alerts}?apiToken=abc&limit=1`)).toContain('alerts?apiToken=[redacted]&limit=1')
    const path = '/\u009b31m\u001b[2J'
    lines = []
    await mock.answer({ method: 'GET', path, query: '', headers: {}, body: '' }, 'selfHosted')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the line must not have them.
    expect(lines[0]).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
  })

  it('has the colour of its status', async () => {
    const [entry] = mock.calls(1, { status: 401 })
    expect(renderCall(entry!, { hasColours: true, at })).toContain('\u001b[33m401\u001b[0m')
  })
})
