import { describe, expect, it } from 'vitest'
import { exitStatus } from '../report/exit-status.ts'
import { verify } from '../run/verify.ts'
import { createDeploymentClient, deploymentTarget } from './other-deployment/client.ts'
import { deploy } from './other-deployment/deployment.ts'
import { type Mutant, mutants } from './other-deployment/mutants.ts'
import { withoutDocumented } from './other-deployment/target.ts'

/**
 * Every mutant of the other deployment is noticed under its rule and no other. The deployment is called directly here,
 * which takes a tenth of the time; different-choices.test.ts runs the same suite over real sockets, with every
 * documented operation.
 */

/** The resources whose answers the mutant changes, and those that its rules are about. */
const resourcesOf = ({ rule, at, also = [] }: Mutant) =>
  [at.operation ?? [], rule, ...also].flat().map(name => name.split(/[./]/)[0]!)

/** Rules about every answer, which any mutant may break. */
const generalRules = ['answer/refusals-are-described', 'answer/has-the-fields-of-the-contract']

describe('the suite on a mutant of the other deployment', () => {
  it.each(mutants)('notices "$id" under $rule, and finds no unrelated rule broken', async mutant => {
    const target = withoutDocumented(deploymentTarget, resourcesOf(mutant))
    // A mutant changes answers of its form alone.
    const report = await verify({ target, client: createDeploymentClient(deploy(mutant)), forms: [mutant.form] })
    const wrong = report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
    expect(wrong.map(({ id, form }) => `${id} ${form}`)).toContain(`${mutant.rule} ${mutant.form}`)
    const allowed: readonly string[] = [mutant.rule, ...(mutant.also ?? []), ...generalRules]
    // Whole reads are compared, too, so that a mutant of a resource breaks this rule of it.
    const isAllowed = (id: string) => allowed.includes(id) || id.endsWith('/whole-is-kept')
    expect(wrong.map(({ id }) => id).filter(id => !isAllowed(id))).toEqual([])
    expect(exitStatus({ ...report, failOn: 'documented' })).toBe(1)
  })
})
