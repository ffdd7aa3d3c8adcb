import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import hostileReport from '../../fixtures/schemas/examples/hostile-report.json'
import published from '../../fixtures/schemas/third-party/sarif-2.1.0-rtm.5.schema.json'
import type { Report } from './report.ts'
import { renderSarif } from './sarif.ts'

// The schema is of draft 4. In draft 7, which Ajv reads, `id` is `$id`, and the flag `u` makes these patterns invalid.
const { $schema: _, id, ...rest } = published
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false })
addFormats.default(ajv)
const validate = ajv.compile({ ...rest, $id: id })

const hostile = hostileReport as Report
const runOf = (report: Report) => JSON.parse(renderSarif(report)).runs[0]
const run = runOf(hostile)
interface Result {
  readonly ruleId: string
  readonly [key: string]: unknown
}
const resultsOf = (ruleId: string): Result[] => run.results.filter((result: Result) => result.ruleId === ruleId)

describe('the SARIF report', () => {
  it('keeps to the schema of SARIF 2.1.0', () => {
    validate(JSON.parse(renderSarif(hostile)))
    expect(validate.errors).toBeNull()
  })

  it('has a rule with a help text for every judged rule, and results that refer to it', () => {
    const { rules } = run.tool.driver
    expect(rules.map((rule: { id: string }) => rule.id)).toEqual([
      ...new Set(hostile.rules.map(rule => rule.id)),
      'drift/choices',
      'drift/shapes',
    ])
    for (const rule of rules) expect(rule.help.text).toContain(rule.shortDescription.text)
    for (const { ruleId, ruleIndex } of run.results) expect(rules[ruleIndex].id).toBe(ruleId)
  })

  it('has the level "error" for the results that fail the run, and for no others', () => {
    expect(run.results.map(({ ruleId, level }: Result) => `${ruleId} ${level}`)).toEqual([
      'envelope/status-equals-http error',
      'member/role-is-admin-or-developer error',
      'backup/finished-not-before-started note',
      'error/malformed-json error',
      'drift/choices warning',
      'drift/shapes note',
      'drift/shapes warning',
    ])
  })

  it('suppresses the results of known-broken rules, and no others', () => {
    const suppressed = run.results.filter((result: Result) => result.suppressions)
    expect(suppressed.map(({ ruleId }: Result) => ruleId)).toEqual(['backup/finished-not-before-started'])
    expect(suppressed[0].suppressions).toMatchObject([{ kind: 'external', status: 'accepted' }])
  })

  it('reports an errored rule, an early end and leftovers as notifications, not as results', () => {
    expect(resultsOf('dashboard/list-answers')).toEqual([])
    const [invocation] = run.invocations
    expect(invocation.executionSuccessful).toBe(false)
    expect(invocation.toolExecutionNotifications).toMatchObject([
      { level: 'error', associatedRule: { id: 'dashboard/list-answers' } },
      { level: 'warning', message: { text: expect.stringContaining('ended early') } },
      { level: 'warning', message: { text: expect.stringContaining('Left behind') } },
    ])
  })

  it('marks drift as updated, new or absent', () => {
    const states = run.results.filter(({ ruleId }: Result) => ruleId.startsWith('drift/'))
    expect(states.map(({ baselineState }: Result) => baselineState)).toEqual(['updated', 'new', 'absent'])
  })

  it('locates a finding by its operation and the place in the answer', () => {
    const [{ locations }] = resultsOf('member/role-is-admin-or-developer') as [Result]
    expect(locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: 'cloud/v1/organizations/:organizationId/members' },
          region: { startLine: 1 },
        },
        logicalLocations: [
          { fullyQualifiedName: 'cloud GET /v1/organizations/:organizationId/members', kind: 'operation' },
          { fullyQualifiedName: 'cloud GET /v1/organizations/:organizationId/members $.result[].role', kind: 'member' },
        ],
      },
    ])
  })

  it('gives a finding the same fingerprint in another run, and each finding its own', () => {
    const text = JSON.stringify(hostile)
      .replaceAll('3d6f0a8e-7c1b-4e5d-9a2f-b0c4d8e1f6a7', '11111111-2222-4333-8444-555555555555')
      .replaceAll('result[3]', 'result[17]')
      .replaceAll('"ms":12.34', '"ms":99')
      .replaceAll('2026-11-20', '2027-01-01')
    const later = runOf(JSON.parse(text))
    const fingerprintsOf = (results: Result[]) => results.map(({ partialFingerprints }) => partialFingerprints)
    expect(text).not.toBe(JSON.stringify(hostile))
    expect(fingerprintsOf(later.results)).toEqual(fingerprintsOf(run.results))
    expect(new Set(fingerprintsOf(run.results).map(fingerprint => JSON.stringify(fingerprint))).size).toBe(
      run.results.length,
    )
  })

  it('escapes links in the texts of a target', () => {
    for (const { message } of run.results) expect(message.text).not.toMatch(/[^\\]\]\(/)
    expect(JSON.stringify(run.results.map(({ message }: Result) => message))).toContain('click')
  })
})
