import type { Field } from '../../../fixtures/contract/index.ts'
import { groupBy } from '../../engine/group-by.ts'
import { type Change, type Condition, changesAt, type Kind, type Location, type Side } from './change.ts'
import { isUndocumented } from './read-document.ts'
import { merge, type Reader, readUnion, type Schema, uniteAlternatives } from './schema.ts'

/** A schema of the older document beside the same one of the newer. */
export interface SchemaPair {
  readonly side: Side
  readonly place: string
  readonly at: Location
  readonly was: Schema
  readonly is: Schema
  /** The contract's description, where it has one. */
  readonly field?: Field | undefined
  /** True where unlisted properties are refused, whatever the documents say. */
  readonly isClosed?: boolean
}

/** The readers of the compared documents. */
export interface Readers {
  readonly was: Reader
  readonly is: Reader
  /** True when the older document was generated from the contract, which omits details that a vendor documents. */
  readonly isContract: boolean
}

/** The kind of a change that allows less (narrower) or more (wider) than before: narrower breaks requests, wider answers. */
const kindOf = (side: Side, { narrower, wider }: { narrower: boolean; wider: boolean }): Kind | undefined => {
  if (side === 'answer') return wider ? 'breaking' : narrower ? 'neutral' : undefined
  return narrower ? 'breaking' : wider ? 'additive' : undefined
}

type Changes = ReturnType<typeof changesAt>

/** Compares whether a part is required, before (`needed`) and now (`needs`). */
export function* compareRequired(change: Changes, side: Side, needed: boolean, needs: boolean): Generator<Change> {
  const kind = needed === needs ? undefined : kindOf(side, { narrower: needs, wider: needed })
  if (kind) yield change(needs ? 'required' : 'optional', kind, needed, needs)
}

export const describeNew = (change: Changes, isDemanded: boolean, is?: string): Change =>
  isDemanded ? change('new-required', 'breaking', undefined, is) : change('new', 'additive', undefined, is)

/** Says that a part changed whose effect on clients is not judged. */
export function* compareUnjudged(change: Changes, what: string, was: unknown, is: unknown): Generator<Change> {
  const [before, after] = [was, is].map(value => (value === undefined ? undefined : JSON.stringify(value)))
  if (before !== after) yield change(`${what}-changed-not-judged`, 'neutral', before, after)
}

/** Compares two schemas, and all that they contain. */
export function* compareSchemas(pair: SchemaPair, readers: Readers, above: readonly string[] = []): Generator<Change> {
  const { was, is, side } = pair
  if (was.isIncomplete || is.isIncomplete) return
  const key = `${was.componentReferences} > ${is.componentReferences}`
  // A schema that contains itself is compared once.
  if (key !== ' > ' && above.includes(key)) return
  const here = { ...pair, place: was.name ?? is.name ?? pair.place }
  const { place, field } = here
  yield* compareValueOf(here)
  const deeper = [...above, key]
  const pairs = was.alternatives && is.alternatives && pairAlternatives(was.alternatives, is.alternatives, readers)
  if (!pairs) {
    const [a, b] = [uniteAlternatives(was), uniteAlternatives(is)]
    yield* compareProperties({ ...here, was: a, is: b }, readers, deeper)
    if (a.items === undefined || b.items === undefined) return
    const items = { was: readers.was(a.items), is: readers.is(b.items), field: field?.items }
    const at = { ...below(pair.at, '[]'), takes: () => describeTaken(items.is) }
    yield* compareSchemas({ ...here, place: `${place}[]`, at, ...items }, readers, deeper)
    return
  }
  // Properties that both have outside their alternatives are compared once; other parts are merged into each alternative.
  const [a, b] = [was, is].map(({ alternatives: _, ...rest }) => rest) as [Schema, Schema]
  const shared = new Set([...a.properties.keys()].filter(name => b.properties.has(name)))
  yield* compareProperties({ ...here, was: only(a, shared), is: only(b, shared) }, readers, deeper)
  const goneAlternatives = pairs.filter(({ was, is }) => was && !is)
  const change = changesAt(side, place, within(pair.at, uniteMarks(goneAlternatives)))
  const gone = goneAlternatives.map(({ label }) => label)
  const fresh = pairs.flatMap(({ was, is, label }) => (is && !was ? [label] : []))
  if (gone.length > 0) yield change('alternatives-gone', side === 'answer' ? 'neutral' : 'breaking', gone)
  if (fresh.length > 0) yield change('alternatives-new', 'additive', undefined, fresh)
  for (const { was, is, label, marks } of pairs) {
    if (!was || !is) continue
    const whole = { was: withSurroundings(was, a, shared), is: withSurroundings(is, b, shared) }
    yield* compareSchemas(
      { ...here, place: `${place}(${label})`, at: within(pair.at, marks), ...whole },
      readers,
      deeper,
    )
  }
}

/** What distinguishes an alternative: the values of a field, or fields that no other alternative has. */
interface Mark {
  readonly names: readonly string[]
  readonly values?: readonly string[]
}

/** The marks of several alternatives as one; none if one of them has no mark. */
function uniteMarks(alternatives: readonly AlternativePair[]): readonly Mark[] {
  const first = alternatives.map(({ marks }) => marks[0])
  if (first.length === 0 || !first.every(mark => mark !== undefined)) return []
  const names = [...new Set(first.flatMap(({ names }) => names))]
  const values = first.flatMap(({ values }) => values ?? [])
  return [{ names, ...(first.every(mark => mark.values) && { values }) }]
}

const below = ({ takes: _, ...at }: Location, step: string): Location => ({ ...at, path: at.path + step })

/** A location within an alternative of a union. */
const within = (at: Location, marks: readonly Mark[]): Location => ({
  ...at,
  conditions: [
    ...at.conditions,
    ...marks.map(({ names, ...rest }): Condition => ({ paths: names.map(name => `${at.path}.${name}`), ...rest })),
  ],
})

const only = (schema: Schema, names: ReadonlySet<string>): Schema => ({
  ...schema,
  properties: new Map([...schema.properties].filter(([name]) => names.has(name))),
  additionalProperties: undefined,
})

/** An alternative merged with the schema that contains it, without the shared properties. */
const withSurroundings = (choice: Schema, container: Schema, shared: ReadonlySet<string>): Schema => {
  const whole = merge(choice, container)
  const properties = new Map([...whole.properties].filter(([name]) => !shared.has(name)))
  return { ...whole, name: choice.name, componentReferences: choice.componentReferences, properties }
}

/** Compares types, null, format, values and bounds. */
function* compareValueOf({ side, place, at, was: a, is: b, field }: SchemaPair): Generator<Change> {
  const [was, is] = [uniteAlternatives(a), uniteAlternatives(b)]
  const change = changesAt(side, place, at)
  const compare = (what: string, narrower: boolean, wider: boolean, before: unknown, after: unknown): Change[] => {
    const kind = kindOf(side, { narrower, wider })
    return kind ? [change(what, kind, before, after)] : []
  }
  for (const keyword of new Set([...was.unjudged.keys(), ...is.unjudged.keys()]))
    yield* compareUnjudged(change, keyword, was.unjudged.get(keyword), is.unjudged.get(keyword))
  const [narrower, wider] = [!covers(is.types, was.types), !covers(was.types, is.types)]
  yield* compare('type', narrower, wider, typeText(was), typeText(is))
  // Another type takes other formats, values and bounds.
  if (narrower && wider) return
  if (!narrower && !wider)
    yield* compare('null', was.nullable && !is.nullable, is.nullable && !was.nullable, was.nullable, is.nullable)
  if (is.format !== was.format)
    yield* compare('format', is.format !== undefined, was.format !== undefined, was.format, is.format)
  if (was.values || is.values) yield* compareValues({ side, place, at, was, is, field })
  else
    for (const keyword of new Set([...was.bounds.keys(), ...is.bounds.keys()])) {
      const [before, after] = [was.bounds.get(keyword), is.bounds.get(keyword)]
      // Bounds of an answer break no client: a number may become larger.
      const kind = side === 'answer' ? 'neutral' : isNarrower(keyword, before, after) ? 'breaking' : 'additive'
      if (before !== after) yield change(keyword, kind, before, after)
    }
  if (is.flags.has('deprecated') && !was.flags.has('deprecated')) yield change('deprecated', 'neutral')
}

function* compareValues({
  side,
  place,
  at,
  was: { values: was },
  is: { values: is },
  field,
}: SchemaPair): Generator<Change> {
  const change = changesAt(side, place, at)
  const isAnswer = side === 'answer'
  // Where the specification lists the values, no other may come.
  const isExact = field?.basis === 'stated' && field.values !== undefined && field.sampleValues === undefined
  const more = isAnswer && isExact ? 'breaking' : 'additive'
  const fewer = isAnswer ? 'neutral' : 'breaking'
  if (was && is) {
    const gone = [...was].filter(value => !is.has(value))
    const fresh = [...is].filter(value => !was.has(value))
    if (gone.length > 0) yield change('values-gone', fewer, gone)
    if (fresh.length > 0) yield change('values-new', more, undefined, fresh)
  } else if (was) yield change('values-open', more, [...was])
  else if (is) yield change('values-listed', fewer, undefined, [...is])
}

function* compareProperties(
  { side, place, at, was, is, field, isClosed }: SchemaPair,
  readers: Readers,
  above: readonly string[],
): Generator<Change> {
  // `additionalProperties` is compared as one more property.
  const [before, after] = [listVisible(was, side, readers.was), listVisible(is, side, readers.is)]
  if (before.size === 0 && after.size === 0) return
  // The contract leaves the fields of an object open where it lists none.
  if (before.size === 0 && readers.isContract) return
  if ([was, is].some(({ types }) => types && !types.has('object'))) return
  for (const [name, schema] of before) {
    const next = after.get(name) ?? after.get('*')
    const inside = {
      place: `${place}.${name}`,
      at: { ...below(at, `.${name}`), takes: () => describeTaken(readers.is(next)) },
    }
    const change = changesAt(side, inside.place, inside.at)
    const known = field?.fields?.[name]
    const [needed, needs] = [was.required.has(name), is.required.has(name)]
    if (next === undefined) {
      if (isUndocumented(schema)) continue
      const isRefused = isClosed || is.additionalProperties === false || was.additionalProperties === false
      // A client may read an optional field as well; it was warned of the end of a deprecated one.
      const breaks = side === 'answer' ? !readers.was(schema).flags.has('deprecated') : isRefused
      yield change('gone', breaks ? 'breaking' : 'neutral', typeText(uniteAlternatives(readers.was(schema))))
      continue
    }
    // The same silence does not make a required field of the contract optional.
    const isSilent = (readers.isContract && is.required.size === 0) || isUndocumented(schema)
    if (needs || !isSilent) yield* compareRequired(change, side, needed, needs)
    const schemas = { was: readers.was(schema), is: readers.is(next) }
    yield* compareSchemas({ side, ...inside, ...schemas, field: known }, readers, above)
  }
  for (const [name, schema] of after) {
    const needs = is.required.has(name)
    if (before.has(name) || (before.has('*') && !needs)) continue
    const type = typeText(uniteAlternatives(readers.is(schema)))
    const inside = { ...below(at, `.${name}`), takes: () => describeTaken(readers.is(schema)) }
    yield describeNew(changesAt(side, `${place}.${name}`, inside), side !== 'answer' && needs, type)
  }
}

/** The properties that this side sees, and as `*` the schema of unlisted properties. */
function listVisible(
  { properties, additionalProperties }: Schema,
  side: Side,
  read: Reader,
): ReadonlyMap<string, unknown> {
  const isHidden = (schema: unknown) => read(schema).flags.has(side === 'answer' ? 'writeOnly' : 'readOnly')
  const listed = [...properties].filter(([, schema]) => !isHidden(schema))
  const isDescribed =
    typeof additionalProperties === 'object' &&
    additionalProperties !== null &&
    Object.keys(additionalProperties).length > 0
  return new Map(isDescribed ? [...listed, ['*', additionalProperties]] : listed)
}

/** An alternative of two unions; one document may lack it. */
interface AlternativePair {
  readonly label: string
  readonly marks: readonly Mark[]
  readonly was?: Schema
  readonly is?: Schema
}

/**
 * Pairs the alternatives of two unions by their names, or by the values that distinguish them, such as `type: 'kafka'`.
 * Undefined when there is no pair, so that the unions are compared as wholes.
 */
function pairAlternatives(
  old: readonly Schema[],
  now: readonly Schema[],
  readers: Readers,
): readonly AlternativePair[] | undefined {
  const [was, is] = [uniteEqual(old, readers.was), uniteEqual(now, readers.is)]
  const [before, after] = [tagsOf(was, readers.was), tagsOf(is, readers.is)]
  const left = new Set(is)
  const take = (fits: (one: Schema) => boolean) => {
    const found = [...left].find(fits)
    if (found) left.delete(found)
    return found
  }
  const named = new Map(
    was.map(choice => [choice, choice.name === undefined ? undefined : take(({ name }) => name === choice.name)]),
  )
  const pairs = was.map((choice): AlternativePair => {
    const tags = before.get(choice)!
    const isSame = (one: Schema) => haveEqualTags(tags, after.get(one)!)
    const marks = marksOf(choice, was, tags)
    return { label: choice.name ?? labelOf(tags), marks, was: choice, is: named.get(choice) ?? take(isSame) }
  })
  if (!pairs.some(({ is }) => is)) return undefined
  const fresh = [...left].map(choice => {
    const tags = after.get(choice)!
    return { label: choice.name ?? labelOf(tags), marks: marksOf(choice, is, tags), is: choice }
  })
  return [...pairs, ...fresh]
}

function marksOf(choice: Schema, choices: readonly Schema[], tags: Tags): readonly Mark[] {
  if (tags.size > 0) return [...tags].map(([name, values]) => ({ names: [name], values: [...values] }))
  const namesOf = (schema: Schema) => [...uniteAlternatives(schema).properties.keys()]
  const others = new Set(choices.filter(other => other !== choice).flatMap(namesOf))
  const names = namesOf(choice).filter(name => !others.has(name))
  return names.length > 0 ? [{ names }] : []
}

/** Unites alternatives with the same name or values: a document may divide by kind, and then by notation. */
function uniteEqual(choices: readonly Schema[], read: Reader): readonly Schema[] {
  const tags = tagsOf(choices, read)
  const groups = groupBy(choices, choice => choice.name ?? labelOf(tags.get(choice)!))
  const unite = (same: readonly Schema[]) => (same.length === 1 ? same[0]! : readUnion(same))
  return groups.size === 1 ? choices : [...groups.values()].map(unite)
}

type Tags = ReadonlyMap<string, ReadonlySet<string>>

/** For each alternative its values of those properties that have a single value in every alternative. */
function tagsOf(choices: readonly Schema[], read: Reader): ReadonlyMap<Schema, Tags> {
  const whole = choices.map(one => [one, uniteAlternatives(one).properties] as const)
  const valuesOf = (properties: Schema['properties'], name: string) =>
    read(properties.get(name)).values ?? new Set<string>()
  const all = [...new Set(whole.flatMap(([, properties]) => [...properties.keys()]))]
  const tags = all.filter(name => whole.every(([, properties]) => valuesOf(properties, name).size === 1))
  return new Map(whole.map(([one, properties]) => [one, new Map(tags.map(name => [name, valuesOf(properties, name)]))]))
}

/** True when both have a tag in common, and equal values of all common tags. */
function haveEqualTags(a: Tags, b: Tags): boolean {
  const shared = [...a.keys()].filter(name => b.has(name))
  return shared.length > 0 && shared.every(name => [...a.get(name)!].every(value => b.get(name)!.has(value)))
}

const labelOf = (tags: Tags) => [...tags.values()].flatMap(values => [...values]).join(', ') || 'unnamed'

/** True when every type of `some` is allowed by `all`. */
const covers = (all: ReadonlySet<string> | undefined, some: ReadonlySet<string> | undefined) =>
  !all || (!!some && [...some].every(type => all.has(type) || (type === 'integer' && all.has('number'))))

const lowerBounds = /^(?:min|exclusiveMin)/i

function isNarrower(keyword: string, was: unknown, is: unknown): boolean {
  if (is === undefined) return false
  if (was === undefined) return true
  if (typeof was !== 'number' || typeof is !== 'number') return was !== is
  if (keyword === 'multipleOf') return was % is !== 0
  return lowerBounds.test(keyword) ? is > was : is < was
}

export function describeTaken(schema: Schema) {
  const { values, ...rest } = uniteAlternatives(schema)
  return { type: typeText({ ...rest, nullable: false }), ...(values && { values: [...values] }) }
}

const typeText = ({ types, nullable }: Schema): string =>
  [...(types ? [...types].sort() : ['any']), ...(nullable ? ['null'] : [])].join(' | ')
