import { corsDescription, corsWords, readOrigin } from '../core/cors.ts'
import { expectedHost, readHost } from '../faces/read-host.ts'
import { type Choices, isSegment, readChoice } from '../gaps/choices.ts'
import { parseDuration } from '../words/durations.ts'
import { nearest } from '../words/nearest.ts'
import { parseMoment } from '../world/clock.ts'

/** One option of the command line, and how its value is read. */
export interface Option<Value> {
  /** The name of its value in the help; absent for a switch. */
  readonly takes?: string
  /** The default, in words. */
  readonly usual: string
  readonly description: string
  /** A list: the option may be repeated, and its values may be separated by commas. Each is read on its own. */
  readonly repeatable?: true
  /** Returns undefined for a text that is not valid. */
  read(text: string): Value | undefined
  /** What `read` accepts, in words. */
  readonly wants: string
  /** A further sentence about a text that is not valid. */
  advise?(text: string): string
}

export function text(takes: string, usual: string, sentence: string): Option<string> {
  return { takes, usual, description: sentence, read: value => value || undefined, wants: 'a text that is not empty' }
}

/** A segment of a path that needs no escaping. */
export function segment(usual: string, sentence: string): Option<string> {
  const read = (value: string) => (isSegment(value) ? value : undefined)
  return { takes: 'WORD', usual, description: sentence, read, wants: 'one segment of a path, such as observability' }
}

/** A list of hosts, each as it is written in a URL. */
export function hosts(sentence: string): Option<readonly string[]> {
  const read = (value: string) => {
    const host = readHost(value)
    return host === undefined ? undefined : [host]
  }
  return { takes: 'HOST', usual: 'none', description: sentence, repeatable: true, read, wants: expectedHost }
}

/** A list of choices for gaps, each by its name. */
export function choices(sentence: string): Option<readonly Choices[]> {
  const attempt = (value: string) => {
    try {
      return readChoice(value)
    } catch (error) {
      return (error as Error).message
    }
  }
  return {
    takes: '[FORM:]GAP=VALUE',
    usual: 'none',
    description: sentence,
    repeatable: true,
    read(value) {
      const read = attempt(value)
      return typeof read === 'string' ? undefined : [read]
    },
    wants: 'a choice such as cloud:path/unknown-path=404 text',
    advise: value => `${attempt(value)}.`,
  }
}

/** A list of origins, or one of the keywords, which cannot be combined. */
export function cors(usual: string, sentence: string): Option<readonly string[]> {
  const read = (value: string) => {
    const origin = readOrigin(value)
    return origin === undefined && !corsWords.includes(value) ? undefined : [origin ?? value]
  }
  const advise = (value: string) => {
    const bare = URL.canParse(value) ? new URL(value).origin : 'null'
    const meant = value === '*' ? 'any' : bare === 'null' ? nearest(value, corsWords) : bare
    return meant ? `Did you mean ${meant}?` : ''
  }
  return { takes: 'ORIGIN', usual, description: sentence, repeatable: true, read, wants: corsDescription, advise }
}

/** A list of known names; `all` says where they are listed. */
export function listOf<Name extends string>(
  takes: string,
  sentence: string,
  names: readonly Name[],
  { wants, all }: { readonly wants: string; readonly all: string },
): Option<readonly Name[]> {
  const read = (value: string) => (names.includes(value as Name) ? [value as Name] : undefined)
  const advise = (value: string) => {
    const meant = nearest(value, names)
    return meant ? `Did you mean ${meant}?` : all
  }
  return { takes, usual: 'none', description: sentence, repeatable: true, read, wants, advise }
}

export function flag(sentence: string): Option<boolean> {
  return { usual: 'off', description: sentence, read: value => switches[value.toLowerCase()], wants: 'true or false' }
}

export function integer(
  takes: string,
  usual: string,
  sentence: string,
  { least = 0, most = Number.MAX_SAFE_INTEGER } = {},
): Option<number> {
  const read = (value: string) => readInteger(value, least, most)
  return { takes, usual, description: sentence, read, wants: `a whole number from ${least} to ${most}` }
}

/** A length of time with its unit, read as milliseconds. */
export function duration(usual: string, sentence: string): Option<number> {
  const wants = 'a duration such as 90s, 30m, 12h or 2d, at least a second'
  return { takes: 'DURATION', usual, description: sentence, read: parseDuration, wants }
}

export function port(usual: string, sentence: string): Option<number> {
  return { ...integer('PORT', usual, sentence, { most: 65_535 }), wants: 'a port from 0 to 65535' }
}

export function range(takes: string, usual: string, sentence: string, most: number): Option<readonly [number, number]> {
  const wants = `a number up to ${most}, or two as MIN-MAX, the smaller first`
  return { takes, usual, description: sentence, read: value => readRange(value, most), wants }
}

/** A rate from 0 to 1. */
export function share(sentence: string): Option<number> {
  return { takes: 'RATE', usual: '0', description: sentence, read: readShare, wants: 'a number from 0 to 1' }
}

export function moment(usual: string, sentence: string): Option<number> {
  return {
    takes: 'TIME',
    usual,
    description: sentence,
    read: parseMoment,
    wants: 'an ISO 8601 time or epoch milliseconds, from 1970 to 9999',
  }
}

const switches: Readonly<Record<string, boolean | undefined>> = {
  true: true,
  on: true,
  1: true,
  false: false,
  off: false,
  0: false,
}

function readInteger(value: string, least: number, most: number): number | undefined {
  return /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most ? Number(value) : undefined
}

function readShare(value: string): number | undefined {
  return /^\d*\.?\d+$/.test(value) && Number(value) <= 1 ? Number(value) : undefined
}

function readRange(value: string, limit: number): readonly [number, number] | undefined {
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(value) ?? []
  const [least, most] = [Number(first), Number(last)]
  return least <= most && most <= limit ? [least, most] : undefined
}
