import { describe, expect, it } from 'vitest'
import { type RuleId, rules } from '../../fixtures/contract/index.ts'
import { createMock } from '../../mock-server/index.ts'
import { verify } from '../run/verify.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

/** The mock, deliberately broken rule by rule, proves that the suite can see. */

async function verdicts(faults: RuleId[]) {
  const mock = createMock({ faults })
  const report = await verify({ target: directTarget(mock), client: createDirectClient(mock) })
  return report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
}

describe('the suite on the mock', () => {
  it('finds nothing broken without a fault', async () => {
    expect(await verdicts([])).toEqual([])
  })

  it.each(Object.keys(rules) as RuleId[])('notices the fault of %s, on each form, and nothing else', async id => {
    const broken = await verdicts([id])
    expect([...new Set(broken.map(rule => rule.id))]).toEqual([id])
    expect(broken.map(rule => rule.form).sort()).toEqual([...rules[id].forms].sort())
  })
})
