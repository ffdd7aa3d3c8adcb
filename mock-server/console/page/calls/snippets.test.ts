import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningMock, startMock } from '../../../faces/serve.ts'
import { type Sending, snippets } from './snippets.ts'

const run = promisify(execFile)
/** Functions that run the snippets of a language. The Python and Go snippets were run by hand. */
const runnersByLanguage = {
  curl: (text: string) => run('sh', ['-c', text]),
  fetch: (text: string) => run(process.execPath, ['--input-type=module', '-e', text]),
}

describe('a snippet runs without changes', () => {
  let mock: RunningMock
  beforeAll(async () => {
    mock = await startMock()
  })
  afterAll(() => mock.close())

  it.each(Object.entries(runnersByLanguage))('in %s', async (language, runProgram) => {
    const { cloud, selfHosted } = mock.target()
    const { baseUrl, organizationId, keyId, keySecret } = cloud!
    const organization = `${baseUrl}/v1/organizations/${organizationId}`
    const basic = { kind: 'basic', user: keyId, password: keySecret } as const
    const bearer = { kind: 'bearer', token: selfHosted!.apiKey } as const
    const hostile = `it's "$HOME" \`id\` \\n ${'\u{1f9ed}'} {a,b}[1-2]`
    const dashboard = { name: hostile, tags: ['a'], tiles: [] }
    const json = 'application/json'
    const sendings: readonly Sending[] = [
      { method: 'GET', url: `${organization}/members`, credentials: basic },
      { method: 'GET', url: `${baseUrl}/v1` },
      {
        method: 'POST',
        url: `${selfHosted!.baseUrl}/api/v2/dashboards`,
        credentials: bearer,
        body: { type: json, text: JSON.stringify(dashboard, null, 2) },
      },
      { method: 'PATCH', url: organization, credentials: basic, body: { type: json, text: '{"name": "no JSON' } },
    ]
    const printed: string[] = []
    for (const sending of sendings) {
      const { stdout } = await runProgram(snippets[language as 'curl'](sending))
      printed.push(stdout)
    }
    const statuses = printed.map(text => /\b([2-5]\d\d)\b/.exec(text)?.[1])
    expect(statuses).toEqual(['200', '200', '200', '400'])
    expect(mock.mock.records.list('dashboard').at(-1)).toMatchObject({ name: hostile })
    expect(mock.mock.calls(1)[0]!.request).toMatchObject({ method: 'PATCH', body: '{"name": "no JSON' })
  })
})
