import {
  operations as contract,
  type Field,
  type Form,
  type Gap,
  type GapId,
  gaps,
  type OperationId,
  type ResourceId,
  resources,
} from '../../fixtures/built-contract/index.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { readExposition } from '../engine/exposition.ts'
import { groupBy } from '../engine/group-by.ts'
import { isObject } from '../engine/recognise.ts'
import { everyForm } from '../engine/target/forms-of.ts'
import { readJsonText, UsageError } from '../engine/target/target.ts'
import type { Drift, RuleReport } from '../report/report.ts'
import { compareKinds, fingerprint } from './fingerprint.ts'
import { ENOUGH_RECORDS, type FieldShape, type Shape, shapeOf } from './shape.ts'

/** What was observed of a deployment. */
export interface Baseline {
  readonly name: string
  readonly observedAt: string
  readonly tool?: string
  readonly source?: string
  readonly segment?: string
  /** The deployment's answers to gaps, with which a mock can be started. */
  readonly choices: Readonly<Partial<Record<Form, Readonly<Record<string, string>>>>>
  /** Observations that are only compared. */
  readonly shapes: Readonly<Partial<Record<Form, FormShapes>>>
}

interface FormShapes {
  /** Observations that a mock cannot reproduce. */
  readonly observed?: Readonly<Record<string, unknown>>
  readonly operations?: Readonly<Record<string, Shape>>
  /** Lists that the deployment lacks, with the status of the refusal. */
  readonly refused?: Readonly<Record<string, number>>
}

const refusal = /^[2-5]\d\d (?:json|text|html|empty)$/

/** True for an observation that `mock --as` can reproduce: a choice of the gap or, for a refusal, any status and body. */
export function isReproducible(id: string, value: unknown): value is string {
  const gap: Gap | undefined = Object.hasOwn(gaps, id) ? gaps[id as GapId] : undefined
  if (!gap || gap.kind === 'shape' || typeof value !== 'string') return false
  return (
    gap.choices.includes(value) ||
    (gap.kind === 'refusal' && refusal.test(value)) ||
    (id.endsWith('/create-status') && /^2\d\d$/.test(value)) ||
    (id === 'chart/time-unit' && value === 'both accepted')
  )
}

/** The part of an answer that has a shape: its JSON body, or the names of its metrics. */
function shapedPartOf({ json, response }: Pick<Exchange, 'json' | 'response'>): unknown {
  if (json !== undefined || !response.headers['content-type']?.startsWith('text/plain')) return json
  const { families, finding } = readExposition(response.text)
  return finding || families.size === 0 ? undefined : Object.fromEntries([...families].map(name => [name, 0]))
}

/** Observations of the connection, which a gateway in between may cause. */
const connectionGaps = new Set<string>(['limit/time-out'] satisfies GapId[])

/** Makes a baseline of what a run observed: an unchanged deployment gives the same one in every run. */
export function createBaseline(
  rules: readonly RuleReport[],
  exchanges: readonly Exchange[],
  about: Pick<Baseline, 'name' | 'observedAt' | 'tool' | 'segment'>,
): Baseline {
  const choices: Partial<Record<Form, Record<string, string>>> = {}
  const shapes: Partial<Record<Form, FormShapes>> = {}
  const addShape = <Part extends keyof FormShapes>(form: Form, part: Part, more: FormShapes[Part]) => {
    const known = shapes[form] ?? { observed: {}, operations: {} }
    shapes[form] = { ...known, [part]: { ...known[part], ...more } }
  }
  for (const { id, form, outcome, observed } of [...rules].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    if (outcome !== 'observed' || connectionGaps.has(id)) continue
    if (isReproducible(id, observed)) choices[form] = { ...choices[form], [id]: observed }
    else addShape(form, 'observed', { [id]: observed })
  }
  const answered = exchanges.filter(({ operation, as }) => operation && as === 'key')
  const groups = [...groupBy(answered, ({ form, operation }) => `${form} ${operation}`)]
  for (const [, same] of groups.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { form, operation = '' } = same[0]!
    const [resource, verb] = operation.split('.')
    const values = same
      .filter(isSuccess)
      .map(shapedPartOf)
      .filter(value => value !== undefined)
    const refusals = same.filter(({ response }) => [404, 405, 410, 501].includes(response.status))
    if (values.length > 0) addShape(form, 'operations', { [operation]: shapeOf(values, resource) })
    else if (verb === 'list' && refusals.length > 0)
      addShape(form, 'refused', { [operation]: refusals.at(-1)!.response.status })
  }
  return { ...about, choices, shapes }
}

/**
 * Compares two baselines. Breaking: a field that the contract requires, or that the baseline saw in enough records, is gone
 * from all records; a type was replaced; null where the contract allows none; a list is refused; another status or answer.
 * Additive: a new field, type, value or operation. Neutral: a field seen less often, or in too few records to tell. What
 * this run did not observe is no difference.
 */
export function compareBaselines(was: Baseline, is: Baseline): readonly Drift[] {
  const drift: Drift[] = []
  const add = (part: Drift['part'], kind: Drift['kind'], id: string, before: unknown, after: unknown) => {
    const difference = { part, kind, id, was: before ?? null, is: after ?? null }
    drift.push({ fingerprint: fingerprint(difference), ...difference })
  }
  for (const form of everyForm) {
    const known = { ...was.shapes[form]?.observed, ...was.choices[form] }
    const seen = { ...is.shapes[form]?.observed, ...is.choices[form] }
    const operations = was.shapes[form]?.operations ?? {}
    const answered = is.shapes[form]?.operations ?? {}
    if (Object.keys(known).length + Object.keys(operations).length === 0) continue
    for (const [id, after] of Object.entries(seen)) {
      const before = (known as Record<string, unknown>)[id]
      // An observation that the baseline lacks is new, not a change.
      if (before === undefined || connectionGaps.has(id) || JSON.stringify(before) === JSON.stringify(after)) continue
      const part = id in (was.choices[form] ?? {}) ? 'choices' : 'shapes'
      const kind = part === 'choices' ? 'breaking' : kindOf(id, before, after, operations, answered)
      add(part, kind, `${form} ${id}`, before, after)
    }
    if (!was.shapes[form]?.operations) continue
    for (const [operation, status] of Object.entries(is.shapes[form]?.refused ?? {}))
      if (operations[operation]) add('shapes', 'breaking', `${form} ${operation}`, 'answers', status)
    for (const [operation, shape] of Object.entries(answered)) {
      const before = operations[operation]
      const about = { operation, isRecordChosen: isChosen(operation, operations, answered) }
      if (!before) add('shapes', 'additive', `${form} ${operation}`, null, 'answers')
      else
        compareShapes(before, shape, about, (kind, path, a, b) =>
          add('shapes', kind, `${form} ${operation} ${path}`, a, b),
        )
    }
  }
  return drift.sort((a, b) => (a.part === b.part ? compareKinds(a, b) : a.part < b.part ? -1 : 1))
}

type Operations = Readonly<Record<string, Shape>>

/**
 * A changed limit breaks no client. A list that only grew is additive, unless it lists required fields. A field that is gone
 * from the list of a resource is neutral if a shape still has it, or had it in too few records.
 */
function kindOf(id: string, before: unknown, after: unknown, was: Operations, is: Operations): Drift['kind'] {
  if (id.startsWith('limit/')) return 'neutral'
  if (!Array.isArray(before) || !Array.isArray(after)) return 'breaking'
  const [fewer, more] = [before.filter(item => !after.includes(item)), after.filter(item => !before.includes(item))]
  if (id.endsWith('/required-fields')) return more.length > 0 ? 'breaking' : 'additive'
  if (fewer.length === 0) return 'additive'
  if (!id.endsWith('/fields-present')) return 'breaking'
  const fieldsNamed = (operations: Operations, name: unknown) =>
    Object.entries(operations)
      .filter(([operation]) => operation.startsWith(id.replace(/fields-present$/, '').replace('/', '.')))
      .flatMap(([, shape]) => Object.entries(shape).filter(([path]) => path.endsWith(`.${name}`)))
      .map(([, field]) => field)
  const isExcused = (name: unknown) => {
    const known = fieldsNamed(was, name)
    return fieldsNamed(is, name).length > 0 || (known.length > 0 && known.every(isRare))
  }
  return fewer.every(isExcused) ? 'neutral' : 'breaking'
}

const isRare = ({ records }: FieldShape) => records !== undefined && records < ENOUGH_RECORDS

/** True when a run chose the record that an operation returns, so that one record is enough evidence. */
const isChosen = (operation: string, ...runs: readonly Operations[]) =>
  !/\.get$/.test(operation) ||
  !(operation.replace(/get$/, 'list') in contract) ||
  /^(?:organization|service|backup)\./.test(operation) ||
  runs.every(operations => operation.replace(/get$/, 'create') in operations)

function compareShapes(
  was: Shape,
  is: Shape,
  { operation, isRecordChosen }: { operation: string; isRecordChosen: boolean },
  add: (kind: Drift['kind'], path: string, was: unknown, is: unknown) => void,
): void {
  for (const [path, before] of Object.entries(was)) {
    const after = is[path]
    const holder = path.replace(/(?:\[\])*\.[^.]*$/, '')
    const field = fieldAt(operation, path)
    // Every record has the fields that the contract requires, so one record is enough evidence.
    const isRequired = field !== undefined && !field.optional
    const isKnown = isRequired || !isRare(before) || (isRecordChosen && !path.includes('[]'))
    const seen = isKnown ? '' : describeRecords(before)
    if (!after) {
      // An empty list, or an object that is gone, is no evidence about the fields inside it.
      const isFilled =
        (is[holder]?.types.join() === 'object' && !path.startsWith(`${holder}[]`)) ||
        Object.keys(is).some(other => other.startsWith(`${holder}.`) || other.startsWith(`${holder}[]`))
      const kind = before.presence === 'always' && isKnown ? 'breaking' : 'neutral'
      if (holder === '$' || (holder in is && isFilled)) add(kind, path, `${describe(before)}${seen}`, null)
      continue
    }
    const isNullNow = after.types.includes('null') && !before.types.includes('null')
    const kind =
      isNullNow && isRequired && !field.nullable ? 'breaking' : kindOfTypes(before.types, after.types, isKnown)
    if (kind) add(kind, path, `${before.types.join(' | ')}${seen}`, after.types.join(' | '))
    else if (before.presence === 'always' && after.presence === 'sometimes') add('neutral', path, 'always', 'sometimes')
    const values = (after.values ?? []).filter(value => !(before.values ?? []).includes(value))
    // The specification lists the values: any other is a violation.
    const isExact = field?.basis === 'stated' && field.values && !field.sampleValues
    const isStrange = isExact && values.some(value => !field.values!.includes(value))
    if (values.length > 0 && before.values)
      add(isStrange ? 'breaking' : 'additive', path, before.values.join(', '), after.values?.join(', '))
  }
  for (const [path, after] of Object.entries(is)) if (!(path in was)) add('additive', path, null, describe(after))
}

/** The contract's field at a JSON path of an answer, such as `$.result[].role`. */
function fieldAt(operation: string, path: string): Field | undefined {
  const { resource } = contract[operation as OperationId]?.result ?? {}
  const inside = path.replace(/^\$(?:\.(?:result|data))?(?:\[\])*\.?/, '')
  let field: Field | undefined = { type: 'object', fields: resources[resource as ResourceId]?.fields ?? {} }
  for (const part of inside.split('.')) {
    const [name = '', ...lists] = part.split('[]')
    field = field?.fields?.[name]
    for (const _ of lists) field = field?.items
  }
  return field
}

/** The kind of a change of types; undefined when no type was added. */
function kindOfTypes(was: readonly string[], is: readonly string[], isKnown: boolean): Drift['kind'] | undefined {
  const gained = is.filter(type => !was.includes(type))
  if (gained.length === 0) return undefined
  const areReplaced = (a: readonly string[], b: readonly string[]) => a.length > 0 && !a.some(type => b.includes(type))
  const json = (types: readonly string[]) =>
    types.filter(type => type !== 'null').map(type => type.replace(/^string .*/, 'string'))
  // A field that is null in all records now may be filled in others.
  if (areReplaced(json(was), json(is))) return json(is).length > 0 || isKnown ? 'breaking' : 'neutral'
  const formats = (types: readonly string[]) => types.filter(type => type.startsWith('string'))
  const isPlain = was.includes('string') || formats(is).length === 0
  if (!isPlain && areReplaced(formats(was), formats(is))) return isKnown ? 'breaking' : 'neutral'
  return gained.every(type => type === 'null') ? 'neutral' : 'additive'
}

const describeRecords = ({ records }: FieldShape) => ` (seen in ${records} ${records === 1 ? 'record' : 'records'})`

const describe = ({ types, presence }: FieldShape) =>
  `${types.join(' | ')}${presence === 'sometimes' ? ', sometimes' : ''}`

/**
 * Reads the text of a baseline file.
 * @throws UsageError with a sentence when the text is no baseline.
 */
export function parseBaseline(text: string): Baseline {
  const value = readJsonText(text) as Partial<Baseline> | null
  if (!isObject(value?.choices))
    throw new UsageError('it has no `choices`; verify --update-baseline writes such a file.')
  const { choices, shapes = {} } = value as Baseline
  for (const [form, taken] of Object.entries(choices)) {
    if (!isObject(taken)) throw new UsageError(`\`choices.${form}\` must be an object, by gap.`)
    const unknown = Object.keys(taken).find(id => !Object.hasOwn(gaps, id))
    if (unknown !== undefined)
      throw new UsageError(`\`choices.${form}\` names "${unknown}", which is no gap; verify --list names them all.`)
  }
  if (!isObject(shapes)) throw new UsageError('`shapes` must be an object, by form.')
  return { name: 'unnamed', observedAt: '', ...value, choices, shapes }
}

export const renderBaseline = (baseline: Baseline): string => `${JSON.stringify(baseline, null, 2)}\n`
