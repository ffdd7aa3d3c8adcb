import { z } from 'zod/v3'
import { type OperationId, operations } from '../../../fixtures/contract/index.ts'
import { mostLatencyMs } from '../../chaos/chaos.ts'
import type { Answer, Call } from '../../words/call.ts'
import { adviseNearest } from '../../words/nearest.ts'
import { findUnknownField } from '../../world/record.ts'
import { escapeFor, fillTemplate } from './stub-template.ts'

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
  /**
   * A text is sent as it is, everything else as JSON. Default: no body. Placeholders are filled from the call:
   * `{{body.name}}`, `{{query.limit}}`, `{{headers.x-tenant}}`, `{{params.serviceId}}`, `{{method}}`, `{{path}}`,
   * `{{operation}}`, `{{count}}` and `{{now}}`. One that is a whole value keeps the type of what it names.
   */
  readonly body?: unknown
  /** Milliseconds that the answer waits, up to 60,000. Default 0. */
  readonly delayMs?: number
  /** False: placeholders stay as they stand. Default true; what a function returns is never filled. */
  readonly template?: boolean
}

/** A call as the function of a stub gets it. */
export interface CallOfStub {
  readonly method: string
  readonly path: string
  /** The ids of the path, by their names in the contract, such as `serviceId`; none on a path that the mock does not know. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Parsed where it is JSON, else a text; undefined where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: what was sent is known to the test, as that of `Response.json()` is.
  readonly body: any
  /** The operation of the contract, such as `service.get`. */
  readonly operation?: string
  /** 1 for the first call that this stub answers. */
  readonly count: number
  /** The time of the world, such as `2026-01-01T00:00:00.000Z`. */
  readonly now: string
}

/** The mock's own answer, to be changed: in place, or by returning another one. */
export interface OwnAnswer {
  status: number
  headers: Record<string, string>
  /** Parsed where it is JSON, else a text; undefined where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: as in CallOfStub.
  body: any
}

type Eventual<Value> = Value | Promise<Value>

/** Answers a call; nothing returned leaves it to older stubs and the mock, and does not count. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing at all is one, too.
export type StubFunction = (call: CallOfStub) => Eventual<StubAnswer | undefined | void>

/** Changes the answer that the mock would have given. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that changes the answer in place returns nothing.
export type StubChange = (answer: OwnAnswer, call: CallOfStub) => Eventual<StubAnswer | undefined | void>

/** An answer for some calls instead of the mock's, to arrange what a deployment does once in a while. */
export interface StubOptions {
  readonly when: StubCondition
  /** What it answers: values, a function of the call, or a sequence of these, of which the last answers again and again. */
  readonly answer?: StubAnswer | StubFunction | readonly (StubAnswer | StubFunction)[]
  /** Instead of `answer`: the mock carries the call out, and this changes what it answered. */
  readonly change?: StubChange
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

/** A call, and what a stub may need to answer it. */
export interface Answerable {
  readonly call: Call
  readonly operation: string | undefined
  readonly params: Readonly<Record<string, string>>
  /** The time of the world, in epoch milliseconds. */
  readonly now: number
  /** What the mock answers, broken rules included; with chaos where no stub has anything to do with it. */
  readonly askMock: (isWithChaos: boolean) => Promise<Answer>
  /** The refusal of a stub that failed. */
  readonly fail: (why: string) => Answer
}

export function createStubs() {
  let all: readonly Stub[] = []
  let given = 0

  const fitting = ({ call, operation }: Answerable) => {
    const isFitting = ({ times, answered, when }: Stub) =>
      answered < (times ?? Number.POSITIVE_INFINITY) && fits(when, call, operation)
    return (from: readonly Stub[]) => from.findLast(isFitting)
  }
  const count = (id: string, by: number) => {
    all = all.map(one => (one.id === id ? { ...one, answered: one.answered + by } : one))
  }

  /** Asks the stub, and the older ones when it leaves the call to them; the mock at last. */
  async function answerBy(stub: Stub, asked: Answerable): Promise<Answer> {
    const used = { ...stub, answered: stub.answered + 1 }
    // Before anything is awaited: calls at the same time count, too.
    count(stub.id, 1)
    try {
      const answer = await answerAs(used, asked)
      if (answer) return asked.call.method === 'HEAD' ? { ...answer, body: '' } : answer
    } catch (error) {
      const why = `${stub.id} could not answer: ${error instanceof Error ? error.message : String(error)}`
      return { ...asked.fail(why), cause: { basis: 'invented', stub: stub.id, why } }
    }
    count(stub.id, -1)
    const older = fitting(asked)(
      all.slice(
        0,
        Math.max(
          0,
          all.findIndex(({ id }) => id === stub.id),
        ),
      ),
    )
    return older ? answerBy(older, asked) : asked.askMock(true)
  }

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
    /** Whether a call may meet a stub at all. */
    isEmpty: () => all.length === 0,
    /** The answer of the newest stub that fits a call and has not answered as often as it may; else that of the mock. */
    answer(asked: Answerable): Promise<Answer> {
      const found = fitting(asked)(all)
      return found ? answerBy(found, asked) : asked.askMock(true)
    },
  }
}

/** What `answered` counts has this call already. */
async function answerAs(stub: Stub, asked: Answerable): Promise<Answer | undefined> {
  const { answer, change, answered } = stub
  const call = readCall(asked, answered)
  if (change) {
    const { cause, ...own } = await asked.askMock(false)
    const type = Object.entries(own.headers).find(([name]) => name === 'content-type')?.[1] ?? ''
    const body = own.body === '' ? undefined : /json/.test(type) ? parsed(own.body) : own.body
    const shown: OwnAnswer = { status: own.status, headers: { ...own.headers }, body }
    const changed = readAnswer((await change(shown, call)) ?? shown, 'change')
    // The tag was that of the body as it was.
    const { etag: _, ...headers } = changed.headers ?? {}
    const why = `Changed by ${stub.id}${used(stub)}. Before: ${own.status}. ${cause?.why ?? ''}`.trim()
    return { ...writeAnswer({ ...changed, headers }), cause: { basis: 'invented', stub: stub.id, why } }
  }
  const steps = [answer].flat()
  const step = steps[Math.min(answered, steps.length) - 1]
  const given = typeof step === 'function' ? await step(call) : fillAnswer(step!, call)
  if (given === undefined) return undefined
  const read = typeof step === 'function' ? readAnswer(given, 'answer') : given
  const why = `Answered by ${stub.id}${used(stub) || ', which answers until it is removed'}: the mock was not asked.`
  return { ...writeAnswer(read), cause: { basis: 'invented', stub: stub.id, why } }
}

const used = ({ times, answered }: Stub) => (times === undefined ? '' : `, ${answered} of ${times} times`)

function readCall({ call, operation, params, now }: Answerable, count: number): CallOfStub {
  const { method, path, query, headers, body } = call
  return {
    method,
    path,
    params,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers,
    body: body === '' ? undefined : parsed(body),
    operation,
    count,
    now: new Date(now).toISOString(),
  }
}

/** JSON as its value, any other text as it is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function fillAnswer(answer: StubAnswer, call: CallOfStub): StubAnswer {
  const { headers = {}, body, template = true } = answer
  if (!template) return answer
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const filled = Object.entries(headers).map(([name, value]) => [name, writeHeader(fillTemplate(value, call))])
  return { ...answer, headers: Object.fromEntries(filled), body: fillTemplate(body, call, escapeFor(type)) }
}

/** A value that was sent may have characters that no header can carry. */
const writeHeader = (value: unknown) => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
}

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

/** A stub as JSON has it: in the place of a function stands the word. */
export interface ShownStub extends Omit<Stub, 'answer' | 'change'> {
  readonly answer?: ShownAnswer | readonly ShownAnswer[]
  readonly change?: 'function'
}

export type ShownAnswer = StubAnswer | 'function'

export function showStub({ answer, change, ...stub }: Stub): ShownStub {
  const show = (step: StubAnswer | StubFunction): ShownAnswer => (typeof step === 'function' ? 'function' : step)
  if (change) return { ...stub, change: 'function' }
  const [first, ...others] = [answer!].flat().map(show)
  return { ...stub, answer: Array.isArray(answer) ? [first!, ...others] : first }
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
    answer: z.unknown(),
    change: z.function().optional(),
    times: z.number().int().min(1).optional(),
  })
  .strict()

const stubAnswer = z
  .object({
    status: z.number().int().min(200).max(599),
    headers,
    body: z.unknown(),
    delayMs: z.number().min(0).max(mostLatencyMs),
    template: z.boolean(),
  })
  .partial()
  .strict()

function readStub(wanted: unknown): StubOptions {
  const { answer, change, ...rest } = readAs(stubOptions, wanted)
  const { when } = rest
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
  if (change !== undefined && answer !== undefined)
    throw new Error(
      'stub a call: answer, change: Expected one of them: a stub answers itself, or changes what the mock answered',
    )
  const given = change === undefined ? { answer: readSteps(answer) } : { change: change as StubChange }
  return { when: when as StubCondition, ...given, ...(rest.times !== undefined && { times: rest.times }) }
}

function readSteps(answer: unknown): NonNullable<StubOptions['answer']> {
  if (answer === undefined) throw new Error('stub a call: answer: Required')
  const read = (step: unknown, path: string) =>
    typeof step === 'function' ? (step as StubFunction) : readAnswer(step, path)
  if (!Array.isArray(answer)) return read(answer, 'answer')
  if (answer.length === 0) throw new Error('stub a call: answer: Expected at least one answer')
  return answer.map((step, i) => read(step, `answer.${i}`))
}

function readAnswer(wanted: unknown, path: string): StubAnswer {
  const answer = readAs(stubAnswer, wanted, path)
  const framed = Object.keys(answer.headers ?? {}).find(name => framing.test(name))
  if (framed) throw new Error(`stub a call: ${path}.headers.${framed}: Expected none, since the server writes it`)
  if (answer.body !== undefined && [204, 205, 304].includes(answer.status ?? 200)) {
    throw new Error(`stub a call: ${path}.body: Expected none, since an answer of ${answer.status} has no body`)
  }
  return answer
}

/** Throws a sentence that names the field, below `path`. */
function readAs<Schema extends z.ZodTypeAny>(schema: Schema, wanted: unknown, path?: string): z.infer<Schema> {
  const at = (names: readonly (string | number)[]) => [...(path === undefined ? [] : [path]), ...names].join('.')
  const unknown = findUnknownField(schema, wanted)
  if (unknown) {
    const advice = adviseNearest(String(unknown.path.at(-1)), unknown.known)
    throw new Error(`stub a call: ${at(unknown.path)}: There is no such field; ${advice}`)
  }
  const read = schema.safeParse(wanted)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new Error(`stub a call: ${at(issue!.path) || 'the stub'}: ${issue!.message}`)
}
