import { describe, expect, it } from 'vitest'
import { type Operation, operations, type RuleId, rules } from '../../fixtures/contract/index.ts'
import { createMock } from '../../mock-server/index.ts'
import { verify } from '../run/verify.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

/** The mock, deliberately broken rule by rule, proves that the suite can see. */

/** A mock of the newer edition in both forms. */
const edition = { 'version/self-hosted-edition': '2.36' }
const newer = { choices: { managed: edition, selfHosted: edition } }

/** Rules of a resource that only the newer edition has. */
const isNewer = (id: RuleId) => {
  const own = Object.entries<Operation>(operations).filter(([name]) => name.startsWith(`${id.split('/')[0]}.`))
  return own.length > 0 && own.every(([, { editions }]) => editions?.includes('2.36') && !editions.includes('2.24'))
}

async function verdicts(faults: RuleId[], as?: typeof newer) {
  const mock = createMock({ faults, ...(as && { as }) })
  const report = await verify({ target: directTarget(mock), client: createDirectClient(mock) })
  return report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
}

describe('the suite on the mock', () => {
  it('finds nothing broken without a fault', async () => {
    expect(await verdicts([])).toEqual([])
    expect(await verdicts([], newer)).toEqual([])
  })

  it.each(Object.keys(rules) as RuleId[])('notices the fault of %s, on each form, and nothing else', async id => {
    const broken = await verdicts([id], isNewer(id) ? newer : undefined)
    expect([...new Set(broken.map(rule => rule.id))]).toEqual([id])
    expect(broken.map(rule => rule.form).sort()).toEqual([...rules[id].forms].sort())
  })
})
