import type { z } from 'zod/v3'
import type { Size } from './size.ts'
import type { World } from './world.ts'

/** The records of one model in one place, in order of creation. A record is immutable: a write replaces it whole. */
export interface Collection<T> {
  readonly size: number
  /** Incremented by every write, so that values derived from the list can be cached. */
  readonly version: number
  get(key: string): T | undefined
  list(): readonly T[]
  /** Returns `make(list)`, cached by name until the collection is written or touched. */
  derive<Derived>(name: string, make: (list: readonly T[]) => Derived): Derived
  create(record: T): void
  replace(record: T): void
  /**
   * Replaces a record by one that differs only in a trace of reading, such as the time of a key's last use. It does not
   * count as a write, and its cost does not depend on the number of records.
   */
  touch(record: T): void
  /** Removes a record and all records within it; false if there is none with this key. */
  remove(key: string): boolean
}

/** A collection with some members overridden. */
export const override = <T>(collection: Collection<T>, own: Partial<Collection<T>>): Collection<T> =>
  Object.create(collection, Object.getOwnPropertyDescriptors(own))

/** The input from which the records of a place are generated. */
export interface Seeding {
  /** Determines names, dashboards and rows. */
  readonly seed: number
  /** Determines ids and credentials, which differ between the worlds of one mock. */
  readonly identitySeed: number
  /** The time at which the world started, in epoch milliseconds. */
  readonly start: number
  readonly size: Size
  /** The world, for values that follow from other records. */
  readonly world: World
  /** True if a call created the record that contains the place. */
  readonly isNew: boolean
  /** True if only a sample is needed: the defaults for a record that the control plane creates at `start`. */
  readonly isSample?: true
}

/** An answer of a captured deployment, and the place of its record. */
export interface CapturedAnswer {
  readonly within: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** A type of records: schema, place, seeding, and changes over time. */
export interface Model<T extends object, Name extends string = string> {
  /** The name of the resource, such as `member`, which state files and the control plane use. */
  readonly name: Name
  /** Where its records are: in the deployment, in an observability stack, or within the records of another model. */
  readonly within: 'deployment' | 'stack' | AnyModel
  /** Judges records from state files and the control plane. */
  readonly record: z.ZodType<T, z.ZodTypeDef, unknown>
  /** Fields that no API shows, at any depth: the control plane accepts them in records, and leaves them out of answers. */
  readonly secrets?: readonly string[]
  /** The fields whose values, joined by `@`, are the key of a record, unique in its place; default: `id`. */
  readonly keyFields?: readonly (keyof T & string)[]
  /** True if each place has at most one record, whose key is the name of the model. */
  readonly isSingleton?: true
  /** True for records of which there may be many. Others are few, and stored by @mswjs/data. */
  readonly isNumerous?: true
  /** Parameters and fields that name a record of the model, besides those that are called like the model and end with Id. */
  readonly namedBy?: readonly string[]
  /** By parameter or field: the list within a record whose item it names. */
  readonly items?: Readonly<Record<string, keyof T & string>>
  /** True if each record has an observability stack, whose id is the key of the record. Only one model has stacks. */
  readonly hasStack?: true
  /** True for records that refer to others, and on which nothing depends. */
  readonly isLog?: true
  /** True if answers list the newest record first, although it is stored last. */
  readonly isListedNewestFirst?: true
  /**
   * Whether an empty world keeps a seeded record: those of a new organization and a new stack. Without it, only singletons
   * that no operation deletes.
   */
  inEmptyWorld?(record: T, index: number, seed: number): boolean
  /** Generates the records of a place, determined by seed, size and time. */
  seed?(place: string, from: Seeding): Iterable<T>
  /** The fields in which a record differs from its captured answer. Changes other records to which they belong. */
  fromCaptured?(captured: CapturedAnswer, world: World): object
  /** The default values of a new record. */
  defaults?(place: string, at: number, world: World): Partial<T>
  /** The time at which the record next changes by itself, in epoch milliseconds. */
  nextChangeAt?(record: T): number | undefined
  /** The record after that change; undefined if it is removed. `now` may be long after the change. */
  applyChange?(record: T, at: number, world: World, place: string, now: number): T | undefined
  /** Functions that are called before each write to a record of another model. */
  readonly reactions?: readonly Reaction[]
}

/** The reaction of a model to writes to another model. */
export interface Reaction {
  readonly model: AnyModel
  beforeWrite(write: Write, world: World): void
}

/** A write to one record: `before` is undefined for a creation, `after` for a removal. */
export interface Write {
  readonly place: string
  readonly at: number
  // biome-ignore lint/suspicious/noExplicitAny: a reaction knows the type of the records of its model.
  readonly before?: any
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly after?: any
}

/** A model of any type, for tables of all models. */
// biome-ignore lint/suspicious/noExplicitAny: a model takes and gives its own type of record, so no other type fits all.
export type AnyModel = Model<any>

/** The key of a record. A missing field counts as empty. */
export const keyOf = ({ isSingleton, name, keyFields = ['id'] }: AnyModel, record: object): string =>
  isSingleton ? name : keyFields.map(field => (record as Readonly<Record<string, unknown>>)[field] ?? '').join('@')
