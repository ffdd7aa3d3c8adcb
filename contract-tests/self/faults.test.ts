import { describe, expect, it } from 'vitest'
import { type Operation, operations, type RuleId, rules } from '../../fixtures/contract/index.ts'
import { createMock } from '../../mock-server/index.ts'
import { createStandInEngine } from '../../mock-server/testing/stand-in-engine.ts'
import { patternOf } from '../engine/paths.ts'
import { rules as everyRule } from '../rules/select.ts'
import { checks } from '../run/checks.ts'
import { createEvidence, examine, verify } from '../run/verify.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

/**
 * The mock, deliberately broken rule by rule, proves that the suite can see. A rule of a family is broken in a run of its
 * family alone, where the general rules are judged by the family's answers. That it breaks no other family's rule is shown by
 * whole runs in which every family has one fault: as many as the family with the most rules has, however many families there
 * are. The general rules have a whole run each.
 */

/** A mock of the newer edition in both forms. */
const edition = { 'version/self-hosted-edition': '2.36' }
const newer = { choices: { managed: edition, selfHosted: edition } }

/** Rules of an operation that only the newer edition has, or of things that only it creates. */
const isNewer = (id: RuleId) => {
  const [resource = '', claim = ''] = id.split('/')
  const named = (verb: string): Operation | undefined => operations[`${resource}.${verb}` as keyof typeof operations]
  const { editions } = named(claim.replace(/-answers$/, '')) ?? named('create') ?? named('list') ?? named('query') ?? {}
  return editions?.includes('2.36') === true && !editions.includes('2.24')
}

const isWrong = ({ outcome }: { readonly outcome: string }) => outcome === 'broken' || outcome === 'errored'

/** With services that answer, in the usual world. */
const withSql = { sql: createStandInEngine(), seed: 1, cors: 'any' }

function begin(faults: readonly RuleId[], as?: typeof newer) {
  // Telemetry is generated for every run; few rows are enough, as long as no hour is without rows.
  const mock = createMock({ faults: [...faults], logs: 10_000, ...(as && { as }), ...withSql })
  return { target: directTarget(mock), client: createDirectClient(mock) }
}

/** What nobody is asked for on a mock. */
const allowEffects = ['disrupts', 'costs', 'notifies', 'grants'] as const

const verdicts = async (faults: readonly RuleId[], as?: typeof newer) =>
  (await verify({ ...begin(faults, as), allowEffects })).rules.filter(isWrong)

/** The rules of a fault's family that are wrong, and the general ones that are wrong in what its steps were answered. */
async function verdictsOfFamily(id: RuleId) {
  const family = `${familyOf(id)}/`
  const options = { ...begin([id], isNewer(id) ? newer : undefined), rules: [family], allowEffects }
  const { report, sentSteps, exchanges } = await examine(options)
  const general = everyRule.flatMap(({ id, forms }) =>
    checks[id].reads === 'everything' && !id.startsWith(family)
      ? forms.map(form => ({ id, form, ...checks[id].judge(createEvidence(form, sentSteps, exchanges)) }))
      : [],
  )
  return [...report.rules, ...general].filter(isWrong)
}

/**
 * What a fault may break beside its own rule: those that compare a list, or what was sent, with a get, and the one of secrets,
 * which a fault that shows a secret breaks.
 */
const isComparing = (id: string) =>
  /^answer\/(?:effects-are-shown|lists-agree-with-gets|shows-no-secret-again)$|\/(?:listed-is-got|list-agrees-with-get)$/.test(
    id,
  )

const familyOf = (id: string) => id.split('/')[0]!
const families = new Map<string, RuleId[]>()
const general: RuleId[] = []
for (const id of Object.keys(rules) as RuleId[]) {
  const family = familyOf(id)
  if (Object.keys(operations).some(name => name.startsWith(`${family}.`)))
    families.set(family, [...(families.get(family) ?? []), id])
  else general.push(id)
}
const max = Math.max(...[...families.values()].map(({ length }) => length))
/** The nth rule of each family, from the beginning again where a family has fewer. */
const neighbours = Array.from({ length: max }, (_, nth) => [...families.values()].map(own => own[nth % own.length]!))

describe('the suite on the mock', () => {
  it('finds nothing broken without a fault', async () => {
    expect(await verdicts([])).toEqual([])
  })

  it('calls every operation of the contract, and breaks nothing', async () => {
    const { target, client } = begin([], newer)
    const called = new Set<string>()
    const all = Object.entries<Operation>(operations).flatMap(([id, { method, paths }]) =>
      Object.entries(paths).map(([form, path]) => ({ name: `${form} ${id}`, method, pattern: patternOf(path) })),
    )
    const noting: typeof client = {
      ...client,
      async send(request) {
        const [path = ''] = request.path.split('?')
        for (const { name, method, pattern } of all)
          if (method === request.method && pattern.test(path)) called.add(name)
        return client.send(request)
      },
    }
    const { rules, left } = await verify({ target, client: noting, allowEffects })
    expect(rules.filter(isWrong)).toEqual([])
    expect(left).toBeUndefined()
    expect(all.flatMap(({ name }) => (called.has(name) ? [] : [name]))).toEqual([])
  })

  it.each([...families.values()].flat())('notices the fault of %s, on each form, and nothing else', async id => {
    const wrong = (await verdictsOfFamily(id)).filter(rule => rule.id === id || !isComparing(rule.id))
    expect([...new Set(wrong.map(rule => rule.id))]).toEqual([id])
    expect(wrong.map(rule => rule.form).sort()).toEqual([...rules[id].forms].sort())
  })

  it.each(general)('notices the fault of %s, on each form, and nothing else in any family', async id => {
    const first = await verdicts([id])
    // Some forms have what a rule is about in the newer edition only.
    const isSeen = rules[id].forms.every(form => first.some(rule => rule.id === id && rule.form === form))
    const wrong = isSeen ? first : [...first, ...(await verdicts([id], newer))]
    expect([...new Set(wrong.map(rule => rule.id))]).toEqual([id])
    expect([...new Set(wrong.map(rule => rule.form))].sort()).toEqual([...rules[id].forms].sort())
  })

  it.each(neighbours.map((faults, index) => [index + 1, faults] as const))(
    'finds nothing else broken with fault %i of every family at once',
    async (nth, faults) => {
      const wrong = await verdicts(faults, nth % 2 ? newer : undefined)
      const own: readonly string[] = faults
      expect(wrong.filter(({ id }) => !own.includes(id) && !isComparing(id)).map(({ id }) => id)).toEqual([])
    },
  )
})
