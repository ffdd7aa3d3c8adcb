import { z } from 'zod/v3'
import { type OperationId, operations } from '../../../fixtures/contract/index.ts'
import { mostLatencyMs } from '../../chaos/chaos.ts'
import type { Answer, Call } from '../../words/call.ts'
import { adviseNearest } from '../../words/nearest.ts'
import { findUnknownField } from '../../world/record.ts'

/** Which calls a stub answers: those that fit everything that is given. Nothing given fits every call but a preflight. */
export interface StubCondition {
  /** The method, in any letter case. A preflight is answered only when `OPTIONS` is given. */
  readonly method?: string
  /**
   * The path as it is sent, without the query. `{id}` or `*` stands for any segment, `*` within a segment for any part of
   * it, and `**` for any rest: `/v1/organizations/*\/services/**`.
   */
  readonly path?: string
  /** The operation of the contract, such as `alert.create`, instead of a method and path. */
  readonly operation?: OperationId
  /** Fields that the query has, decoded. */
  readonly query?: Readonly<Record<string, string>>
  /** Headers that the call has; names in any letter case, values exactly. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Part of the body: an object fits when its fields do, whatever else the body has; each item of a list has to fit one of
   * the body's; everything else has to be equal. A text fits a body that contains it.
   */
  readonly body?: unknown
}

/** What a stub answers. */
export interface StubAnswer {
  /** From 200 to 599. Default 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** A text is sent as it is, everything else as JSON. Default: no body. */
  readonly body?: unknown
  /** Milliseconds that the answer waits, up to 60,000. Default 0. */
  readonly delayMs?: number
}

/** An answer for some calls instead of the mock's, to arrange what a deployment does once in a while. */
export interface StubOptions {
  readonly when: StubCondition
  readonly answer: StubAnswer
  /** How many calls it answers before the mock is asked again. Default: all. */
  readonly times?: number
}

/** A stub that was set up. It stays in the list when it has answered `times` calls. */
export interface Stub extends StubOptions {
  /** Its name in the journal, such as `stub-1`. */
  readonly id: string
  /** How many calls it has answered. */
  readonly answered: number
}

/** The stubs of one world. */
export interface Stubs {
  /** Sets up a stub, or throws a sentence about what is wrong with it. Of two that fit a call, the newer one answers. */
  stub(wanted: StubOptions): Stub
  /** All stubs, the oldest first. */
  stubs(): readonly Stub[]
  /** Removes the stub of this id, or all without one; false when there is none with this id. */
  removeStubs(id?: string): boolean
}

/** Longer than any path that is called, in characters. */
const longestPath = 1000

/** Items of its lists are looked for one by one in the body of every call. */
const longestBody = 10_000

/** All stubs together, in characters of JSON. */
const mostOfStubs = 64 * 1024 * 1024

/** What frames an answer is written by whoever sends it: here it would break the connection, or the next answer. */
const framing = /^(?:connection|content-length|keep-alive|trailer|transfer-encoding|upgrade)$/i

/** More stubs than anybody arranges by hand: each of them is tried on every call. */
const mostStubs = 1000

export function createStubs() {
  let all: readonly Stub[] = []
  let given = 0

  return {
    stub(wanted: StubOptions): Stub {
      const read = readStub(wanted)
      if (all.length >= mostStubs)
        throw new Error(`stub a call: there are ${mostStubs} stubs: remove some of them first`)
      if (JSON.stringify([...all, read]).length > mostOfStubs)
        throw new Error('stub a call: all stubs take at most 64 MiB: remove some of them first')
      const stub = { id: `stub-${++given}`, ...read, answered: 0 }
      all = [...all, stub]
      return stub
    },
    stubs: () => all,
    removeStubs(id?: string): boolean {
      const kept = id === undefined ? [] : all.filter(one => one.id !== id)
      const isDone = id === undefined || kept.length < all.length
      all = kept
      return isDone
    },
    /** Puts back what `stubs` returned before. */
    restore(stubs: readonly Stub[]) {
      all = stubs
    },
    /** The answer of the newest stub that fits a call and has not answered as often as it may. */
    answer(call: Call, operation: string | undefined): Answer | undefined {
      const found = all.findLast(
        ({ times, answered, when }) => answered < (times ?? Number.POSITIVE_INFINITY) && fits(when, call, operation),
      )
      if (!found) return undefined
      const used = { ...found, answered: found.answered + 1 }
      all = all.map(one => (one === found ? used : one))
      const answer = writeAnswer(used.answer)
      return { ...answer, ...(call.method === 'HEAD' && { body: '' }), cause: causeOf(used) }
    },
  }
}

const causeOf = ({ id, times, answered }: Stub): Answer['cause'] => ({
  basis: 'invented',
  stub: id,
  why: `Answered by ${id}, ${times === undefined ? 'which answers until it is removed' : `${answered} of ${times} times`}: the mock was not asked.`,
})

function writeAnswer({ status = 200, headers = {}, body, delayMs = 0 }: StubAnswer): Answer {
  const isText = typeof body === 'string'
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
  return {
    status,
    headers: { ...(body !== undefined && { 'content-type': type }), ...named },
    body: body === undefined ? '' : isText ? body : JSON.stringify(body),
    ...(delayMs > 0 && { trouble: { delayMs } }),
  }
}

/** What a condition reads of a call. */
export type StubbedCall = Pick<Call, 'method' | 'path' | 'query' | 'headers' | 'body'>

type Part = (when: StubCondition, call: StubbedCall, operation: string | undefined) => boolean

/** Whether a call fits each field of a condition; the cheapest first. */
const parts: Readonly<Record<keyof StubCondition, Part>> = {
  method: ({ method }, call) =>
    method === undefined ? call.method !== 'OPTIONS' : method.toUpperCase() === call.method,
  operation: ({ operation }, _call, called) => operation === undefined || operation === called,
  path: ({ path }, call) => path === undefined || fitsPath(path, call.path),
  query: ({ query }, call) => !query || hasAll(query, name => new URLSearchParams(call.query).getAll(name)),
  headers: ({ headers }, call) => !headers || hasAll(headers, name => [call.headers[name.toLowerCase()]]),
  body: ({ body }, call) => body === undefined || fitsBody(body, call.body),
}

const fits: Part = (...about) => Object.values(parts).every(part => part(...about))

/** The fields of a condition that a call does not fit. */
export const missesOf = (...about: Parameters<Part>): readonly (keyof StubCondition)[] =>
  (Object.keys(parts) as (keyof StubCondition)[]).filter(name => !parts[name](...about))

const hasAll = (
  wanted: Readonly<Record<string, string>>,
  valuesOf: (name: string) => readonly (string | undefined)[],
) => Object.entries(wanted).every(([name, value]) => valuesOf(name).includes(value))

/** Goes through path and pattern once, with all places of the path at which a part may end: no pattern takes longer. */
function fitsPath(pattern: string, path: string): boolean {
  let ends = new Set([0])
  for (const [i, part] of pattern.split(/(\{[^{}/]*\}|\*\*|\*)/).entries()) {
    const isWord = i % 2 === 0
    const next = isWord ? [...ends].filter(at => path.startsWith(part, at)) : extended(part, path, ends)
    ends = new Set(isWord ? next.map(at => at + part.length) : next)
  }
  return ends.has(path.length)
}

/** Where `**`, `*` or `{id}` may end that begins at one of these places. */
function extended(part: string, path: string, begins: ReadonlySet<number>): readonly number[] {
  const ends: number[] = []
  let isIn = false
  for (let at = 0; at <= path.length; at++) {
    if (at > 0 && path[at - 1] === '/' && part !== '**') isIn = false
    if (isIn || (begins.has(at) && !part.startsWith('{'))) ends.push(at)
    isIn ||= begins.has(at)
  }
  return ends
}

function fitsBody(wanted: unknown, text: string): boolean {
  if (typeof wanted === 'string') return text.includes(wanted)
  try {
    return isPart(wanted, JSON.parse(text))
  } catch {
    return false
  }
}

function isPart(wanted: unknown, sent: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return wanted === sent
  if (typeof sent !== 'object' || sent === null || Array.isArray(wanted) !== Array.isArray(sent)) return false
  if (Array.isArray(wanted)) return wanted.every(item => (sent as unknown[]).some(one => isPart(item, one)))
  return Object.entries(wanted).every(
    ([name, value]) => Object.hasOwn(sent, name) && isPart(value, (sent as Record<string, unknown>)[name]),
  )
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Header names and values that every face can send. */
const headers = z.record(
  z.string().regex(/^[!#$%&'*+.^`|~\w-]+$/, 'Expected the name of a header'),
  z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'Expected a text on one line'),
)

const stubOptions = z
  .object({
    when: z
      .object({
        method: z.string(),
        path: z
          .string()
          .regex(/^(\/|\*\*)[^?#]*$/, 'Expected a path that begins with / and has no query')
          .max(longestPath, `Expected a path of at most ${longestPath} characters`),
        operation: z.string(),
        query: z.record(z.string()),
        headers: z.record(z.string()),
        body: z.unknown(),
      })
      .partial()
      .strict(),
    answer: z
      .object({
        status: z.number().int().min(200).max(599),
        headers,
        body: z.unknown(),
        delayMs: z.number().min(0).max(mostLatencyMs),
      })
      .partial()
      .strict(),
    times: z.number().int().min(1).optional(),
  })
  .strict()

function readStub(wanted: unknown): StubOptions {
  const unknown = findUnknownField(stubOptions, wanted)
  if (unknown) {
    const advice = adviseNearest(String(unknown.path.at(-1)), unknown.known)
    throw new Error(`stub a call: ${unknown.path.join('.')}: There is no such field; ${advice}`)
  }
  const read = stubOptions.safeParse(wanted)
  if (!read.success) {
    const [{ path, message } = { path: [], message: '' }] = read.error.issues
    throw new Error(`stub a call: ${path.length === 0 ? 'the stub' : path.join('.')}: ${message}`)
  }
  const { when, answer } = read.data
  const method = when.method?.toUpperCase()
  if (method !== undefined && !methods.includes(method)) {
    throw new Error(`stub a call: when.method: there is no method "${when.method}"; ${adviseNearest(method, methods)}`)
  }
  if (when.operation !== undefined && !Object.hasOwn(operations, when.operation)) {
    const advice = adviseNearest(when.operation, Object.keys(operations))
    throw new Error(`stub a call: when.operation: there is no operation "${when.operation}"; ${advice}`)
  }
  if (when.body !== undefined && JSON.stringify(when.body).length > longestBody)
    throw new Error(
      `stub a call: when.body: Expected at most ${longestBody} characters of JSON: say what is peculiar to it`,
    )
  const framed = Object.keys(answer.headers ?? {}).find(name => framing.test(name))
  if (framed) throw new Error(`stub a call: answer.headers.${framed}: Expected none, since the server writes it`)
  if (answer.body !== undefined && [204, 205, 304].includes(answer.status ?? 200)) {
    throw new Error(`stub a call: answer.body: Expected none, since an answer of ${answer.status} has no body`)
  }
  return read.data as StubOptions
}
