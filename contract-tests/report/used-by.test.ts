import { describe, expect, it } from 'vitest'
import hostileReport from '../../fixtures/schemas/examples/hostile-report.json'
import { exitStatus } from './exit-status.ts'
import { reporters } from './index.ts'
import { headline } from './outline.ts'
import type { Drift, Report } from './report.ts'
import { createPaint, renderTerminal } from './terminal.ts'

const path = '/v1/organizations/{organizationId}/keys'
const drift = (id: string, usedBy: Drift['usedBy'], kind: Drift['kind'] = 'breaking'): Drift => ({
  fingerprint: id.slice(-4),
  part: 'document',
  kind,
  id: `request/KeyBody.${id}/gone`,
  was: 'string',
  is: null,
  family: 'key',
  operations: [{ id: 'key.create', method: 'POST', path }],
  usedBy: usedBy!,
})
const use = {
  operation: 'key.create',
  method: 'POST',
  path,
  at: '$.state',
  calls: 12,
  from: ['keys.test.ts > makes a <key>'],
  fix: 'Leave out $.state.',
  proof: {
    operation: 'key.create',
    method: 'POST',
    request: { path: '/v1/organizations/7/keys', body: '{"state":"enabled"}' },
    was: { status: 200, body: '{"result":"made"}' },
    is: { status: 400, body: '{"error":"state is unknown"}' },
    lost: [],
  },
}
const report: Report = {
  ...(hostileReport as unknown as Report),
  rules: [],
  left: [],
  cut: undefined,
  requests: 0,
  isUseKnown: true,
  proof: { requests: 3, refused: 1, unexpected: [{ ...use.proof, operation: 'key.odd' }], start: 'the mock' },
  drift: [drift('state', [use]), drift('hashData', []), drift('more', [], 'additive')],
}
const texts = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('\\<', '<')

describe('a report with --used-by', () => {
  it.each(Object.keys(reporters))('of kind %s names the calls that a difference touches, and those first', kind => {
    const text = texts(reporters[kind as keyof typeof reporters](report))
    expect(text).toContain('keys.test.ts > makes a <key>')
    expect(text).toContain('Leave out $.state.')
    const [own, other] = ['Leave out', 'hashData'].map(part => text.indexOf(part))
    if (kind === 'github') expect(text).not.toContain('hashData')
    else expect(own! >= 0 && own! < other!).toBe(true)
  })

  it.each(['markdown', 'html'] as const)('of kind %s folds the other differences', kind => {
    const [before, folded] = reporters[kind](report).split('<details>')
    expect(before).not.toContain('hashData')
    expect(folded).toContain(
      '<summary>1 breaking, 1 additive and 0 neutral differences touch nothing that you call</summary>',
    )
    expect(folded).toContain('hashData')
  })

  it.each(['markdown', 'html', 'github'] as const)('of kind %s shows a request with both answers', kind => {
    const text = reporters[kind](report).replaceAll('&quot;', '"').replaceAll('&#39;', "'")
    expect(text).toContain('Shown: 200 before, 400 now.')
    expect(text).toContain(`--data-raw '{"state":"enabled"}'`)
    expect(text).toContain('before 200 {"result":"made"}')
    expect(text).toContain('now 400 {"error":"state is unknown"}')
    expect(text).toContain('No breaking change says it, but key.odd differs: 200 before, 400 now.')
  })

  it('shows other differences neither as skipped tests nor as findings', () => {
    expect(reporters.junit(report).match(/<skipped/g)).toHaveLength(1)
    const { results } = JSON.parse(reporters.sarif(report)).runs[0]
    expect(results.map(({ level }: { level: string }) => level)).toEqual(['warning', 'none', 'none'])
  })

  it('counts other differences in a line on the terminal, which ends with what touches the use', () => {
    const text = renderTerminal(report, createPaint(false))
    expect(text).toContain('Drift in what you call\n')
    expect(text).toContain(
      '            key.create $.state, 12 calls, as in keys.test.ts > makes a <key>. Leave out $.state. Shown: 200 before, 400 now.\n',
    )
    expect(text).toContain('1 breaking, 1 additive and 0 neutral differences touch nothing that you call')
    expect(text).not.toContain('hashData')
    expect(text).toMatch(/ · 1 of 2 breaking changes touches what you call\n$/)
    expect(headline(report)).toMatch(/; 1 of 2 breaking changes touches what you call\.$/)
  })

  it('fails only for what touches the use', () => {
    const judged = { ...report, rules: (hostileReport as unknown as Report).rules.slice(0, 0) }
    const [, ...others] = judged.drift
    expect(exitStatus(judged, { drift: 'error' })).toBe(1)
    expect(exitStatus({ ...judged, drift: others }, { drift: 'strict' })).not.toBe(1)
  })
})
