import { createRequire } from 'node:module'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { createSupertestClient } from '../engine/clients/supertest-client.ts'
import { judgeHar } from '../run/har/judge-har.ts'
import { verify } from '../run/verify.ts'
import { startOtherDeployment } from '../self/other-deployment/index.ts'
import { reporters } from './index.ts'
import type { Report } from './report.ts'

const require = createRequire(import.meta.url)
const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true })
addFormats.default(ajv)
// By the package name, as users import it.
const validate = ajv.compile(require('stack-parity/report.schema.json'))
const hostile: Report = require('../../fixtures/schemas/examples/hostile-report.json')

/** The errors of a report according to the published schema. */
const schemaErrorsOf = (report: unknown) => {
  validate(report)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

describe('the json report', () => {
  it('keeps to its published schema for a real run', async () => {
    const deployment = await startOtherDeployment({ mutant: 'member role "owner"' })
    const client = createSupertestClient()
    const report = await verify({
      target: deployment.target,
      client,
      rules: ['member/', 'auth/', 'limit/', 'webhook/'],
    })
    client.close?.()
    await deployment.close()
    expect(report.summary.broken).toBe(1)
    expect(schemaErrorsOf(JSON.parse(reporters.json(report)))).toEqual([])
  })

  it('keeps to its published schema with every outcome, drift and hostile text', () => {
    expect(new Set(hostile.rules.map(({ outcome }) => outcome)).size).toBe(6)
    expect(schemaErrorsOf(JSON.parse(reporters.json(hostile)))).toEqual([])
  })

  it('keeps to its published schema for a recording', () => {
    const entry = {
      request: { method: 'GET', url: 'https://api.example.test/api/v2/alerts' },
      response: { status: 200 },
    }
    const report = judgeHar({ log: { entries: [entry, {}] } })
    expect(report.recording?.left).toHaveLength(2)
    expect(schemaErrorsOf(JSON.parse(reporters.json(report)))).toEqual([])
  })

  it('violates its schema if a field is missing, unknown or of another type', () => {
    const [rule] = hostile.rules
    expect(schemaErrorsOf({ ...hostile, drift: undefined })).toEqual([" must have required property 'drift'"])
    expect(schemaErrorsOf({ ...hostile, verdict: 'good' })).toEqual([' must NOT have additional properties'])
    expect(schemaErrorsOf({ ...hostile, startedAt: 'yesterday' })).toEqual(['/startedAt must match format "date-time"'])
    expect(schemaErrorsOf({ ...hostile, rules: [{ ...rule, outcome: 'passed' }] })).toEqual([
      '/rules/0/outcome must be equal to one of the allowed values',
    ])
  })
})
