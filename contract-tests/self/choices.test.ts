import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock-server/index.ts'
import { verify } from '../run/verify.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

/** Where the specification is silent, no sensible choice of a deployment breaks a rule. */

const seeds = Array.from({ length: 24 }, (_, index) => index + 1)

describe('the suite on a mock with other choices', () => {
  it.each(seeds)('finds nothing broken with the choices of seed %i', async gaps => {
    const mock = createMock({ gaps, logs: 1000 })
    const report = await verify({ target: directTarget(mock), client: createDirectClient(mock) })
    const broken = report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
    expect(broken.map(({ id, form, detail }) => `${id} (${form}): ${detail}`)).toEqual([])
    expect(report.summary.held).toBeGreaterThan(75)
  })
})
