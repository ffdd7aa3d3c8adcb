/** One option of the command line, and how its value is read. */
export interface Option<Value> {
  /** The name of its value in the help; absent for a switch. */
  readonly takes?: string
  /** What holds when nothing is told, in words. */
  readonly usual: string
  readonly says: string
  /** Reads a list: told again, it grows. */
  readonly repeatable?: true
  /** Undefined for a text that it does not take. */
  read(text: string): Value | undefined
  /** What `read` takes, in words. */
  readonly wants: string
}

export function text(takes: string, usual: string, says: string): Option<string> {
  return { takes, usual, says, read: value => value || undefined, wants: 'a text' }
}

/** In an environment variable its values are separated by commas. */
export function list(takes: string, says: string): Option<readonly string[]> {
  const read = (value: string) => (value ? value.split(',').map(part => part.trim()) : undefined)
  return { takes, usual: 'none', says, repeatable: true, read, wants: 'a text' }
}

export function flag(says: string): Option<boolean> {
  return { usual: 'off', says, read: value => switches[value.toLowerCase()], wants: 'true or false' }
}

export function integer(takes: string, usual: string, says: string, most = Number.MAX_SAFE_INTEGER): Option<number> {
  const wants = most === Number.MAX_SAFE_INTEGER ? 'a whole number' : `a whole number up to ${most}`
  return { takes, usual, says, read: value => readInteger(value, most), wants }
}

export function port(usual: string, says: string): Option<number> {
  return { ...integer('PORT', usual, says, 65_535), wants: 'a port from 0 to 65535' }
}

export function range(takes: string, usual: string, says: string): Option<readonly [number, number]> {
  return { takes, usual, says, read: readRange, wants: 'a number or two as MIN-MAX, the smaller first' }
}

/** A part of the whole. */
export function share(says: string): Option<number> {
  return { takes: 'RATE', usual: '0', says, read: readShare, wants: 'a number from 0 to 1' }
}

export function moment(usual: string, says: string): Option<number> {
  return { takes: 'TIME', usual, says, read: readMoment, wants: 'an ISO 8601 time or epoch milliseconds' }
}

const switches: Readonly<Record<string, boolean | undefined>> = {
  true: true,
  on: true,
  1: true,
  false: false,
  off: false,
  0: false,
}

function readInteger(value: string, most: number): number | undefined {
  return /^\d+$/.test(value) && Number(value) <= most ? Number(value) : undefined
}

function readShare(value: string): number | undefined {
  return /^\d*\.?\d+$/.test(value) && Number(value) <= 1 ? Number(value) : undefined
}

function readRange(value: string): readonly [number, number] | undefined {
  const [, least, most = least] = /^(\d+)(?:-(\d+))?$/.exec(value) ?? []
  return least !== undefined && Number(least) <= Number(most) ? [Number(least), Number(most)] : undefined
}

function readMoment(value: string): number | undefined {
  const time = /^-?\d+$/.test(value) ? Number(value) : Date.parse(value)
  return Number.isNaN(new Date(time).getTime()) ? undefined : time
}
