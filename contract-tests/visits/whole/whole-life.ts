import {
  type Contract,
  type OperationId,
  contract as ours,
  type ResourceId,
} from '../../../fixtures/built-contract/index.ts'
import type { ResourceWithLife } from '../../engine/creatable-resources.ts'
import { type Exchange, isSuccess, sentIn } from '../../engine/exchange.ts'
import { because } from '../../engine/reasons.ts'
import { findObject, type JsonObject } from '../../engine/recognise.ts'
import type { RunContext, Step } from '../../engine/step.ts'
import { isMock } from '../../engine/target/own-mock.ts'
import { editionOf, newerListsBefore } from '../edition.ts'
import type { CallOptions, CreatedObject, Run } from '../visit.ts'
import { withoutNamed } from './amend.ts'
import { compareWhole } from './compare-whole.ts'
import { createWholeBodies, type Shape, type WholeExceptions } from './whole-bodies.ts'

/**
 * The life of objects with every field of the contract: each is created, got, changed and got again; then all are listed. The
 * clean-up deletes them.
 */

export interface Whole extends WholeExceptions<RunContext> {
  /** How often a replacement sends other values. Default: once. */
  readonly turns?: number
  /** Fields that a PATCH resets unless it sends them, so that each sends them along. */
  readonly sentAlong?: readonly string[]
  /** Lines whose answers the values are made from. */
  readonly from?: readonly string[]
  /** True if each object costs money, so that only a thorough run creates it on a deployment. */
  readonly isCostly?: boolean
}

interface Parts {
  readonly run: Run
  readonly resource: ResourceWithLife
  readonly update: OperationId | undefined
  readonly whole: Whole
  readonly small: (context: RunContext, alias: string, isUpdate: boolean) => object | undefined
  readonly from: readonly string[]
  readonly stepOf: (id: OperationId, call: CallOptions & { readonly name: string }) => Step
  readonly stepOn: (object: CreatedObject, id: OperationId, call: CallOptions & { readonly name: string }) => Step
  readonly objectOf: (alias: string) => CreatedObject
  readonly waitUntilReady?: (object: CreatedObject, name: string) => unknown
}

export const shapeOf = (resource: string | undefined, { resources }: Contract = ours): Shape => {
  const { fields = {}, oneOf } = resources[resource as ResourceId] ?? {}
  return { fields, oneOf }
}

const isThorough = (context: RunContext) => isMock(context.target) || context.thorough === true

export function addWhole({ run, resource, update, whole, small, stepOf, stepOn, objectOf, ...parts }: Parts): void {
  const { form, contract } = run
  const { operations } = contract
  const create = `${resource}.create` as OperationId
  const get = `${resource}.get` as OperationId
  const list = `${resource}.list` as OperationId
  const createShape = shapeOf(operations[create].body, contract)
  const updateShape = shapeOf(update && operations[update].body, contract)
  const shown = shapeOf(operations[get]?.result.resource, contract)
  const from = [...parts.from, ...(whole.from ?? []), ...newerListsBefore(form)]

  /** The body of the nth object at a turn; undefined if this edition has fewer variants. */
  const bodyOf = (shape: Shape, context: RunContext, nth: number, turn: number): JsonObject | undefined => {
    const given = small(context, aliasOf(nth), turn > 0)
    if (!given) return undefined
    const wish = {
      ...whole,
      form,
      edition: editionOf(context, form),
      context,
      small: given as JsonObject,
      mark: context.runMark,
      turn,
    }
    const bodies = createWholeBodies(shape, wish)
    return nth < bodies.length ? bodies[(nth + turn) % bodies.length] : undefined
  }
  const unless =
    (nth: number): CallOptions['unless'] =>
    context => {
      if (isThorough(context)) return undefined
      return nth > 0 || whole.isCostly
        ? because('on a deployment, --thorough adds {resource} bodies with every variant', { resource })
        : undefined
    }
  /** Repeats a read while the contract lets it lag behind a write, until it shows what was sent. */
  const pollAfter = (verb: string, line: string): Pick<CallOptions, 'poll'> => ({
    poll: {
      after: [line],
      withinSeconds: operations[`${resource}.${verb}` as OperationId]?.lagInSeconds ?? 0,
      until: (exchange, context) => showsWrite(exchange, context.exchange(line)),
    },
  })
  const showsWrite = (read: Exchange, write: Exchange | undefined) => {
    const object = isSuccess(read) ? findObject(read.json, resource) : undefined
    return object !== undefined && compareWhole(sentIn(write), object, createShape, shown) === undefined
  }
  const skipReason = because('this edition has no further variant of a {resource}', { resource })
  const amend =
    (shape: Shape): Step['amend'] =>
    (exchange, body) =>
      withoutNamed(body, exchange, shape)

  /** All lines so far, so that a run for the rule alone sends them, too. */
  const lines: string[] = []
  const listAll = (name: string, why: string) =>
    lines.push(run.add(stepOf(list, { name, why, values: {}, ifSucceeds: `${form}:${create}-main`, from: [...lines] })))
  const getAfter = (object: CreatedObject, name: string, verb: string, line: string, why: string) =>
    lines.push(
      line,
      run.add(
        stepOn(object, get, {
          name: `get-${name}`,
          why,
          from: [line, object.line],
          unless: context => (context.exchange(line) ? undefined : 'it is not needed'),
          ...pollAfter(verb, line),
        }),
      ),
    )

  const objects = Array.from({ length: countBodies(createShape, form, whole) }, (_, nth) => objectOf(aliasOf(nth)))
  for (const [nth, object] of objects.entries()) {
    const alias = aliasOf(nth)
    run.add({
      ...stepOf(create, {
        name: `create-${alias}`,
        why: `creates a ${resource} with every field of the contract${exceptionsIn(whole)}`,
        creates: resource,
        // Where the small body is refused, so is the whole one.
        ifSucceeds: `${form}:${create}-main`,
        from,
        values: {},
        unless: unless(nth),
        body: context => bodyOf(createShape, context, nth, 0),
        skipReason,
      }),
      amend: amend(createShape),
    })
    getAfter(object, alias, 'create', object.line, `gets the ${resource} with every field`)
    parts.waitUntilReady?.(object, `ready-${alias}`)
  }
  listAll('list-whole', `lists ${resource}s, those with every field among them`)
  for (const [nth, object] of objects.entries()) {
    if (!update || !operations[update].paths[form]) continue
    const alias = aliasOf(nth)
    const [, verb = ''] = update.split('.')
    const change = (name: string, why: string, body: (context: RunContext) => object | undefined) => {
      const skipReason = 'there is no other value to send'
      const step = stepOn(object, update, { name: `update-${alias}-${name}`, why, body, skipReason })
      const line = run.add({ ...step, amend: amend(updateShape) })
      getAfter(object, `${alias}-after-${name}`, verb, line, `gets the ${resource} after its change`)
    }
    if (operations[update].method === 'PATCH') {
      if (nth > 0) continue
      for (const name of Object.keys(updateShape.fields))
        change(name, `changes ${name} alone`, context => {
          const body = bodyOf(updateShape, context, nth, 1) ?? {}
          return body[name] === undefined ? undefined : pick(body, [...(whole.sentAlong ?? []), name])
        })
      continue
    }
    for (let turn = 1; turn <= (whole.turns ?? 1); turn++)
      change(String(turn), `replaces the ${resource}, every field by another value`, context =>
        bodyOf(updateShape, context, nth, turn),
      )
    if (nth === 0)
      change('rest', `replaces the ${resource} with the required fields alone`, context => {
        const body = small(context, alias, true)
        const names = Object.keys(body ?? {}).filter(name => isRequired(name, updateShape))
        return body && pick(body as JsonObject, names)
      })
  }
  listAll('list-whole-after', `lists ${resource}s after the changes of those with every field`)
}

/** The fields that are not sent, for the plan. */
function exceptionsIn({ omit = {} }: Whole): string {
  const parts = [...new Set(Object.values(omit))].map(reason => {
    const names = Object.keys(omit).filter(name => omit[name] === reason)
    return `${names.join(', ')} (${reason})`
  })
  return parts.length > 0 ? ` but ${parts.join(', ')}` : ''
}

/** True for a field without which a replacement would be refused. */
function isRequired(name: string, { fields, oneOf }: Shape): boolean {
  const field = fields[name] ?? Object.values(oneOf?.variants ?? {}).find(one => name in one)?.[name]
  return !field?.optional
}

const pick = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))

const aliasOf = (nth: number): string => (nth === 0 ? 'whole' : `whole-${nth + 1}`)

/** The number of bodies in the edition that has the most. */
function countBodies(shape: Shape, form: Run['form'], { values, valuesFrom = {}, omit }: Whole): number {
  const placeholders = Object.fromEntries(Object.keys(valuesFrom).map(name => [name, 'known in a run']))
  const wish = { values: { ...values, ...placeholders }, omit, form, context: undefined, small: {}, mark: ' ', turn: 0 }
  return Math.max(...(['2.24', '2.36'] as const).map(edition => createWholeBodies(shape, { ...wish, edition }).length))
}

/** Every exchange of the whole objects of a resource, in the order of their lines. */
export const isOfWhole = ({ step, form }: Exchange, resource: string): boolean =>
  new RegExp(`^${form}:${resource}\\.(?:create|get|list|update)-whole`).test(step)

/** The last line, which depends on all others. */
export const lastOfWhole = (resource: string): string => `${resource}.list-whole-after`
