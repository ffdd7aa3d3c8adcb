import { written } from './check-options.ts'

interface Bounds {
  readonly usual: number
  readonly least: number
  readonly most: number
}

/** The numbers of a table, each as it is given or as usual, or a sentence about the one that is wrong. */
export function readNumbers<Name extends string>(
  task: string,
  table: Readonly<Record<Name, Bounds>>,
  given: { readonly [name in Name]?: number },
): Record<Name, number> {
  const read: Partial<Record<Name, number>> = {}
  for (const name of Object.keys(table) as Name[]) {
    const { usual, least, most } = table[name]
    const wanted = given[name] ?? usual
    if (!Number.isSafeInteger(wanted) || wanted < least || wanted > most) {
      throw new Error(`${task}: ${name}: Expected a whole number from ${least} to ${most}, received ${written(wanted)}`)
    }
    read[name] = wanted
  }
  return read as Record<Name, number>
}
