import { type Bounds, type NumbersOf, readNumbers } from '../words/check-options.ts'

/** The default of each part of a size, and its bounds. */
export const sizeBounds = {
  organizations: { defaultValue: 2, min: 1, max: 1_000_000 },
  services: { defaultValue: 4, min: 0, max: 1_000_000 },
  members: { defaultValue: 10, min: 0, max: 1_000_000 },
  backups: { defaultValue: 6, min: 0, max: 1_000_000 },
  logs: { defaultValue: 500_000, min: 0, max: 1_000_000 },
} satisfies Readonly<Record<string, Bounds>>

/** The size of a world: organizations, services and members of each, backups per service, log rows per stack. */
export type Size = NumbersOf<typeof sizeBounds>

/** Checks the size of a world and fills in the defaults. Throws an Error about the first invalid part. */
export const readSize = (task: string, options: Partial<Size>): Size => readNumbers(task, sizeBounds, options)

/** Checks the given parts of a size, without defaults. Throws an Error about the first invalid one. */
export function readGivenSize(task: string, options: Partial<Size>): Partial<Size> {
  const read = Object.entries(readSize(task, options))
  return Object.fromEntries(read.filter(([part]) => options[part as keyof Size] !== undefined))
}
