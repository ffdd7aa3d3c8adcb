import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock-server/index.ts'
import { exitStatus } from '../harness/exit-status.ts'
import { createPaint, renderTerminal } from '../harness/report/terminal.ts'
import type { TargetFile } from '../harness/target.ts'
import { verify } from '../harness/verify.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

/** A target file that names what is gone: a mistake of the file, for which no rule of the deployment may be broken. */

type References = Record<string, unknown>

const gone = 'ffffffffffffffffffffff99'

async function run(change: (references: References, part: string) => References, readOnly = false) {
  const mock = createMock()
  const target = directTarget(mock)
  const { cloud, selfHosted } = target
  const changed: TargetFile = {
    ...target,
    selfHosted: { ...selfHosted!, references: change({ ...selfHosted!.references }, 'selfHosted') },
    cloud: cloud && { ...cloud, references: change({ ...cloud.references }, 'cloud') },
  }
  const report = await verify({ target: changed, client: createDirectClient(mock), readOnly })
  const wrong = report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
  return { report, wrong, stale: report.target.stale ?? [] }
}

describe('a target file that is right', () => {
  it('is said nothing of', async () => {
    expect((await run(references => references)).stale).toEqual([])
  })
})

describe.each([
  ['writes', false],
  ['only reads', true],
])('in a run that %s, a target file that names what is gone', (_, readOnly) => {
  it.each([
    ['webhookId', ['selfHosted'], '/api/v2/webhooks'],
    ['sourceId', ['cloud', 'selfHosted'], '/api/v2/sources'],
    ['dashboardId', ['cloud', 'selfHosted'], '/api/v2/dashboards'],
  ])('as %s breaks no rule, and is told', async (field, parts, path) => {
    const change = (references: References, part: string) =>
      parts.includes(part) ? { ...references, [field]: gone } : references
    const { report, wrong, stale } = await run(change, readOnly)
    expect(wrong).toEqual([])
    expect(stale).toContain(
      `\`selfHosted.references.${field}\` names "${gone}", which GET ${path} does not list: another that is listed is taken instead.`,
    )
    expect(stale).toHaveLength(parts.length)
    expect(renderTerminal(report, createPaint(false))).toContain(`The target file is out of date\n  ${stale[0]}`)
    expect(exitStatus(report)).toBe(0)
  })

  it('as tileId breaks no rule, and is told', async () => {
    const { wrong, stale } = await run(references => ({ ...references, tileId: gone }), readOnly)
    expect(wrong).toEqual([])
    expect(stale).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^\`selfHosted.references.tileId\` names "${gone}", and the dashboard "\\w+" has no such tile: another`,
        ),
      ),
    )
  })
})

describe('a webhook of the managed form, which no list shows', () => {
  it('breaks no rule when it is gone, and the field to check is told', async () => {
    const { wrong, report } = await run((references, part) =>
      part === 'cloud' ? { ...references, webhookId: gone } : references,
    )
    expect(wrong.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(['alert/create-accepts-the-sample errored'])
    expect(wrong[0]!.detail).toMatch(
      new RegExp(
        `no list of the managed form tells whether "${gone}" is one: check \`cloud.references.webhookId\` of the`,
      ),
    )
    expect(exitStatus(report)).toBe(2)
  })
})
