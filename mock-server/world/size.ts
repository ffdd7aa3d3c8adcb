import { readNumbers } from '../words/read-numbers.ts'

/** How large a world is: services and members are counted per organization, backups per service, log rows per stack. */
export interface Size {
  readonly organizations: number
  readonly services: number
  readonly members: number
  readonly backups: number
  readonly logs: number
}

/** How large a world is when nothing is said, and how large it may be. */
export const bounds: Readonly<Record<keyof Size, { usual: number; least: number; most: number }>> = {
  organizations: { usual: 2, least: 1, most: 1_000_000 },
  services: { usual: 4, least: 0, most: 1_000_000 },
  members: { usual: 10, least: 0, most: 1_000_000 },
  backups: { usual: 6, least: 0, most: 1_000_000 },
  logs: { usual: 500_000, least: 0, most: 1_000_000 },
}

/** The size of a world, or a sentence about what is wrong with it. */
export function readSize(task: string, options: Partial<Size>): Size {
  return readNumbers(task, bounds, options)
}

/** The parts of a size that were given, or a sentence about what is wrong with one of them. */
export function readSizeGiven(task: string, options: Partial<Size>): Partial<Size> {
  const read = readSize(task, options)
  const given = (Object.keys(bounds) as (keyof Size)[]).filter(part => options[part] !== undefined)
  return Object.fromEntries(given.map(part => [part, read[part]]))
}
