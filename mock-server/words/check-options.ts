import { adviseNearest, nearest } from './nearest.ts'

/** A predicate and a description of valid values, which are of the type `Value`. */
export type OptionCheck<Value = unknown> = readonly [
  isValid: (value: unknown) => boolean,
  expected: string,
  ofType?: Value,
]

/** The options of a table of checks. */
export type OptionsOf<Checks> = {
  readonly [Name in keyof Checks]?: Checks[Name] extends OptionCheck<infer Value> ? Value : never
}

export const check = <Value>(isValid: (value: unknown) => boolean, expected: string): OptionCheck<Value> => [
  isValid,
  expected,
]

/** The check of an option whose reader has a sentence of its own. */
export const checkedLater = <Value>() => check<Value>(() => true, '')

/**
 * Refuses unknown options and invalid values, as the command does; undefined counts as absent. `parts` has, for options
 * that are objects, the names of their properties, which are suggested too.
 * @throws Error with a sentence that begins with what was tried.
 */
export function checkOptions(
  task: string,
  known: Readonly<Record<string, OptionCheck>>,
  options: unknown,
  parts: Readonly<Record<string, readonly string[]>> = {},
): void {
  if (!isRecord(options)) {
    throw new Error(`${task}: Expected an object of options, received ${writeValue(options)}`)
  }
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(known, name))
      throw new Error(`${task}: there is no option "${name}"; ${adviseOption(name, Object.keys(known), parts)}`)
    const [isValid, expected] = known[name]!
    if (value !== undefined && !isValid(value))
      throw new Error(`${task}: ${name}: Expected ${expected}, received ${writeValue(value)}`)
  }
}

function adviseOption(name: string, known: readonly string[], parts: Readonly<Record<string, readonly string[]>>) {
  const [nested] = Object.entries(parts).flatMap(([option, names]) => {
    const intended = nearest(name, known) ? undefined : nearest(name, names)
    return intended ? [`it is ${option}: { ${intended}: … }`] : []
  })
  return nested ?? adviseNearest(name, known)
}

/** A value as source text, shortened. */
export function writeValue(value: unknown): string {
  const text = typeof value === 'object' || typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

export const isNonEmptyText = (value: unknown): value is string => typeof value === 'string' && value !== ''
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'

/** The objects in a list; none for anything else. */
export const recordsIn = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

export const trueOrFalse: OptionCheck<boolean> = [isBoolean, 'true or false']
export const anyWholeNumber: OptionCheck<number> = [Number.isSafeInteger, 'a whole number']

/** A whole number between bounds, both included. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): OptionCheck<number> {
  const isValid = (value: unknown) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
  return [
    isValid,
    max === Number.MAX_SAFE_INTEGER ? `a whole number from ${min} on` : `a whole number from ${min} to ${max}`,
  ]
}

export interface Bounds {
  readonly defaultValue: number
  readonly min: number
  readonly max: number
}

/** The numbers of a table of bounds, which `readNumbers` reads. */
export type NumbersOf<Table> = { readonly [Name in keyof Table]: number }

/** The checks of the names of a table of bounds; `readNumbers` checks the values. */
export const namesOf = <Name extends string>(table: Readonly<Record<Name, Bounds>>) =>
  Object.fromEntries(Object.keys(table).map(name => [name, checkedLater<number>()])) as {
    readonly [name in Name]: OptionCheck<number>
  }

/** Reads the options that a table names, with their defaults. Throws an Error about the first invalid one. */
export function readNumbers<Name extends string>(
  task: string,
  table: Readonly<Record<Name, Bounds>>,
  options: { readonly [name in Name]?: number },
): Record<Name, number> {
  const read: Partial<Record<Name, number>> = {}
  for (const name of Object.keys(table) as Name[]) {
    const { defaultValue, min, max } = table[name]
    const number = options[name] ?? defaultValue
    const [isValid, expected] = wholeNumber(min, max)
    if (!isValid(number)) throw new Error(`${task}: ${name}: Expected ${expected}, received ${writeValue(number)}`)
    read[name] = number
  }
  return read as Record<Name, number>
}
