import type { ZodIssue } from 'zod/v3'
import { writeValue } from '../words/check-options.ts'
import { adviseNearest } from '../words/nearest.ts'
import { pluralOf } from '../words/plural.ts'
import { type AnyModel, keyOf } from '../world/collection.ts'
import { findUnknownField } from '../world/record.ts'
import { deployment as everywhere, selfHosted } from '../world/world.ts'
import { type Deployment, mayBeAbsent } from './deployment.ts'
import type { ModelName, RecordByName } from './made-of.ts'

/** The place of records, if not the first that fits. */
export interface RecordPlace {
  /**
   * The id of the organization, service or other record that they lie in, or of a stack: `self-hosted`, or that of a service.
   * Default: the first organization, the first service of the first organization, the self-hosted stack.
   */
  readonly within?: string
}

/**
 * All records of a world, to arrange it for a test. A record is named by its model, such as `member`, and by its key,
 * usually its id. Throws a `RecordRefused` with a sentence for what is impossible.
 */
export interface Records {
  /** The records of one place, in order of creation. */
  list<Name extends ModelName>(name: Name, place?: RecordPlace): readonly RecordByName[Name][]
  get<Name extends ModelName>(name: Name, key: string, place?: RecordPlace): RecordByName[Name] | undefined
  /** Creates a record; missing fields are as in a seeded record, with a new id. */
  create<Name extends ModelName>(
    name: Name,
    fields?: Partial<RecordByName[Name]>,
    place?: RecordPlace,
  ): RecordByName[Name]
  /** Changes the given fields, and returns the whole record. */
  update<Name extends ModelName>(
    name: Name,
    key: string,
    fields: Partial<RecordByName[Name]>,
    place?: RecordPlace,
  ): RecordByName[Name]
  /** Removes a record with everything that lies within it. */
  remove(name: ModelName, key: string, place?: RecordPlace): void
}

/** The error of a record that cannot be read, created, changed or removed. */
export class RecordRefused extends Error {
  constructor(
    /** `unknown`: there is no such model, place or record; `taken`: its key or credentials are in use; `invalid`: a field is wrong. */
    readonly reason: 'unknown' | 'taken' | 'invalid',
    sentence: string,
  ) {
    super(sentence)
  }
}

const refuse = (reason: RecordRefused['reason'], task: string, model: AnyModel, sentence: string) =>
  new RecordRefused(reason, `${task} ${model.name}: ${sentence}`)

/** `accept` is called with the deployment after each change, and may throw an Error: then a creation or update is undone. */
export function createRecords(
  currentDeployment: () => Deployment,
  now: () => number,
  accept: (deployment: Deployment) => void = () => {},
): Records {
  function open(task: string, name: string, { within }: RecordPlace) {
    const { world, stackOf } = currentDeployment()
    const model = modelOf(world.models, task, name)
    const defaultPlace = (one: AnyModel): string => {
      if (one.within === 'deployment') return everywhere
      if (one.within === 'stack') return selfHosted
      const [first] = world.in(one.within, defaultPlace(one.within)).list()
      return first ? keyOf(one.within, first) : ''
    }
    const place = within ?? defaultPlace(model)
    if (!world.places(model).includes(place)) {
      const isDefault = within === undefined
      const sentence = isDefault ? `there is no ${nameOfPlace(model)} for it` : describeMissingPlace(model, within)
      throw refuse('unknown', task, model, sentence)
    }
    if (model.within === 'stack') stackOf(place)
    world.applyTime(now())
    return { world, model, place, collection: world.in<object>(model, place) }
  }
  type Location = ReturnType<typeof open>

  function find(task: string, { model, place, collection }: Location, key: string): object {
    const found = collection.get(key)
    if (found) return found
    const where = place === everywhere ? '' : ` in ${place}`
    const advice = model.within === 'deployment' ? '' : `; within names another ${nameOfPlace(model)}`
    throw refuse('unknown', task, model, `there is none with the key ${key}${where}${advice}`)
  }

  function acceptOrUndo(task: string, { model }: Location, undo: () => void) {
    try {
      accept(currentDeployment())
    } catch (error) {
      undo()
      throw refuse('taken', task, model, (error as Error).message)
    }
  }

  const records = {
    list: (name: string, place: RecordPlace = {}) => open('list records:', name, place).collection.list(),
    get: (name: string, key: string, place: RecordPlace = {}) => open('get a record:', name, place).collection.get(key),
    create(name: string, fields: object = {}, place: RecordPlace = {}) {
      const task = 'create a record:'
      const location = open(task, name, place)
      const { world, model, collection } = location
      refuseUnknownFields(task, model, fields)
      const given = { ...defaultFieldsOf(location, fields, now()), ...fields }
      const record = judge(task, model, fill(model, given, world, now()))
      const key = keyOf(model, record)
      if (collection.get(key)) throw refuse('taken', task, model, `there is one with the key ${key} already`)
      collection.create(record)
      acceptOrUndo(task, location, () => collection.remove(key))
      world.applyTime(now())
      return collection.get(key)
    },
    update(name: string, key: string, fields: object, place: RecordPlace = {}) {
      const task = 'change a record:'
      const location = open(task, name, place)
      const { world, model, collection } = location
      const before = find(task, location, key)
      refuseUnknownFields(task, model, fields)
      const changed = Object.keys(fields).find(
        field => keyOf(model, { ...before, [field]: (fields as Fields)[field] }) !== key,
      )
      if (changed !== undefined)
        throw refuse('invalid', task, model, `${changed}: It is the key of the record, and stays`)
      const record = judge(task, model, { ...before, ...fields })
      collection.replace(record)
      acceptOrUndo(task, location, () => collection.replace(before))
      world.applyTime(now())
      return collection.get(key)
    },
    remove(name: string, key: string, place: RecordPlace = {}) {
      const task = 'remove a record:'
      const location = open(task, name, place)
      find(task, location, key)
      const { model, collection } = location
      if (model.isSingleton && !mayBeAbsent(currentDeployment().core, model))
        throw refuse('invalid', task, model, `each ${nameOfPlace(model)} has one: change it instead`)
      collection.remove(key)
      accept(currentDeployment())
    },
  }
  return records as unknown as Records
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Leaves out what a record cannot have, such as a state or a tile of a newer release: the invalid items of a list, else
 * the field, which gets its default, as missing fields do. `tell` gets a sentence about each. Throws a `RecordRefused`
 * about a field without a default.
 */
export function complete(
  model: AnyModel,
  fields: object,
  place: string,
  world: Deployment['world'],
  tell: (sentence: string) => void,
): object {
  let valid = fields as Fields
  let issues = model.record.safeParse(valid).error?.issues ?? []
  for (let one = issues.find(isInList); one; one = issues.find(isInList)) {
    const at = one.path.findIndex(isIndex)
    const copy = structuredClone(valid)
    const list = one.path.slice(0, at).reduce((inner: object, name) => Reflect.get(inner, name), copy) as unknown[]
    const [item] = list.splice(Number(one.path[at]), 1)
    tell(`${describeItem(one.path.slice(0, at), item)} is left out: ${sentenceOf(one)}`)
    valid = copy
    issues = model.record.safeParse(valid).error?.issues ?? []
  }
  if (issues.length === 0) return valid
  const wrong = new Map(issues.map(issue => [String(issue.path[0]), issue]))
  // A missing field, such as a secret, was left out by the capture, which has told it.
  for (const [name, issue] of wrong)
    if (valid[name] !== undefined) tell(`${name} has its default: ${sentenceOf(issue)}`)
  const defaults: object = model.defaults?.(place, world.start, world) ?? {}
  const replacements = Object.entries(defaults).filter(([name]) => wrong.has(name))
  const validFields = Object.entries(valid).filter(([name]) => !wrong.has(name))
  const given = Object.fromEntries([...replacements, ...validFields])
  return judge('arrange what was captured:', model, fill(model, given, world, world.start))
}

const isIndex = (step: string | number) => typeof step === 'number'
const isInList = ({ path }: ZodIssue) => path.some(isIndex)

/** An item of a list by its name or id, because indexes change when others are left out. */
function describeItem(path: readonly (string | number)[], item: unknown): string {
  const { name, id } = (item ?? {}) as Fields
  const own = name ?? id
  return `an item of ${path.join('.')}${own === undefined ? '' : ` (${writeValue(own)})`}`
}

/** The default fields of a new record; all fields that hold its key get the given one. */
function defaultFieldsOf(
  { world, model, place }: { world: Deployment['world']; model: AnyModel; place: string },
  fields: object,
  at: number,
) {
  const sample = world.sample(model, place, at) as Fields
  const key = keyOf(model, sample)
  // A model without records at the start has no sample. In a stack ids are object ids, in the cloud UUIDs.
  if (key === '') return { ...sample, id: model.within === 'stack' ? world.newObjectId() : world.newUuid() }
  const keyHolders = Object.keys(sample).filter(field => sample[field] === key)
  if (keyHolders.length === 0) return makeKeyUnique(sample, model, fields, world.newObjectId())
  const newKey = keyHolders.map(field => (fields as Fields)[field]).find(value => value !== undefined)
  if (newKey === undefined) return sample
  return { ...sample, ...Object.fromEntries(keyHolders.map(field => [field, newKey])) }
}

/** Makes a composed key unique by changing its first text, unless one of its fields is given. */
function makeKeyUnique(sample: Fields, model: AnyModel, fields: object, id: string): Fields {
  const parts = model.keyFields ?? []
  const text = parts.find(field => typeof sample[field] === 'string')
  const isGiven = parts.some(field => field in fields)
  return isGiven || text === undefined ? sample : { ...sample, [text]: `${sample[text]}_${id.slice(-6)}` }
}

/** Fills required fields by type: the first value of an enumeration, an empty text, a new id, the present time. */
function fill(model: AnyModel, record: object, world: Deployment['world'], at: number): object {
  const filled: Record<string, unknown> = { ...record }
  const filledFields = new Set<string | number>()
  // The first round fills missing fields, later ones correct their formats and values.
  for (let round = 0; round < 3; round++) {
    const issues = model.record.safeParse(filled).error?.issues ?? []
    for (const issue of issues) {
      const [field = ''] = issue.path
      if (issue.path.length !== 1 || (filled[field] !== undefined && !filledFields.has(field))) continue
      filledFields.add(field)
      filled[field] = defaultFor(issue, world, at)
    }
  }
  return filled
}

function defaultFor(issue: ZodIssue, world: Deployment['world'], at: number): unknown {
  if (issue.code === 'invalid_string') return world.newUuid()
  if (issue.code === 'custom') return new Date(at).toISOString()
  if (issue.code === 'too_small') return issue.type === 'string' ? '-'.repeat(Number(issue.minimum)) : issue.minimum
  if (issue.code === 'invalid_enum_value') return issue.options[0]
  if (issue.code !== 'invalid_type') return undefined
  return ({ number: 0, boolean: false, array: [], object: {} } as Fields)[issue.expected] ?? ''
}

/** Refuses fields that records of the model do not have, most often typing errors. */
function refuseUnknownFields(task: string, model: AnyModel, fields: object): void {
  const unknown = findUnknownField(model.record, fields)
  if (!unknown) return
  const { path, known } = unknown
  const advice = adviseNearest(String(path.at(-1)), known)
  throw refuse('invalid', task, model, `${path.join('.')}: There is no such field; ${advice}`)
}

function judge(task: string, model: AnyModel, record: object): object {
  const result = model.record.safeParse(record)
  if (result.success) return record
  throw refuse('invalid', task, model, sentenceOf(result.error.issues[0]!))
}

function sentenceOf({ path, message }: ZodIssue): string {
  const sentence = message === 'Required' ? 'It is required' : message
  return path.length > 0 ? `${path.join('.')}: ${sentence}` : sentence
}

/** The model of a name or of its plural: `member`, `members`, `savedSearches`. */
export function modelOf(models: readonly AnyModel[], task: string, name: string): AnyModel {
  const model = models.find(one => one.name === name || pluralOf(one.name) === name)
  if (model) return model
  const plurals = models.map(one => pluralOf(one.name))
  throw new RecordRefused('unknown', `${task} there are no records called "${name}"; ${adviseNearest(name, plurals)}`)
}

export const nameOfPlace = ({ within }: AnyModel) => (typeof within === 'string' ? within : within.name)

const describeMissingPlace = (model: AnyModel, within: string) =>
  model.within === 'deployment'
    ? `within: It lies in the deployment as a whole, and within no ${within}`
    : `within: Expected the id of ${model.within === 'stack' ? 'a service, or self-hosted' : `a record of ${nameOfPlace(model)}`}, received ${within}`
