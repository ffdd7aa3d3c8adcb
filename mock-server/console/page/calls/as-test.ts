import type { JournalEntry } from '../../../core/mock.ts'
import { toSecond } from '../moments.ts'

export const runners = ['vitest', 'Playwright'] as const
export type Runner = (typeof runners)[number]

interface Material {
  readonly call: JournalEntry
  /** The document of the world, which the test puts back. */
  readonly world: string
  /** Where the control plane of this mock is. */
  readonly control: string
}

/**
 * A test that sends a call again in the world as it is now, and fails: a call that was refused because the test asks for
 * success, one that succeeded at a line that waits for what the reader expects.
 */
export const writeTest = (runner: Runner, material: Material): string =>
  runner === 'vitest' ? writeVitest(material) : writePlaywright(material)

function writeVitest({ call, world }: Material): string {
  return `import { it } from 'stack-parity/vitest'
import { expect } from 'vitest'

${stated(call, world)}

it(${titleOf(call)}, async ({ mock }) => {
  mock.load(world)
  const { cloud, selfHosted } = mock.target()
  const response = await mock.fetch(\`\${${baseOf(call)}}${pathOf(call)}\`, {
${indent(initOf(call), 4)}
  })
  const answer = await response.text()
${expecting(call, 'response.status')}
})
`
}

function writePlaywright({ call, world, control }: Material): string {
  return `import { expect, test } from '@playwright/test'

const control = ${quoted(control)}
${stated(call, world)}

test(${titleOf(call)}, async ({ request }) => {
  await request.put(\`\${control}/control/state\`, { data: world })
  const { cloud, selfHosted } = await (await request.get(\`\${control}/control/target\`)).json()
  const response = await request.fetch(\`\${${baseOf(call)}}${pathOf(call)}\`, {
${indent(initOf(call).replace('body:', 'data:'), 4)}
  })
  const answer = await response.text()
${expecting(call, 'response.status()')}
})
`
}

const stated = ({ at }: JournalEntry, world: string) =>
  `// The world as it was when this test was written; the call came at ${toSecond(at)} UTC.\nconst world = ${world}`

const titleOf = ({ request, operation }: JournalEntry) =>
  quoted(operation ? `${operation} is answered with success` : `${request.method} ${request.path} is answered`)

const baseOf = ({ host }: JournalEntry) => (host === 'cloud' ? 'cloud!.baseUrl' : 'selfHosted!.baseUrl')
const pathOf = ({ request }: JournalEntry) => request.path.replace(/[`\\]|\$\{/g, '\\$&')

/** The request; credentials are those of the world, because the journal has none. */
function initOf({ host, request: { method, headers, body } }: JournalEntry): string {
  const { authorization, 'content-type': type } = headers
  const own =
    host === 'cloud'
      ? // biome-ignore lint/suspicious/noTemplateCurlyInString: it is written into the test
        "authorization: 'Basic ' + btoa(`${cloud!.keyId}:${cloud!.keySecret}`),"
      : // biome-ignore lint/suspicious/noTemplateCurlyInString: it is written into the test
        'authorization: `Bearer ${selfHosted!.apiKey}`,'
  const sent = [authorization === undefined ? '' : own, type === undefined ? '' : `'content-type': ${quoted(type)},`]
  const lines = sent.filter(Boolean).map(line => `  ${line}`)
  return [
    `method: ${quoted(method)},`,
    ...(lines.length > 0 ? ['headers: {', ...lines, '},'] : []),
    ...(body ? [`body: ${quoted(body)},`] : []),
  ].join('\n')
}

function expecting({ response: { status } }: JournalEntry, actual: string): string {
  return status === 0 || status >= 400
    ? `  expect(${actual}, answer).toBeLessThan(400)`
    : `  expect(${actual}, answer).toBe(${status})\n  throw new Error('This call succeeds. Replace this line by what you expect of its answer.')`
}

const quoted = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
const indent = (text: string, by: number) => text.replace(/^/gm, ' '.repeat(by))
