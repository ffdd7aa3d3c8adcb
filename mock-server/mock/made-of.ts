import { contract, type OperationId, type RuleId } from '../../fixtures/built-contract/index.ts'
import { createCore } from '../core/core.ts'
import * as families from '../families/index.ts'
import type { DerivedFaults } from '../faults/lifecycle.ts'
import type { Model } from '../world/collection.ts'

/** What a mock is made of unless it is given something else: the contract of this package, and all families. */
export const core = createCore({ contract, families })

type Families = typeof families
type IdsOf<Part extends string> = {
  [Name in keyof Families]: Families[Name] extends { readonly [Key in Part]: infer Entries } ? keyof Entries : never
}[keyof Families]

/** A type error here names an operation without a handler … */
export type Unhandled = None<Exclude<OperationId, IdsOf<'handlers'>>>
/** … or a rule without a fault. */
export type Unbroken = None<Exclude<RuleId, IdsOf<'faults'> | keyof DerivedFaults>>
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
