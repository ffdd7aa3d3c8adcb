import { afterAll, beforeAll, expect, it } from 'vitest'
import { judgeHar } from '../run/har/judge-har.ts'
import { startMock } from './start-mock.ts'

let mock: Awaited<ReturnType<typeof startMock>>
let har: string
beforeAll(async () => {
  mock = await startMock()
  const { cloud, selfHosted, control } = mock.target
  const authorization = `Basic ${btoa(`${cloud.keyId}:${cloud.keySecret}`)}`
  const organization = `${cloud.baseUrl}/v1/organizations/${cloud.organizationId}`
  const json = { 'content-type': 'application/json' }
  await fetch(`${organization}/members`, { headers: { authorization } })
  await fetch(`${organization}/members`)
  await fetch(`${cloud.baseUrl}/v1/organizations/nobody/members`, { headers: { authorization } })
  const body = JSON.stringify({ name: 'Mine', state: 'enabled', roles: ['developer'] })
  await fetch(`${organization}/keys`, { method: 'POST', headers: { authorization, ...json }, body })
  const bearer = { authorization: `Bearer ${selfHosted.apiKey}` }
  await fetch(`${selfHosted.baseUrl}/api/v2/dashboards`, { headers: bearer })
  await fetch(`${selfHosted.baseUrl}/api/v2`, { headers: bearer })
  const response = await fetch(`${control!.baseUrl}/control/calls.har`)
  expect(response.headers.get('content-disposition')).toContain('calls.har')
  har = await response.text()
})
afterAll(() => mock.close())

it('the journal as HAR is judged by the suite like any other recording', () => {
  const { rules } = judgeHar(JSON.parse(har))
  const heldBy = (form: string) =>
    rules.filter(rule => rule.form === form && rule.outcome === 'held').map(({ id }) => id)
  expect(rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')).toEqual([])
  expect(heldBy('cloud')).toEqual(expect.arrayContaining(['member/list-answers-200', 'envelope/request-id-is-uuid-v4']))
  expect(heldBy('selfHosted')).toContain('dashboard/list-answers')
})

it('the journal as HAR has complete answers and no credentials', () => {
  const { cloud, selfHosted } = mock.target
  const { entries } = JSON.parse(har).log
  expect(entries).toHaveLength(6)
  const boards = entries.find(({ request }: { request: { url: string } }) => request.url.endsWith('/dashboards'))
  expect(JSON.parse(boards.response.content.text).data.length).toBeGreaterThan(0)
  const secrets = [cloud.keySecret, selfHosted.apiKey, selfHosted.ingestionKey, btoa(`${cloud.keyId}:`).slice(0, 20)]
  for (const secret of secrets) expect(har).not.toContain(secret)
  expect(har).toContain('"keySecret":"[redacted]"'.replaceAll('"', '\\"'))
})
