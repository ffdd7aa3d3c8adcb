import { expect, it } from 'vitest'
import { createSupertestClient } from '../engine/clients/supertest-client.ts'
import { exitStatus } from '../report/exit-status.ts'
import { verify } from '../run/verify.ts'
import { startOtherDeployment } from './other-deployment/index.ts'

it('finds nothing broken on a deployment that chooses differently wherever the specification is silent', async () => {
  const deployment = await startOtherDeployment()
  const client = createSupertestClient()
  try {
    const report = await verify({ target: deployment.target, client })
    expect(report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')).toEqual([])
    expect(report.summary.held).toBeGreaterThan(75)
    expect(exitStatus({ ...report, failOn: 'documented' })).toBe(0)
    expect(report.left ?? []).toEqual([])
  } finally {
    client.close?.()
    await deployment.close()
  }
})
