import type { OperationId, ResourceId, RuleId } from '../../fixtures/contract/index.ts'
import type { Family, Handler } from '../families/family.ts'
import * as families from '../families/index.ts'
import type { Fault } from '../faults/fault.ts'
import { faults as faultsByName } from '../faults/lifecycle.ts'
import type { BodyRules } from '../fields/judge.ts'
import type { Model } from '../world/collection.ts'

type Families = typeof families
type IdsOf<Part extends string> = {
  [Name in keyof Families]: Families[Name] extends { readonly [Key in Part]: infer Entries } ? keyof Entries : never
}[keyof Families]

const all: readonly Family[] = Object.values(families)

export const models = all.flatMap(family => family.models ?? [])
export const handlers: Readonly<Record<OperationId, Handler>> = Object.assign({}, ...all.map(one => one.handlers))
/** A family has its own fault where that of the name does not fit. */
export const faults: Readonly<Record<RuleId, () => Fault>> = Object.assign(
  {},
  faultsByName,
  ...all.map(one => one.faults),
)

export const judgedByFamily: ReadonlySet<OperationId> = new Set(all.flatMap(one => one.judgesBodies ?? []))

export const rulesOfBodies: { readonly [Name in ResourceId]?: BodyRules } = Object.assign(
  {},
  ...all.map(one => one.bodies),
)

/** By operation: the fields that a PATCH omits, and refusals in another shape. */
export const unsent: NonNullable<Family['unsent']> = Object.assign({}, ...all.map(one => one.unsent))
export const refusals: NonNullable<Family['refusals']> = Object.assign({}, ...all.map(one => one.refusals))

export const authenticate: Required<NonNullable<Family['authenticate']>> = Object.assign(
  {},
  ...all.map(one => one.authenticate),
)
export const refusalsBelow: NonNullable<Family['refusalsBelow']> = Object.assign(
  {},
  ...all.map(one => one.refusalsBelow),
)
export const beforeActivities = all.flatMap(one => one.beforeActivities ?? [])
export const log = all.find(one => one.log)!.log!

/** A type error here names the operation that no family handles … */
export type Unhandled = None<Exclude<OperationId, IdsOf<'handlers'>>>
/** … or the rule that no fault breaks. */
export type Unbroken = None<Exclude<RuleId, IdsOf<'faults'> | keyof typeof faultsByName>>
type None<Missing extends never> = Missing

type Models = {
  [Name in keyof Families]: Families[Name] extends { readonly models: readonly (infer One)[] } ? One : never
}[keyof Families]

/** The record type of each model, by model name. */
export type RecordByName = {
  [One in Models as One extends Model<infer _, infer Name> ? Name : never]: One extends Model<infer Kept, string>
    ? Kept
    : never
}
export type ModelName = keyof RecordByName
/** A type error here says that a model does not have its name in its type: `Model<Member, 'member'>`. */
export type Unnamed = None<string extends ModelName ? 'a model without its name in its type' : never>
