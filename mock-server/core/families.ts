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

const allFamilies: readonly Family[] = Object.values(families)

export const models = allFamilies.flatMap(family => family.models ?? [])
export const handlers: Readonly<Record<OperationId, Handler>> = Object.assign(
  {},
  ...allFamilies.map(one => one.handlers),
)
/** A fault of a family replaces the one that follows from the id of the rule. */
export const faults: Readonly<Record<RuleId, () => Fault>> = Object.assign(
  {},
  faultsByName,
  ...allFamilies.map(one => one.faults),
)

export const judgedByFamily: ReadonlySet<OperationId> = new Set(allFamilies.flatMap(one => one.judgesBodies ?? []))

export const rulesOfBodies: { readonly [Name in ResourceId]?: BodyRules } = Object.assign(
  {},
  ...allFamilies.map(one => one.bodies),
)

/** By operation: what reads the fields that a PATCH omits, and what makes refusals of another shape. */
export const unsent: NonNullable<Family['unsent']> = Object.assign({}, ...allFamilies.map(one => one.unsent))
export const refusals: NonNullable<Family['refusals']> = Object.assign({}, ...allFamilies.map(one => one.refusals))

export const authenticate: Required<NonNullable<Family['authenticate']>> = Object.assign(
  {},
  ...allFamilies.map(one => one.authenticate),
)
export const refusalsBelow: NonNullable<Family['refusalsBelow']> = Object.assign(
  {},
  ...allFamilies.map(one => one.refusalsBelow),
)
export const beforeActivities = allFamilies.flatMap(one => one.beforeActivities ?? [])
export const log = allFamilies.find(one => one.log)!.log!

/** A type error here names an operation without a handler … */
export type Unhandled = None<Exclude<OperationId, IdsOf<'handlers'>>>
/** … or a rule without a fault. */
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
/** A type error here means that the type of a model lacks its name: `Model<Member, 'member'>`. */
export type Unnamed = None<string extends ModelName ? 'a model without its name in its type' : never>
