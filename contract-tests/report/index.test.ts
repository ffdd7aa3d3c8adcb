import { describe, expect, it } from 'vitest'
import hostileReport from '../../fixtures/schemas/examples/hostile-report.json'
import { reporters } from './index.ts'
import { type Report, reportKinds, summarise } from './report.ts'

const hostile = hostileReport as Report
const empty: Report = {
  tool: { name: 'stack-parity', version: '0.1.0' },
  target: { name: 'nothing', forms: [] },
  startedAt: '2026-11-20T10:00:00.000Z',
  durationMs: 0,
  requests: 0,
  failOn: 'should',
  summary: summarise([], []),
  rules: [],
  drift: [],
}

describe.each(reportKinds)('the %s kind', kind => {
  it('renders a report without rules', () => {
    expect(reporters[kind](empty)).toContain('stack-parity')
  })

  it('names broken rules and breaking drift', () => {
    const text = reporters[kind](hostile)
    const broken = hostile.rules.filter(({ outcome }) => outcome === 'broken')
    const breaking = hostile.drift.filter(({ kind }) => kind === 'breaking')
    for (const { id } of [...broken, ...breaking]) expect(text).toContain(id)
  })

  it('renders equal reports alike, ends with a line break, and does not change the report', () => {
    const before = JSON.stringify(hostile)
    const text = reporters[kind](hostile)
    expect(reporters[kind](structuredClone(hostile))).toBe(text)
    expect(text.endsWith('\n')).toBe(true)
    expect(JSON.stringify(hostile)).toBe(before)
  })
})
