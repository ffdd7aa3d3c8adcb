import type { Contract, Field, Form, OperationId } from '../../fixtures/built-contract/index.ts'
import { findOperation, isOnlyInDocuments, resourceOf } from '../engine/contract.ts'
import { hasLife, type ResourceWithLife } from '../engine/creatable-resources.ts'
import { creationMark, updateMark } from '../engine/mark.ts'
import { operationsOf } from '../engine/paths.ts'
import { because } from '../engine/reasons.ts'
import type { RunContext, Step } from '../engine/step.ts'
import { type Life, lifeOf, nameOf, updateOf } from './life.ts'
import { valuesFrom } from './listed-id.ts'
import { type CreatedObject, type Line, type Run, writeVisit } from './visit.ts'
import { createWholeBodies, type Shape } from './whole/whole-bodies.ts'
import { shapeOf } from './whole/whole-life.ts'

/**
 * The visits of resources that only a vendor's document has: a life where it has all operations of one, else a list and a get.
 * `others` are the steps of the other visits, which create the records that such a resource lies within.
 */
export function documentSteps(form: Form, contract: Contract, others: readonly Step[]): readonly Step[] {
  const ids = Object.keys(contract.operations) as OperationId[]
  const resources = [...new Set(ids.map(resourceOf))].filter(isOnlyInDocuments)
  const pathOf = (resource: string) => contract.operations[`${resource}.list` as OperationId]?.paths[form]
  const lines = new Set(others.map(({ name }) => name))
  const visited = resources.filter(resource => pathOf(resource) !== undefined)
  for (const one of visited) if (hasLife(one, contract)) lines.add(lineOf(form, one))
  /** The objects of the run that contain those of a resource: undefined where a run creates none. */
  const parentIn = (path: string): CreatedObject | undefined => {
    const [, above = '', parent = ''] = /^(.*)\/[\w-]+\/\{(\w+)Id\}$/.exec(path.replace(/\/[\w-]+$/, '')) ?? []
    const line = lineOf(form, parent)
    if (!lines.has(line)) return undefined
    const ready = `${form}:${parent}.ready`
    return {
      line: line as Line,
      resource: parent as ResourceWithLife,
      within: parentIn(`${above}/list`),
      ...(lines.has(ready) && { ready: ready as Line }),
    }
  }
  const write = (resource: string) => (run: Run) => {
    const idOf = (verb: string) => `${resource}.${verb}` as OperationId
    const has = (verb: string) => contract.operations[idOf(verb)] !== undefined
    const shapeFor = (verb: string) => shapeOf(contract.operations[idOf(verb)]?.body, contract)
    const within = parentIn(pathOf(resource)!)
    const bodies: Pick<Life, 'body' | 'change'> = {
      body: (context, name) =>
        bodyOf(shapeFor('create'), context, name, creationMark(context.runMark, resource as never)),
      change: (context, name) =>
        has('update')
          ? partOf(shapeFor('update'), context, name)
          : bodyOf(shapeFor('replace'), context, name, updateMark(context.runMark)),
    }
    const isPlaced = within !== undefined || pathOf(resource)!.replace(givenIds[form], '').includes('{') === false
    if (isPlaced && hasLife(resource, contract)) {
      const objects = lifeOf(run, resource, { within, ...bodies, whole: {} })
      const main = objects.begin()
      objects.read()
      objects.update()
      objects.whole()
      run.awaitUsersOf(main)
      objects.end()
      return
    }
    const place = { within, ...(isPlaced && { values: {} }) }
    const named = (context: RunContext) => nameOf(context, resource as never, 'main')
    const created = has('create') && {
      line: run.call(idOf('create'), {
        ...place,
        ...(has('delete') && { creates: resource as never }),
        body: context => bodies.body(context, named(context), 'main'),
      }),
    }
    const list = run.call(idOf('list'), { ...place, from: created ? [created.line] : [] })
    const ofItem = {
      from: [list],
      values: (context: RunContext) =>
        valuesFrom(context.exchange(list), { list: idOf('list'), name: `${resource}Id` }, form, contract),
      skipReason: because('no list shows the id of a {resource}', { resource }),
    }
    if (has('get')) run.call(idOf('get'), ofItem)
    const update = updateOf(resource, contract)
    if (update) run.call(update, { ...ofItem, body: context => bodies.change!(context, named(context), 'main') })
  }
  const steps = visited.flatMap(resource => writeVisit(form, resource, write(resource), contract).steps)
  const isLeft = (id: OperationId) =>
    findOperation(id) === undefined && !steps.some(({ operation }) => operation === id)
  const left = operationsOf(form, contract).filter(isLeft)
  return [
    ...steps,
    ...writeVisit(form, 'other operations of the document', run => left.forEach(sendOther(run)), contract).steps,
  ]
}

/** The ids that a target has. */
const givenIds = {
  cloud: /\{organizationId\}/,
  managed: /\{organizationId\}|\{serviceId\}|\{segment\}/g,
  selfHosted: /^$/,
} as const satisfies Record<Form, RegExp>

const lineOf = (form: Form, resource: string) => `${form}:${resource}.create-main`

/** An operation of no usual shape, on what a list shows. A write has an unknown effect: it is sent to a mock only. */
const sendOther =
  (run: Run) =>
  (id: OperationId): void => {
    const { body, query = {} } = run.contract.operations[id]
    if (Object.values(query).some(({ optional }) => !optional)) return
    const shape = shapeOf(body, run.contract)
    run.call(id, {
      ...(body !== undefined && {
        body: (context: RunContext) => bodyOf(shape, context, id, updateMark(context.runMark)),
      }),
    })
  }

/** A field that takes any text, for the name by which a run recognises its objects. */
const isText = ({ type, values, format, pattern, readOnly }: Field) =>
  type === 'string' && !values && !format && !pattern && !readOnly

const isRequired = ({ optional, readOnly }: Field) => !readOnly && optional !== true && optional !== 'request'

const nameFieldOf = ({ fields }: Shape): string | undefined => {
  const texts = Object.keys(fields).filter(one => isText(fields[one]!))
  return texts.find(one => one === 'name') ?? texts.find(one => isRequired(fields[one]!)) ?? texts[0]
}

/** The name, or the mark alone where the field takes no longer text; undefined where it does not take even that. */
const fittingName = ({ max = Number.POSITIVE_INFINITY }: Field, name: string, mark: string): string | undefined =>
  [name, `${mark}${/ (\w) \w+$/.exec(name)?.[1] ?? ''}`, mark].find(one => one.length <= max)

/** The name and the required fields; undefined where a value of one of them is not known. */
function bodyOf(shape: Shape, context: RunContext, name: string, mark: string): object | undefined {
  const named = nameFieldOf(shape)
  const text = named && fittingName(shape.fields[named]!, name, mark)
  const small = text === undefined ? {} : { [named!]: text }
  const fields = Object.fromEntries(
    Object.entries(shape.fields).filter(([field, described]) => field === named || isRequired(described)),
  )
  const wish = { form: 'cloud', edition: '2.36', context, small, mark: context.runMark, turn: 0 } as const
  const [body] = createWholeBodies({ ...shape, fields }, wish)
  const isWhole = Object.keys(fields).every(one => !isRequired(fields[one]!) || (body && one in body))
  return isWhole && (!named || text !== undefined) ? { ...body, ...small } : undefined
}

/** The name alone, or without such a field the first that has a value, so that the other fields must stay. */
function partOf(shape: Shape, context: RunContext, name: string): object | undefined {
  const named = nameFieldOf(shape)
  const text = named && fittingName(shape.fields[named]!, name, updateMark(context.runMark))
  if (text !== undefined) return { [named!]: text }
  const wish = { form: 'cloud', edition: '2.36', context, small: {}, mark: context.runMark, turn: 1 } as const
  const [first] = Object.entries(createWholeBodies(shape, wish)[0] ?? {})
  return first && Object.fromEntries([first])
}
