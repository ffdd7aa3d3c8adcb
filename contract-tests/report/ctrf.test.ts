import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, it } from 'vitest'
import hostileReport from '../../fixtures/schemas/examples/hostile-report.json'
import schema from '../../fixtures/schemas/third-party/ctrf-0.0.schema.json'
import { renderCtrf } from './ctrf.ts'
import type { Report } from './report.ts'

const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
const validate = ajv.compile(schema)
const hostile = hostileReport as Report
const ctrf = JSON.parse(renderCtrf(hostile))

it('keeps to the schema of CTRF', () => {
  validate(ctrf)
  expect(validate.errors).toBeNull()
})

it('counts the tests by status, with an observation as neither passed nor failed', () => {
  const { summary, tests } = ctrf.results
  expect(summary).toMatchObject({ tests: 7, passed: 0, failed: 3, skipped: 1, pending: 1, other: 2, suites: 6 })
  const statuses = Object.fromEntries(
    tests.map((test: { testId: string; status: string }) => [test.testId, test.status]),
  )
  expect(statuses).toEqual({
    'dashboard/list-answers': 'other',
    'envelope/status-equals-http': 'failed',
    'member/role-is-admin-or-developer': 'failed',
    'backup/finished-not-before-started': 'pending',
    'backup/iam-role-arn-is-a-string': 'skipped',
    'webhook/fields-present': 'other',
    'error/malformed-json': 'failed',
  })
})

it('names the time and the target of the run', () => {
  expect(ctrf).toMatchObject({ reportFormat: 'CTRF', timestamp: '2026-11-20T10:00:01.235Z' })
  expect(ctrf.results.summary).toMatchObject({ start: Date.parse('2026-11-20T10:00:00Z'), duration: 1235 })
  expect(ctrf.results.environment.testEnvironment).toContain('staging')
})
