import { type OperationId, operations } from '../../fixtures/contract/index.ts'
import type { Created } from '../engine/created.ts'
import type { Living } from '../engine/living.ts'
import { creationMark, updateMark } from '../engine/mark.ts'
import type { Draft, Past, Step } from '../engine/step.ts'

/**
 * The life of a resource, from its contract: a run creates things, lists and gets them, updates one, gets it, deletes it, gets
 * and lists again. `main` is read, updated and deleted; `spare` is its sibling, which must stay as it is, and what the probes
 * of §5 aim at.
 */
export interface Life {
  readonly form: Step['form']
  readonly resource: Living
  /** The body of a creation; undefined when something that it refers to is not known. */
  readonly body: (past: Past, name: string, thing: string) => object | undefined
  /** The body of an update; by default that of a creation. */
  readonly change?: (past: Past, name: string, thing: string) => object | undefined
  /** Why there is no body. */
  readonly noBody?: (past: Past, thing: string) => Draft
  /** The steps whose answers a body is made from. */
  readonly from?: (thing: string) => readonly string[]
  /** An id to read by where the run created nothing; by default the first of the list. */
  readonly known?: (past: Past) => string | undefined
  /** What it lies within, by the name in its paths, such as `serviceId`: the step of the run that creates it. */
  readonly within?: Readonly<Record<string, string>>
  /** The states in which something that was created can be used; it is waited for. */
  readonly ready?: readonly string[]
  /** True for resources that cost too much to create a second one. */
  readonly alone?: true
  /** How many phases later than usual it starts. */
  readonly later?: number
}

const letters: Readonly<Record<string, string>> = { main: 'b', spare: 'c', third: 'a' }
export const skip = (reason: string): Draft => ({ skip: reason })

/** The name that something is created with. */
export const nameOf = (past: Past, resource: Created, thing: string): string =>
  named(creationMark(past.run, resource), thing, resource)
/** The name that an update gives; it does not prove that the run created the object. */
export const updatedNameOf = (past: Past, resource: Living, thing: string): string =>
  named(updateMark(past.run), thing, resource)
const named = (mark: string, thing: string, resource: Created) =>
  `stack-parity ${mark} ${letters[thing] ?? thing} ${resource}`

/** The operation that changes a resource: an update, else a replacement; undefined for one that stays as it is created. */
export const updateOf = (resource: string): OperationId | undefined =>
  ([`${resource}.update`, `${resource}.replace`] as OperationId[]).find(id => operations[id] !== undefined)
