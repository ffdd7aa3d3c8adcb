import type { JournalEntry } from '../../../mock/mock.ts'
import { toSecond } from '../moments.ts'
import { indent, singleQuoted } from './snippets.ts'

export const runners = ['vitest', 'Playwright'] as const
export type Runner = (typeof runners)[number]

interface Material {
  readonly call: JournalEntry
  /** The document of the world, which the test puts back. */
  readonly world: string
  /** Where the control plane of this mock is. */
  readonly control: string
}

/** What the tests of the two runners differ in; `needs` is where a test gets its mock from. */
const dialects = {
  vitest: {
    test: 'it',
    needs: 'mock',
    body: 'body',
    status: 'response.status',
    head: () => "import { it } from 'stack-parity/vitest'\nimport { expect } from 'vitest'\n",
    load: '  mock.load(world)\n  const { cloud, selfHosted } = mock.target()',
  },
  Playwright: {
    test: 'test',
    needs: 'request',
    body: 'data',
    status: 'response.status()',
    head: (control: string) =>
      `import { expect, test } from '@playwright/test'\n\nconst control = ${singleQuoted(control)}`,
    load: `  await request.put(\`\${control}/control/state\`, { data: world })
  const { cloud, selfHosted } = await (await request.get(\`\${control}/control/target\`)).json()`,
  },
} as const satisfies Record<Runner, object>

/**
 * A test that sends a call again in the world as it is now, and fails: a call that was refused because the test asks for
 * success, one that succeeded at a line that waits for what the reader expects.
 */
export function writeTest(runner: Runner, { call, world, control }: Material): string {
  const { test, needs, body, status, head, load } = dialects[runner]
  return `${head(control)}
// The world as it was when this test was written; the call came at ${toSecond(call.at)} UTC.
const world = ${world}

${test}(${titleOf(call)}, async ({ ${needs} }) => {
${load}
  const response = await ${needs}.fetch(\`\${${baseOf(call)}}${pathOf(call)}\`, {
${indent(initOf(call, body), '    ')}
  })
  const answer = await response.text()
${expecting(call, status)}
})
`
}

const titleOf = ({ request, operation }: JournalEntry) =>
  singleQuoted(operation ? `${operation} is answered with success` : `${request.method} ${request.path} is answered`)

const baseOf = ({ host }: JournalEntry) => (host === 'cloud' ? 'cloud!.baseUrl' : 'selfHosted!.baseUrl')
const pathOf = ({ request }: JournalEntry) => request.path.replace(/[`\\]|\$\{/g, '\\$&')

/** The request; credentials are those of the world, because the journal has none. */
function initOf({ host, request: { method, headers, body } }: JournalEntry, bodyName: string): string {
  const { authorization, 'content-type': type } = headers
  const own =
    host === 'cloud'
      ? // biome-ignore lint/suspicious/noTemplateCurlyInString: it is written into the test
        "authorization: 'Basic ' + btoa(`${cloud!.keyId}:${cloud!.keySecret}`),"
      : // biome-ignore lint/suspicious/noTemplateCurlyInString: it is written into the test
        'authorization: `Bearer ${selfHosted!.apiKey}`,'
  const sent = [
    authorization === undefined ? '' : own,
    type === undefined ? '' : `'content-type': ${singleQuoted(type)},`,
  ]
  const lines = sent.filter(Boolean).map(line => `  ${line}`)
  return [
    `method: ${singleQuoted(method)},`,
    ...(lines.length > 0 ? ['headers: {', ...lines, '},'] : []),
    ...(body ? [`${bodyName}: ${singleQuoted(body)},`] : []),
  ].join('\n')
}

function expecting({ response: { status } }: JournalEntry, actual: string): string {
  return status === 0 || status >= 400
    ? `  expect(${actual}, answer).toBeLessThan(400)`
    : `  expect(${actual}, answer).toBe(${status})\n  throw new Error('This call succeeds. Replace this line by what you expect of its answer.')`
}
