import type { Contract } from '../../fixtures/built-contract/index.ts'
import { corsDescription, corsKeywords, readOrigin } from '../core/cors.ts'
import { expectedHost, readHost } from '../faces/read-host.ts'
import { type Choices, readChoice } from '../gaps/choices.ts'
import { nearest } from '../words/nearest.ts'

/** One option of the command line, and how its value is read. */
export interface Option<Value> {
  /** The placeholder of its value in the help, such as `FILE`; absent for a switch. */
  readonly placeholder?: string
  /** The default, in words. */
  readonly defaultValue: string
  readonly description: string
  /** A list: the option may be repeated, and its values may be separated by commas. Each is read on its own. */
  readonly repeatable?: true
  /** Returns undefined for an invalid text. The contract is that of the mock, with the document that it is given. */
  read(text: string, contract: Contract): Value | undefined
  /** What `read` accepts, in words. */
  readonly expected: string
  /** A further sentence about an invalid text. */
  advise?(text: string, contract: Contract): string
}

export function text(placeholder: string, defaultValue: string, description: string): Option<string> {
  return {
    placeholder,
    defaultValue,
    description,
    read: value => value || undefined,
    expected: 'a text that is not empty',
  }
}

/** A list of hosts, each as it is written in a URL. */
export function hosts(description: string): Option<readonly string[]> {
  const read = (value: string) => {
    const host = readHost(value)
    return host === undefined ? undefined : [host]
  }
  return { placeholder: 'HOST', defaultValue: 'none', description, repeatable: true, read, expected: expectedHost }
}

export function choices(description: string): Option<readonly Choices[]> {
  const readOrExplain = (value: string, contract: Contract) => {
    try {
      return readChoice(contract, value)
    } catch (error) {
      return (error as Error).message
    }
  }
  return {
    placeholder: '[FORM:]GAP=VALUE',
    defaultValue: 'none',
    description,
    repeatable: true,
    read(value, contract) {
      const read = readOrExplain(value, contract)
      return typeof read === 'string' ? undefined : [read]
    },
    expected: 'a choice such as cloud:path/unknown-path=404 text',
    advise: (value, contract) => `${readOrExplain(value, contract)}.`,
  }
}

/** A list of origins, or one of the keywords, which cannot be combined. */
export function cors(defaultValue: string, description: string): Option<readonly string[]> {
  const read = (value: string) => {
    const origin = readOrigin(value)
    return origin === undefined && !corsKeywords.includes(value) ? undefined : [origin ?? value]
  }
  const advise = (value: string) => {
    const bare = URL.canParse(value) ? new URL(value).origin : 'null'
    const suggestion = value === '*' ? 'any' : bare === 'null' ? nearest(value, corsKeywords) : bare
    return suggestion ? `Did you mean ${suggestion}?` : ''
  }
  return { placeholder: 'ORIGIN', defaultValue, description, repeatable: true, read, expected: corsDescription, advise }
}

/** A list of names of the contract; `all` is a sentence about where to find all of them. */
export function listOf<Name extends string>(
  placeholder: string,
  description: string,
  namesIn: (contract: Contract) => readonly Name[],
  { expected, all }: { readonly expected: string; all(names: readonly Name[]): string },
): Option<readonly Name[]> {
  const read = (value: string, contract: Contract) =>
    namesIn(contract).includes(value as Name) ? [value as Name] : undefined
  const advise = (value: string, contract: Contract) => {
    const suggestion = nearest(value, namesIn(contract))
    return suggestion ? `Did you mean ${suggestion}?` : all(namesIn(contract))
  }
  return { placeholder, defaultValue: 'none', description, repeatable: true, read, expected, advise }
}

const switches: Readonly<Record<string, boolean | undefined>> = {
  true: true,
  on: true,
  1: true,
  false: false,
  off: false,
  0: false,
}

export function flag(description: string): Option<boolean> {
  return { defaultValue: 'off', description, read: value => switches[value.toLowerCase()], expected: 'true or false' }
}

export function integer(
  placeholder: string,
  defaultValue: string,
  description: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER } = {},
): Option<number> {
  const read = (value: string) =>
    /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined
  return { placeholder, defaultValue, description, read, expected: `a whole number from ${min} to ${max}` }
}

export function port(defaultValue: string, description: string): Option<number> {
  return { ...integer('PORT', defaultValue, description, { max: 65_535 }), expected: 'a port from 0 to 65535' }
}

export function range(
  placeholder: string,
  defaultValue: string,
  description: string,
  limit: number,
): Option<readonly [number, number]> {
  const read = (value: string): readonly [number, number] | undefined => {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(value) ?? []
    const [min, max] = [Number(first), Number(last)]
    return min <= max && max <= limit ? [min, max] : undefined
  }
  return {
    placeholder,
    defaultValue,
    description,
    read,
    expected: `a number up to ${limit}, or two as MIN-MAX, the smaller first`,
  }
}

export function rate(description: string): Option<number> {
  const read = (value: string) => (/^\d*\.?\d+$/.test(value) && Number(value) <= 1 ? Number(value) : undefined)
  return { placeholder: 'RATE', defaultValue: '0', description, read, expected: 'a number from 0 to 1' }
}
