import { describe, expect, it } from 'vitest'
import { exitStatus } from '../report/exit-status.ts'
import { verify } from '../run/verify.ts'
import { createDeploymentClient, deploymentTarget } from './other-deployment/client.ts'
import { deploy, type Variant } from './other-deployment/deployment.ts'
import { mutants } from './other-deployment/mutants.ts'
import { pagings } from './other-deployment/paging.ts'
import { withoutDocumented } from './other-deployment/target.ts'

/** Deployments that keep every rule, but whose choices in gaps a suite might not expect. */

const target = withoutDocumented(deploymentTarget)

async function run(variant: Variant, mutant?: string) {
  const { selfHosted } = target
  const report = await verify({
    target: { ...target, selfHosted: { ...selfHosted, apiKey: variant.apiKey ?? selfHosted.apiKey } },
    client: createDeploymentClient(deploy(mutant === undefined ? undefined : findMutant(mutant), variant)),
    readOnly: false,
  })
  const verdictOf = (id: string) => report.rules.filter(rule => rule.id === id).map(({ outcome }) => outcome)
  return { report, verdictOf }
}

function findMutant(id: string) {
  const mutant = mutants.find(one => one.id === id)
  if (!mutant) throw new Error(`There is no mutant ${id}.`)
  return mutant
}

const wholeLists = ['dashboard/created-is-listed', 'alert/created-is-listed', 'member/list-is-whole-and-steady']
const followed = pagings.filter(paging => paging !== 'hasMore only')

describe('a list that is paged', () => {
  it.each(followed)('by %s is read to its end', async paging => {
    const { report, verdictOf } = await run({ paging })
    expect(report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')).toEqual([])
    expect(wholeLists.flatMap(verdictOf)).toEqual(['held', 'held', 'held', 'held', 'held'])
    expect(report.left ?? []).toEqual([])
    expect(exitStatus({ ...report, failOn: 'documented' })).toBe(0)
  })

  it('in an unknown way is not judged', async () => {
    const { report, verdictOf } = await run({ paging: 'hasMore only' })
    expect(report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')).toEqual([])
    expect(verdictOf('dashboard/created-is-listed')).toContain('not-applicable')
    expect(report.left ?? []).toEqual([])
  })

  it.each(
    followed.flatMap(paging =>
      [
        ['dashboard/created-is-listed', 'selfHosted dashboard: created is not listed'],
        ['alert/deleted-is-gone', 'managed alert: deleted is still listed'],
      ].map(([rule, mutant]) => [paging, rule!, mutant!] as const),
    ),
  )('by %s breaks %s on the mutant "%s"', async (paging, rule, mutant) => {
    const { verdictOf } = await run({ paging }, mutant)
    expect(verdictOf(rule)).toContain('broken')
  })
})

describe('a dashboard that needs a field which the specification does not show', () => {
  it('is not created, which breaks no rule', async () => {
    const { report, verdictOf } = await run({ dashboardsNeed: 'layout' })
    expect(report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')).toEqual([])
    expect(verdictOf('dashboard/create-answers')).toEqual(['not-applicable', 'not-applicable'])
    expect(report.rules.find(({ id }) => id === 'dashboard/create-answers')?.detail).toMatch(
      /^the specification does not describe the body of this operation, and the deployment refused that of the run: POST \S+\/dashboards was answered with 400 .*layout is missing/,
    )
    expect(verdictOf('alert/create-accepts-the-sample')).toEqual(['held', 'held'])
    expect(report.left ?? []).toEqual([])
  })

  it('is replaced in alerts by a listed dashboard when the target file names a deleted tile', async () => {
    const { selfHosted, ...rest } = target
    const references = { ...selfHosted.references, tileId: 'gone' }
    const report = await verify({
      target: { ...rest, selfHosted: { ...selfHosted, references } },
      client: createDeploymentClient(deploy(undefined, { dashboardsNeed: 'layout' })),
      readOnly: false,
    })
    expect(report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')).toEqual([])
    expect(report.target.stale).toEqual([
      expect.stringContaining('`selfHosted.references.tileId` names "gone", and the dashboard'),
    ])
  })
})

describe('charts with times', () => {
  it.each(['milliseconds', 'seconds', 'microseconds', 'nanoseconds'] as const)('in %s are all judged', async unit => {
    const { report } = await run({ unit })
    expect(report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')).toEqual([])
    const charts = report.rules.filter(
      ({ id, form, level }) => id.startsWith('chart/') && form === 'selfHosted' && level !== 'observe',
    )
    expect(charts.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(charts.map(({ id }) => `${id} held`))
    expect(report.rules.find(({ id }) => id === 'chart/time-unit')?.observed).toBe(unit)
    expect(report.left ?? []).toEqual([])
    expect(exitStatus({ ...report, failOn: 'documented' })).toBe(0)
  })
})

describe('a token that is a UUID', () => {
  it('may be accepted in another letter case, which is observed and not judged', async () => {
    const { report } = await run({ apiKey: '5b0c3f3e-9f2d-4c8b-a1d7-0c9e8f7a6b5d' })
    expect(report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')).toEqual([])
    const ofSelfHosted = report.rules.filter(({ form }) => form === 'selfHosted')
    expect(ofSelfHosted.find(({ id }) => id === 'auth/token-letter-case')?.observed).toBe('accept')
    expect(ofSelfHosted.find(({ id }) => id === 'auth/near-miss-is-refused')?.outcome).toBe('held')
  })

  it('is the only one whose letter case is left open', async () => {
    const { verdictOf } = await run({})
    expect(verdictOf('auth/token-letter-case')).toEqual(['not-applicable'])
  })
})
