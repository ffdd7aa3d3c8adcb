import { afterAll, describe, expect, it } from 'vitest'
import type { Form } from '../../fixtures/contract/index.ts'
import { exitStatus } from '../harness/exit-status.ts'
import { createSupertestClient } from '../harness/supertest-client.ts'
import { verify } from '../harness/verify.ts'
import { startOtherDeployment } from './other-deployment/index.ts'
import { mutants } from './other-deployment/mutants.ts'

/** Registers a test for each mutant of one form: the suite, over real sockets, notices it under the right rule and no other. */
export function judgeMutants(form: Form): void {
  const client = createSupertestClient()
  afterAll(() => client.close?.())

  describe(`mutants of the other deployment, ${form}`, () => {
    it.each(mutants.filter(mutant => mutant.form === form).map(({ id, rule }) => [id, rule] as const))(
      '%s breaks %s',
      async (id, rule) => {
        const deployment = await startOtherDeployment({ mutant: id })
        try {
          const report = await verify({ target: deployment.target, client })
          const broken = report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
          expect([...new Set(broken.map(found => found.id))]).toEqual([rule])
          expect(exitStatus(report, { strict: true })).toBe(1)
        } finally {
          await deployment.close()
        }
      },
    )
  })
}
