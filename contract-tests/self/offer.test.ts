import { expect, it } from 'vitest'
import { createMock } from '../../mock-server/index.ts'
import { exitStatus } from '../report/exit-status.ts'
import { verify } from '../run/verify.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

it.each(['specified', 'Service'] as const)(
  'the suite finds nothing broken on a mock that offers only "%s"',
  async offer => {
    const mock = createMock({ offer: [offer] })
    const report = await verify({ target: directTarget(mock), client: createDirectClient(mock) })
    expect(report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')).toEqual([])
    expect(exitStatus({ ...report, failOn: 'documented' })).toBe(0)
  },
)
