import { describe, expect, it } from 'vitest'
import { type Operation, operations, type RuleId, rules } from '../../fixtures/built-contract/index.ts'
import { createMock } from '../../mock-server/index.ts'
import { createStandInEngine } from '../../mock-server/testing/stand-in-engine.ts'
import { patternOf } from '../engine/paths.ts'
import { rules as everyRule } from '../rules/select.ts'
import { checks } from '../run/checks.ts'
import { createEvidence, examine, verify } from '../run/verify.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

/**
 * Each fault of the mock breaks one rule, and the suite must notice it. A fault of a family is tested in a run of its family,
 * where the general rules judge the answers of the family. Full runs with one fault of every family show that a fault breaks
 * no rule of another family; there are as many of these runs as the largest family has rules. Each fault of a general rule
 * has a full run.
 */

/** The newer edition in the managed and the self-hosted form. */
const edition = { 'version/self-hosted-edition': '2.36' }
const newer = { choices: { managed: edition, selfHosted: edition } }

/** Whether a rule is about an operation or an object that only the newer edition has. */
const isNewer = (id: RuleId) => {
  const [resource = '', claim = ''] = id.split('/')
  const named = (verb: string): Operation | undefined => operations[`${resource}.${verb}` as keyof typeof operations]
  const { editions } = named(claim.replace(/-answers$/, '')) ?? named('create') ?? named('list') ?? named('query') ?? {}
  return editions?.includes('2.36') === true && !editions.includes('2.24')
}

const isWrong = ({ outcome }: { readonly outcome: string }) => outcome === 'broken' || outcome === 'errored'

/** The services answer SQL. */
const withSql = { sql: createStandInEngine(), seed: 1, cors: 'any' }

function start(faults: readonly RuleId[], as?: typeof newer) {
  // Telemetry is generated for every run; few rows are enough, as long as no hour is without rows.
  const mock = createMock({ faults: [...faults], logs: 3000, ...(as && { as }), ...withSql })
  return { target: directTarget(mock), client: createDirectClient(mock) }
}

/** Every effect that a run on a real deployment must be allowed. */
const allowEffects = ['disrupts', 'costs', 'notifies', 'grants'] as const

const judge = async (faults: readonly RuleId[], as?: typeof newer) =>
  (await verify({ ...start(faults, as), allowEffects })).rules.filter(isWrong)

/**
 * The rules of the fault's family that are broken, and the general rules that the answers to its steps break. A rule that
 * reads everything is selected only for its own fault: selected, it makes the run send every request.
 */
async function judgeFamily(id: RuleId) {
  const family = `${familyOf(id)}/`
  const selected = everyRule
    .map(rule => rule.id)
    .filter(one => one === id || (one.startsWith(family) && !isGeneral(one)))
  const options = { ...start([id], isNewer(id) ? newer : undefined), rules: selected, allowEffects }
  const { report, sentSteps, exchanges } = await examine(options)
  const general = everyRule.flatMap(rule =>
    isGeneral(rule.id) && rule.id !== id
      ? rule.forms.map(form => ({
          id: rule.id,
          form,
          ...checks[rule.id].judge(createEvidence(form, sentSteps, exchanges)),
        }))
      : [],
  )
  return [...report.rules, ...general].filter(isWrong)
}

const isGeneral = (id: keyof typeof checks) => checks[id].reads === 'everything'

/**
 * Rules that a fault may break in addition to its own: those that compare a list or a request with a get, or a list with its
 * pages, and the one about secrets that are shown again.
 */
const mayBreakToo = (id: string) =>
  /^answer\/(?:effects-are-shown|lists-agree-with-gets|shows-no-secret-again)$|^(?:page\/cursor-leads-on|list\/filter-selects)$|\/(?:listed-is-got|list-agrees-with-get|whole-is-kept)$/.test(
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
    expect(await judge([])).toEqual([])
  })

  it('calls every operation of the contract, finds nothing broken and leaves nothing behind', async () => {
    const { target, client } = start([], newer)
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

  it.each([...families.values()].flat())(
    'notices the fault of %s on each form, and finds nothing else broken',
    async id => {
      const wrong = (await judgeFamily(id)).filter(rule => rule.id === id || !mayBreakToo(rule.id))
      expect([...new Set(wrong.map(rule => rule.id))]).toEqual([id])
      expect(wrong.map(rule => rule.form).sort()).toEqual([...rules[id].forms].sort())
    },
  )

  it.each(general)('notices the fault of %s on each form, and finds nothing else broken in any family', async id => {
    const first = await judge([id])
    // In some forms only the newer edition has the operations of a rule.
    const isSeen = rules[id].forms.every(form => first.some(rule => rule.id === id && rule.form === form))
    const wrong = (isSeen ? first : [...first, ...(await judge([id], newer))]).filter(
      rule => rule.id === id || !rule.id.endsWith('/whole-is-kept'),
    )
    expect([...new Set(wrong.map(rule => rule.id))]).toEqual([id])
    expect([...new Set(wrong.map(rule => rule.form))].sort()).toEqual([...rules[id].forms].sort())
  })

  it.each(neighbours.map((faults, index) => [index + 1, faults] as const))(
    'finds nothing else broken with fault %i of every family at once',
    async (nth, faults) => {
      const wrong = await judge(faults, nth % 2 ? newer : undefined)
      const own: readonly string[] = faults
      expect(wrong.filter(({ id }) => !own.includes(id) && !mayBreakToo(id)).map(({ id }) => id)).toEqual([])
    },
  )
})
