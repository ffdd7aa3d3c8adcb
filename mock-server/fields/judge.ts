import type { Edition, Field, Fields, Form, OneOf } from '../../fixtures/contract/index.ts'
import type { Issue } from '../words/refusal.ts'
import { hasFormat, isDeployedEmail, testOf } from './formats.ts'
import { type FaultKind, type Sentence, sentencesOf, writeSentence } from './sentences.ts'
import { viewOf } from './view.ts'

/** What a judgement depends on besides field and value. */
export interface Terms {
  readonly form: Form
  readonly edition: Edition
  /** The moment of the call, in epoch milliseconds. */
  readonly now: number
  /** Whether any text of twelve characters passes for an object id. */
  readonly twelveCharacters: boolean
  /** The most series that a chart query may have. */
  readonly maxSeries: number
}

/**
 * A rule over several fields. It judges values whose fields are of the right types, and reports each issue with the path
 * below the value. Each check declares the type of its `value`; `received` is the value as it was sent, with unknown fields.
 */
// biome-ignore lint/suspicious/noExplicitAny: each check knows the type of the value at its place
export type BodyCheck = (value: any, reportIssue: ReportIssue, terms: Terms, received: any) => void
export type ReportIssue = (sentence: string, ...path: readonly (string | number)[]) => void

/**
 * The rules of a family for a body, beyond the contract, by the place of a field: its names joined by points, without
 * the indexes of items, so a list has the place of its items. The names and values of a map have places of their own,
 * such as `headers.name` and `headers.value`. The empty place is the whole body.
 */
export interface BodyRules {
  /** The deployments' own sentences: by place and kind of fault, such as `name min`, for all editions or by edition. */
  readonly sentences?: Readonly<Record<string, Sentence | { readonly [edition in Edition]?: Sentence }>>
  readonly checks?: Readonly<Record<string, BodyCheck>>
  /** The places where any issue counts as a wrong type: checks of the value and its parents are then skipped. */
  readonly abortingPlaces?: readonly string[]
  /** Fields of an object that deployments judge separately, after its other fields and its check. */
  readonly judgedLast?: Readonly<Record<string, readonly string[]>>
}

interface Setting extends BodyRules {
  readonly form: Form
  readonly edition: Edition
  readonly part: Issue['part']
}

export interface Judgement {
  /** The value that the handler gets: unknown fields dropped, texts trimmed, defaults filled in. */
  readonly value: unknown
  readonly issues: readonly Issue[]
}

/** Judges values by a field. The field is compiled once, so that a valid body costs little. */
export type Judge = (value: unknown, terms: Terms) => Judgement

export function createJudge(field: Field, setting: Setting): Judge {
  const visit = compile(viewOf(field, { side: 'request', edition: setting.edition, form: setting.form })!, '', setting)
  return (value, terms) => {
    const run: Run = { issues: [], path: [], isAborted: false, terms }
    return { value: visit(value, run), issues: run.issues }
  }
}

interface Run {
  issues: Issue[]
  readonly path: (string | number)[]
  /** Whether something has a wrong type: the checks over it are then skipped. */
  isAborted: boolean
  readonly terms: Terms
}

type Visit = (value: unknown, run: Run) => unknown

function compile(field: Field, place: string, setting: Setting): Visit {
  const names = setting.judgedLast?.[place]
  if (names && field.type === 'object') return compileInTwoParts(field, names, place, setting)
  const { default: defaultValue } = field
  const fault = createAddFault(field, place, setting)
  const plain = compileValue(field, place, setting, fault)
  const check = setting.checks?.[place]
  const isAborting = setting.abortingPlaces?.includes(place) === true
  const inner: Visit = check
    ? (value, run) => {
        const { isAborted: wasAborted, issues } = run
        const issuesBefore = issues.length
        run.isAborted = false
        const accepted = plain(value, run)
        const reportIssue: ReportIssue = (sentence, ...path) =>
          add(run, { part: setting.part, path, sentence, received: value })
        if (!(run.isAborted || (isAborting && issues.length > issuesBefore)))
          check(accepted, reportIssue, run.terms, value)
        run.isAborted ||= wasAborted || (isAborting && issues.length > issuesBefore)
        return accepted
      }
    : plain
  const { optional: isOptional, nullable: isNullable } = field
  return (value, run) => {
    if (value === undefined) {
      if (defaultValue !== undefined) return inner(defaultValue, run)
      return isOptional ? undefined : fault(isLiteral(field, setting) ? 'literal' : 'required', value, run)
    }
    return value === null && isNullable ? null : inner(value, run)
  }
}

function compileInTwoParts(field: Field, names: readonly string[], place: string, setting: Setting): Visit {
  const isApart = ([name]: readonly [string, unknown]) => names.includes(name)
  const part = (isIncluded: (entry: [string, Field]) => boolean): Field => ({
    ...field,
    fields: Object.fromEntries(Object.entries(field.fields ?? {}).filter(isIncluded)),
  })
  const { judgedLast: _judgedLast, checks: _checks, ...plain } = setting
  const visit = compile(
    part(entry => !isApart(entry)),
    place,
    { ...setting, judgedLast: undefined },
  )
  const visitApart = compile(part(isApart), place, plain)
  return (value, run) => {
    const [accepted, apart] = [visit(value, run), visitApart(value, run)]
    return isObject(accepted) && isObject(apart) ? { ...accepted, ...apart } : accepted
  }
}

/** The cloud treats a single value as an enumeration, too. */
const isLiteral = ({ values }: Field, { form }: Setting) => values?.length === 1 && form !== 'cloud'

/** Adds the issue of a value. */
type AddFault = (kind: FaultKind, value: unknown, run: Run, more?: FaultMore) => undefined

interface FaultMore {
  /** The subject of the sentence, where it is not the value. */
  readonly about?: unknown
  /** The issues of the variant that the value resembles most. */
  readonly branch?: readonly Issue[]
}

/** After these faults a value is not judged further. */
const abortingKinds: ReadonlySet<FaultKind> = new Set(['required', 'type', 'literal', 'values', 'oneOf', 'union'])

function createAddFault(field: Field, place: string, { form, edition, part, sentences = {} }: Setting): AddFault {
  const defaultSentences = sentencesOf(form, edition)
  return (kind, value, run, { about = value, branch } = {}) => {
    const entry = sentences[`${place} ${kind}`.trimStart()]
    const ownSentence = typeof entry === 'object' ? entry[edition] : entry
    const fault = { kind, type: field.type, format: field.format }
    const phrase = (sentence: Sentence) => writeSentence(sentence, field, about)
    const sentence = phrase(ownSentence ?? defaultSentences[kind])
    // Deployments implement a field with this sentence as a union. The managed form adds the issue of the nearest variant.
    const isUnion = ownSentence !== undefined && sentence === defaultSentences.union && kind !== 'union'
    const inner = field.values ? defaultSentences.literal : defaultSentences[kind]
    const nearest = isUnion ? [{ part, path: [...run.path], sentence: phrase(inner), received: value, fault }] : branch
    if (isUnion || abortingKinds.has(kind)) run.isAborted = true
    // Refusals do not repeat secrets.
    const received = field.secret ? undefined : value
    add(run, { part, path: [], sentence, received, fault, branch: nearest })
  }
}

/** Adds an issue about the part of a value that the path of the issue names. */
function add(run: Run, issue: Issue) {
  const below = (value: unknown, key: string | number) => (value as Record<string | number, unknown> | null)?.[key]
  run.issues.push({ ...issue, path: [...run.path, ...issue.path], received: issue.path.reduce(below, issue.received) })
}

function compileValue(field: Field, place: string, setting: Setting, fault: AddFault): Visit {
  const { alternativeType, ...first } = field
  if (alternativeType) {
    const visitFirst = compileValue(first, place, setting, fault)
    const visitOther = compileValue({ type: alternativeType }, place, setting, fault)
    return (value, run) => (typeof value === alternativeType ? visitOther : visitFirst)(value, run)
  }
  if (field.values) return compileValues(field, isLiteral(field, setting), fault)
  switch (field.type) {
    case 'string':
      return compileText(field, fault, setting.form)
    case 'number':
      return compileNumber(field, fault, setting.form)
    case 'boolean':
      return (value, run) => (typeof value === 'boolean' ? value : fault('type', value, run))
    case 'array':
      return compileList(field, place, setting, fault)
    case 'object':
      return field.propertyValues
        ? compileMap(field, place, setting, fault)
        : compileObject(field, place, setting, fault)
  }
}

function compileValues({ type, values }: Field, isLiteral: boolean, fault: AddFault): Visit {
  const known: ReadonlySet<unknown> = new Set<unknown>(type === 'number' ? values!.map(Number) : values)
  return (value, run) => {
    if (known.has(value)) return value
    return fault(isLiteral ? 'literal' : typeof value === type ? 'values' : 'type', value, run)
  }
}

type Facet<T> = readonly [kind: FaultKind, isKept: (value: T, terms: Terms) => boolean]

/** Judges a value by the facets of its field. The cloud reports only the first fault of a value, other forms report all. */
function judgeByFacets<T>(facets: readonly Facet<T>[], fault: AddFault, form: Form) {
  return (value: T, run: Run): T => {
    for (const [kind, isKept] of facets) {
      if (isKept(value, run.terms)) continue
      fault(kind, value, run)
      if (form === 'cloud') break
    }
    return value
  }
}

/** Judges the facets in the order in which the field has them. */
function compileText(field: Field, fault: AddFault, form: Form): Visit {
  const { min = 0, max = Number.POSITIVE_INFINITY, format, pattern } = field
  const matches = pattern === undefined ? undefined : testOf(field)
  const facets: Readonly<Record<string, Facet<string>>> = {
    min: ['min', text => text.length >= min],
    max: ['max', text => text.length <= max],
    pattern: ['pattern', text => matches!(text)],
    format: [
      'format',
      (text, { twelveCharacters }) =>
        format === 'email' && form !== 'cloud'
          ? isDeployedEmail(text)
          : hasFormat(text, format!) || (format === 'object-id' && twelveCharacters && text.length === 12),
    ],
  }
  const ordered = Object.keys(field).flatMap(name => (Object.hasOwn(facets, name) ? [facets[name]!] : []))
  const judge = judgeByFacets(ordered, fault, form)
  return (value, run) => {
    if (typeof value !== 'string') return fault('type', value, run)
    return judge(field.trimmed ? value.trim() : value, run)
  }
}

function compileNumber({ min, max, multipleOf }: Field, fault: AddFault, form: Form): Visit {
  const facets: readonly Facet<number>[] = [
    ...(multipleOf === 1 ? [['whole', Number.isInteger] as Facet<number>] : []),
    ...(min === undefined ? [] : [['min', (value: number) => value >= min] as Facet<number>]),
    ...(max === undefined ? [] : [['max', (value: number) => value <= max] as Facet<number>]),
    ...(multipleOf === undefined || multipleOf === 1
      ? []
      : [['step', (value: number) => value % multipleOf === 0] as Facet<number>]),
  ]
  const judge = judgeByFacets(facets, fault, form)
  return (value, run) => {
    if (typeof value !== 'number' || Number.isNaN(value)) return fault('type', value, run)
    return judge(value, run)
  }
}

function compileList({ min = 0, max, items }: Field, place: string, setting: Setting, fault: AddFault): Visit {
  const visit = items && compile(items, place, setting)
  return (value, run) => {
    if (!Array.isArray(value)) return fault('type', value, run)
    if (value.length < min) fault('min', value, run)
    if (max !== undefined && value.length > max) fault('max', value, run)
    if (!visit) return value
    return value.map((item, at) => withKey(run, at, () => visit(item, run)))
  }
}

function withKey<T>(run: Run, key: string | number, act: () => T): T {
  run.path.push(key)
  const result = act()
  run.path.pop()
  return result
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function compileMap(
  { propertyNames, propertyValues, min = 0, max }: Field,
  place: string,
  setting: Setting,
  fault: AddFault,
): Visit {
  const visitName = propertyNames && compile(propertyNames, `${place}.name`, setting)
  const visitValue = compile(propertyValues!, `${place}.value`, setting)
  return (value, run) => {
    if (!isObject(value)) return fault('type', value, run)
    const entries = Object.entries(value)
    if (entries.length < min) fault('min', value, run)
    if (max !== undefined && entries.length > max) fault('max', value, run)
    const accepted: Record<string, unknown> = {}
    for (const [name, item] of entries) {
      withKey(run, name, () => {
        visitName?.(name, run)
        accepted[name] = visitValue(item, run)
      })
    }
    return accepted
  }
}

type Entries = readonly (readonly [name: string, visit: Visit])[]

function compileObject(field: Field, place: string, setting: Setting, fault: AddFault): Visit {
  const { fields = {}, oneOf, additionalProperties, min = 0 } = field
  if (!field.fields && !oneOf) return (value, run) => (isObject(value) ? value : fault('type', value, run))
  const entriesOf = (all: Fields): Entries =>
    Object.entries(all).map(([name, field]) => [name, compile(field, place ? `${place}.${name}` : name, setting)])
  const visitAll = (entries: Entries, value: Readonly<Record<string, unknown>>, run: Run) => {
    const accepted: Record<string, unknown> = {}
    for (const [name, visit] of entries) {
      run.path.push(name)
      const result = visit(value[name], run)
      run.path.pop()
      if (result !== undefined) accepted[name] = result
    }
    return accepted
  }
  // Where a union has its own sentence, deployments implement it without a discriminator.
  const isUndiscriminated = setting.sentences?.[`${place} union`.trimStart()] !== undefined
  const common = entriesOf(fields)
  const variants = oneOf && compileVariants(oneOf, isUndiscriminated ? {} : fields, entriesOf)
  const overrides = oneOf?.overrides?.map(rule => compileOverride(oneOf.discriminator, rule, fields, entriesOf)) ?? []
  const refuseUnknown = (entries: Entries, value: object, run: Run) => {
    const unknown = Object.keys(value).filter(name => !entries.some(([known]) => known === name))
    if (unknown.length > 0) fault('others', value, run, { about: unknown })
  }
  return (value, run) => {
    if (!isObject(value)) {
      if (!isUndiscriminated) return fault('type', value, run)
      const inner: Run = { ...run, issues: [] }
      fault('type', value, inner)
      if (common.length > 0) run.issues.push(...inner.issues)
      return fault('union', value, run, { branch: inner.issues })
    }
    if (min > 0 && Object.keys(value).length < min) fault('min', value, run)
    if (!variants) {
      const accepted = visitAll(common, value, run)
      if (additionalProperties === 'kept') return { ...value, ...accepted }
      if (additionalProperties === 'refused') refuseUnknown(common, value, run)
      return accepted
    }
    const candidates = overrides.find(({ isNamed }) => isNamed(value))?.variants ?? variants
    const entries = candidates.get(value[oneOf.discriminator] ?? oneOf.defaultValue)
    const faultOfUnion = (run: Run) =>
      withKey(run, oneOf.discriminator, () =>
        fault('oneOf', value[oneOf.discriminator], run, { about: [...candidates.keys()] }),
      )
    if (!isUndiscriminated) {
      if (!entries) return faultOfUnion(run)
      const accepted = visitAll(entries, value, run)
      if (additionalProperties === 'refused') refuseUnknown(entries, value, run)
      return accepted
    }
    const accepted = visitAll(common, value, run)
    const branch = { ...run, issues: [], isAborted: false } as Run
    if (entries) Object.assign(accepted, visitAll(entries, value, branch))
    if (entries && !branch.isAborted) {
      run.issues.push(...branch.issues)
      return accepted
    }
    const nearest = entries ? branch.issues : nearestOf([...variants.values()], value, run, visitAll)
    const undecided = { ...run, issues: [] }
    if (!nearest) faultOfUnion(undecided)
    fault('union', value, run, { branch: nearest ?? undecided.issues })
    return accepted
  }
}

function compileVariants(
  { discriminator, defaultValue, variants }: OneOf,
  common: Fields,
  entriesOf: (fields: Fields) => Entries,
) {
  return new Map<unknown, Entries>(
    Object.entries(variants).map(([value, own]) => {
      const discriminatorField = {
        [discriminator]: {
          type: 'string',
          values: [value],
          ...(value === defaultValue && { default: value }),
        } as const,
      }
      return [value, entriesOf({ ...common, ...(discriminator in common ? {} : discriminatorField), ...own })]
    }),
  )
}

function compileOverride(
  discriminator: string,
  { field, value: literalValue, variants }: NonNullable<OneOf['overrides']>[number],
  common: Fields,
  entriesOf: (fields: Fields) => Entries,
) {
  const literal = { type: 'string', values: [literalValue] } as const
  return {
    isNamed: (value: Readonly<Record<string, unknown>>) => value[field] === literalValue,
    variants: compileVariants({ discriminator, variants }, { ...common, [field]: literal }, entriesOf),
  }
}

/**
 * The issues of the variant that a value resembles most: the one that knows most of its fields, then the one with the
 * fewest issues. Undefined if all variants know equally many.
 */
function nearestOf(
  variants: readonly Entries[],
  value: Readonly<Record<string, unknown>>,
  run: Run,
  visitAll: (entries: Entries, value: Readonly<Record<string, unknown>>, run: Run) => unknown,
): readonly Issue[] | undefined {
  const candidates = variants.map(entries => {
    const branch: Run = { ...run, issues: [], isAborted: false }
    visitAll(entries, value, branch)
    const known = entries.filter(([name]) => Object.hasOwn(value, name)).length
    return { issues: branch.issues, known }
  })
  if (candidates.every(({ known }) => known === candidates[0]!.known)) return undefined
  const [best] = candidates.toSorted((one, other) => other.known - one.known || one.issues.length - other.issues.length)
  return best!.issues
}
