import type { JournalEntry } from '../../../mock/mock.ts'
import { toSecond } from '../moments.ts'
import { indent, singleQuoted } from './snippets.ts'

export const runners = ['vitest', 'Playwright'] as const
export type Runner = (typeof runners)[number]

interface TestSource {
  readonly call: JournalEntry
  /** The snapshot of the world, as JSON. */
  readonly world: string
  /** The address of the control plane. */
  readonly control: string
}

/** The differences between tests of the two runners. `body` is the name of the option for the body of a request. */
const syntax = {
  vitest: {
    test: 'it',
    fixture: 'mock',
    body: 'body',
    status: 'response.status',
    head: () => "import { it } from 'stack-parity/vitest'\nimport { expect } from 'vitest'\n",
    load: '  mock.load(world)\n  const { cloud, selfHosted } = mock.target()',
  },
  Playwright: {
    test: 'test',
    fixture: 'request',
    body: 'data',
    status: 'response.status()',
    head: (control: string) =>
      `import { expect, test } from '@playwright/test'\n\nconst control = ${singleQuoted(control)}`,
    load: `  await request.put(\`\${control}/control/state\`, { data: world })
  const { cloud, selfHosted } = await (await request.get(\`\${control}/control/target\`)).json()`,
  },
} as const satisfies Record<Runner, object>

/**
 * Writes a test that sends a call again in the world of a snapshot, and fails: after a refusal because the test expects
 * success, after a success at a line that the reader replaces by an expectation.
 */
export function writeTest(runner: Runner, { call, world, control }: TestSource): string {
  const { test, fixture, body, status, head, load } = syntax[runner]
  return `${head(control)}
// The world as it was when this test was written; the call came at ${toSecond(call.at)} UTC.
const world = ${world}

${test}(${titleOf(call)}, async ({ ${fixture} }) => {
${load}
  const response = await ${fixture}.fetch(\`\${${baseOf(call)}}${pathOf(call)}\`, {
${indent(initOf(call, body), '    ')}
  })
  const answer = await response.text()
${expectationOf(call, status)}
})
`
}

const titleOf = ({ request, operation }: JournalEntry) =>
  singleQuoted(operation ? `${operation} is answered with success` : `${request.method} ${request.path} is answered`)

const baseOf = ({ host }: JournalEntry) => (host === 'cloud' ? 'cloud!.baseUrl' : 'selfHosted!.baseUrl')
const pathOf = ({ request }: JournalEntry) => request.path.replace(/[`\\]|\$\{/g, '\\$&')

/** The options of `fetch`, with the credentials of the world, because the journal has none. */
function initOf({ host, request: { method, headers, body } }: JournalEntry, bodyName: string): string {
  const { authorization, 'content-type': type } = headers
  const credentials =
    host === 'cloud'
      ? // biome-ignore lint/suspicious/noTemplateCurlyInString: it is written into the test
        "authorization: 'Basic ' + btoa(`${cloud!.keyId}:${cloud!.keySecret}`),"
      : // biome-ignore lint/suspicious/noTemplateCurlyInString: it is written into the test
        'authorization: `Bearer ${selfHosted!.apiKey}`,'
  const headerLines = [
    authorization === undefined ? '' : credentials,
    type === undefined ? '' : `'content-type': ${singleQuoted(type)},`,
  ]
  const lines = headerLines.filter(Boolean).map(line => `  ${line}`)
  return [
    `method: ${singleQuoted(method)},`,
    ...(lines.length > 0 ? ['headers: {', ...lines, '},'] : []),
    ...(body ? [`${bodyName}: ${singleQuoted(body)},`] : []),
  ].join('\n')
}

function expectationOf({ response: { status } }: JournalEntry, actual: string): string {
  return status === 0 || status >= 400
    ? `  expect(${actual}, answer).toBeLessThan(400)`
    : `  expect(${actual}, answer).toBe(${status})\n  throw new Error('This call succeeds. Replace this line by what you expect of its answer.')`
}
