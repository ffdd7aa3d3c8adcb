import type { z } from 'zod/v3'
import type { Seeding } from './seeding.ts'
import type { World } from './world.ts'

/**
 * Records of one model in one place, in order of creation. A record is never changed in place: a write replaces it whole.
 */
export interface Collection<T> {
  readonly size: number
  /** Grows with every write, so that what is derived from the list may be cached while it stays the same. */
  readonly version: number
  get(key: string): T | undefined
  list(): readonly T[]
  /** What `make` makes of the list, kept by its name until something in the collection changes. */
  derive<Derived>(name: string, make: (list: readonly T[]) => Derived): Derived
  create(record: T): void
  replace(record: T): void
  /**
   * Replaces a record by one that differs only in the trace that reading leaves, such as the time of a key's last use. It is no
   * write: neither the version nor the revision of the world grows. It costs the same however many records there are.
   */
  touch(record: T): void
  /** Removes a record and everything that lies within it; false when there is none of this key. */
  remove(key: string): boolean
}

/** What a world keeps of one kind of thing: how its records look, where they lie, how they begin, and what time does to them. */
export interface Model<T extends object, Name extends string = string> {
  /** The name in state files and on the control plane: the resource's, such as `member`. */
  readonly name: Name
  /** Where its records lie: in the deployment as a whole, in an observability stack, or within the records of another model. */
  readonly within: 'deployment' | 'stack' | AnyModel
  /** Judges a record that comes from a state file or from the control plane. */
  readonly record: z.ZodType<T, z.ZodTypeDef, unknown>
  /** Fields that no API answers, at whatever depth: the control plane takes them, and does not show them. */
  readonly secrets?: readonly string[]
  /** The key, unique in its place. */
  key(record: T): string
  /** True when each place holds at most one record, whose key is the name of the model. */
  readonly one?: true
  /** True for free-form documents, of which there may be many. The others are administrative: few, and held by @mswjs/data. */
  readonly documents?: true
  /** The records of a place at the start: the same for the same seed, size and moment. */
  seed?(place: string, from: Seeding): Iterable<T>
  /** What a new record has where neither a seed nor whoever arranges it says so. */
  usual?(place: string, at: number, world: World): Partial<T>
  /** When time alone will change a record next, in epoch milliseconds … */
  next?(record: T): number | undefined
  /** … and what it becomes then; undefined when it is gone. Time is being brought up to `now`, which may be long after. */
  elapse?(record: T, at: number, world: World, place: string, now: number): T | undefined
  /** What it is told of: the writes to the records of other models, each before it is done. */
  readonly follows?: readonly Following[]
}

/** What a model does about the writes to another one's records. */
export interface Following {
  readonly model: AnyModel
  written(write: Write, world: World): void
}

/** A write to one record: a creation has nothing before it, and a removal nothing after it. */
export interface Write {
  readonly place: string
  readonly at: number
  // biome-ignore lint/suspicious/noExplicitAny: whoever follows a model knows the type of its records.
  readonly before?: any
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly after?: any
}

/** A model of whatever type, for tables of all of them. */
// biome-ignore lint/suspicious/noExplicitAny: a model takes and gives its own type of record, so no other type fits all.
export type AnyModel = Model<any>

/** The models in an order in which each comes after the one that its records lie within. */
export function parentsFirst(models: readonly AnyModel[], stacks: AnyModel): readonly AnyModel[] {
  const depth = ({ within }: AnyModel): number =>
    within === 'deployment' ? 0 : 1 + depth(within === 'stack' ? stacks : within)
  return models.toSorted((a, b) => depth(a) - depth(b))
}
