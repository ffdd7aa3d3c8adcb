import { expect, it } from 'vitest'
import { createMock } from '../../../faces/create-mock.ts'
import { runners, writeTest } from './as-test.ts'

/** Runs the program of a Vitest test with a new mock, and returns the message of its failure. */
async function runToFailure(program: string): Promise<string> {
  const body = program
    .replace(/^import .*$/gm, '')
    .replace('cloud!', 'cloud')
    .replaceAll('selfHosted!', 'selfHosted')
  const tests: ((fixtures: object) => Promise<void>)[] = []
  new Function('it', 'expect', body)((_title: string, run: (typeof tests)[number]) => tests.push(run), expect)
  return tests[0]!({ mock: createMock() }).then(
    () => 'nothing',
    (error: Error) => error.message,
  )
}

it('writes a test that repeats the call in the saved world and fails, with the reason why the call was refused', async () => {
  const mock = createMock()
  // biome-ignore lint/suspicious/noTemplateCurlyInString: characters that would end or change a string in the written program
  const dashboard = mock.create('dashboard', { name: "Ada's `board` ${x}" })
  const { baseUrl, apiKey } = mock.target().selfHosted!
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const writeProgram = () =>
    writeTest('vitest', { call: mock.calls(1)[0]!, world: JSON.stringify(mock.state('opened')), control: 'http://c' })

  await mock.fetch(`${baseUrl}/api/v2/alerts`, { method: 'POST', headers, body: '{"name": "it\'s"}' })
  expect(await runToFailure(writeProgram())).toMatch(/channel: Required.*to be less than 400/s)

  // The saved world has the dashboard that this call gets. The test of a successful call fails until its reader adds an expectation.
  await mock.fetch(`${baseUrl}/api/v2/dashboards/${dashboard.id}`, { headers })
  expect(await runToFailure(writeProgram())).toContain('This call succeeds')
})

it.each(runners)('writes a test for %s without credentials from the journal', async runner => {
  const mock = createMock()
  const { baseUrl, apiKey } = mock.target().selfHosted!
  await mock.fetch(`${baseUrl}/api/v2/alerts`, { headers: { authorization: `Bearer ${apiKey}` } })
  const program = writeTest(runner, { call: mock.calls(1)[0]!, world: '{}', control: 'http://127.0.0.1:8080' })
  expect(program).toContain("method: 'GET'")
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the program has a template string
  expect(program).toContain('`Bearer ${selfHosted!.apiKey}`')
  expect(program).not.toContain('redacted')
})
