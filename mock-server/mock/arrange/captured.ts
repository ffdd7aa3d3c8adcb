import type { Core } from '../../core/core.ts'
import { writeValue } from '../../words/check-options.ts'
import { isMoment } from '../../world/clock.ts'
import { type AnyModel, type CapturedAnswer, keyOf } from '../../world/collection.ts'
import { findUnknownField } from '../../world/record.ts'
import type { World } from '../../world/world.ts'
import type { Deployment } from '../deployment.ts'
import { complete } from '../records.ts'

/** The field `captured` of a scenario, which `stack-parity capture` writes in addition to the records. */
export interface Captured {
  /** The ISO 8601 time that the times of the records are relative to: it becomes the start of the world. */
  readonly at: string
}

type Fields = Readonly<Record<string, unknown>>
interface NamedAnswer extends CapturedAnswer {
  readonly name: string
}

/** The resources whose captured answers can become records of a world. */
export const capturableOf = ({ models, splits }: Core): readonly string[] => [
  ...models.map(({ name }) => name),
  ...Object.keys(splits),
]

/**
 * Adds captured records to a world in which their collections are empty. `tell` gets a sentence about each value that
 * records cannot have. Throws an Error about an invalid record.
 */
export function arrangeCaptured(
  { at }: Captured,
  lists: Readonly<Record<string, readonly Fields[]>>,
  deployment: Deployment,
  isNewestFirst: (name: string, place: string) => boolean,
  tell: (sentence: string) => void,
) {
  const { core, world } = deployment
  const shift = world.start - Date.parse(at)
  const captured = Object.entries(lists).map(([name, list]) =>
    list.map(
      ({ within = '', ...fields }): NamedAnswer => ({
        name,
        within: String(within),
        fields: moveTimes(fields, shift),
      }),
    ),
  )
  // Parents come first, then answers to be split. Models that react to writes of others, such as the log, come last.
  const depth = (name = '') => {
    const index = world.models.findIndex(one => one.name === name)
    return index < 0 ? world.models.length : index
  }
  const isReacting = ([first]: readonly NamedAnswer[]) => world.models[depth(first?.name)]?.reactions !== undefined
  const createAll = (list: readonly NamedAnswer[]) => {
    const name = list[0]?.name ?? ''
    const split = core.splits[name]
    const records = split ? list.flatMap(one => split.split(one, world)) : list
    const model = world.models.find(one => one.name === (split?.model.name ?? name))
    if (!model) return
    const places = new Set(world.places(model))
    const isReversed = ({ within }: CapturedAnswer) => model.isListedNewestFirst || isNewestFirst(model.name, within)
    const inOrder = [...records.filter(one => !isReversed(one)), ...records.filter(isReversed).toReversed()]
    for (const one of inOrder) putRecord(model, one, places, world, tell)
  }
  for (const list of captured.toSorted(([a], [b]) => depth(a?.name) - depth(b?.name)))
    if (!isReacting(list)) createAll(list)
  // Removes the records that these models have written in reaction to the arrangement.
  for (const model of world.models.filter(({ reactions }) => reactions))
    for (const place of world.seededPlaces(model))
      for (const record of world.list<object>(model, place)) world.in(model, place).remove(keyOf(model, record))
  for (const list of captured.filter(isReacting)) createAll(list)
  for (const { completeCaptured } of Object.values(core.families)) completeCaptured?.(deployment, lists)
}

function putRecord(
  model: AnyModel,
  captured: CapturedAnswer,
  places: ReadonlySet<string>,
  world: World,
  tell: (sentence: string) => void,
): void {
  const { name } = model
  const { within, fields } = captured
  const place = model.within === 'deployment' ? '' : within
  if (!places.has(place)) throw new Error(`${name}: within: There is no place ${within} for it`)
  const recordValues = { ...fields, ...model.fromCaptured?.(captured, world) }
  const records = world.in<object>(model, place)
  const existing = records.get(keyOf(model, recordValues))
  const known = { ...existing, ...dropUnknown(model.record, recordValues) }
  const record = complete(model, known, place, world, sentence => tell(`${name}${describeRecord(fields)}: ${sentence}`))
  if (existing) records.replace(record)
  else records.create(record)
}

/** The name of a record, by which somebody finds it in a long file. */
export function describeRecord(fields: object): string {
  const { name, id } = fields as { name?: unknown; id?: unknown }
  return name === undefined && id === undefined ? '' : ` (${writeValue(name ?? id)})`
}

const wholeTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d+))?Z$/

/** Moves the times in a value, each with as many digits as it had. */
const moveTimes = <T>(value: T, shift: number): T =>
  JSON.parse(JSON.stringify(value), (_, text) => {
    const time = typeof text === 'string' ? wholeTime.exec(text) : null
    const moment = Date.parse(text) + shift
    if (!time || !isMoment(moment)) return text
    const [, digits = ''] = time
    const moved = new Date(moment).toISOString()
    const fraction = `${moved.slice(20, 23)}${digits.slice(3)}`.slice(0, digits.length)
    return `${moved.slice(0, 19)}${fraction && `.${fraction}`}Z`
  })

/** Removes fields that the model does not have, such as derived ones and those of other releases. */
function dropUnknown(schema: AnyModel['record'], fields: Fields): Fields {
  const recordValues = structuredClone(fields)
  for (;;) {
    const path = findUnknownField(schema, recordValues)?.path
    if (!path) return recordValues
    const holder = path.slice(0, -1).reduce((inner: object, name) => Reflect.get(inner, name), recordValues)
    Reflect.deleteProperty(holder, path.at(-1)!)
  }
}
