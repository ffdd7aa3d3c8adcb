import { z } from 'zod/v3'
import type { Contract, OperationId } from '../../../fixtures/built-contract/index.ts'
import { maxLatencyMs } from '../../chaos/chaos.ts'
import { type Answer, type Call, hasNoBody } from '../../words/call.ts'
import { isRecord } from '../../words/check-options.ts'
import { adviseNearest } from '../../words/nearest.ts'
import { findUnknownField } from '../../world/record.ts'
import { escapeFor, fillTemplate } from './stub-template.ts'

/** A call matches a condition if it matches all of its fields. An empty one matches every call except preflights. */
export interface StubCondition {
  /** The method, ignoring case. A preflight matches only `OPTIONS`. */
  readonly method?: string
  /**
   * The path as it is sent, without the query. `{id}` or `*` stands for any segment, `*` within a segment for any part of
   * it, and `**` for any rest: `/v1/organizations/*\/services/**`.
   */
  readonly path?: string
  /** The operation of the contract, such as `alert.create`, instead of a method and path. */
  readonly operation?: OperationId
  readonly query?: Readonly<Record<string, string>>
  /** Headers of the call: names ignore case, values are exact. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * A part of the body: an object matches if its fields do, whatever other fields there are; each item of a list must
   * match one of the body's; a text by itself matches a body that contains it; other values must be equal.
   */
  readonly body?: unknown
}

export interface StubAnswer {
  /** From 200 to 599. Default 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /**
   * A text is sent as it is, everything else as JSON. Default: no body. Placeholders are filled from the call:
   * `{{body.name}}`, `{{query.limit}}`, `{{headers.x-tenant}}`, `{{params.serviceId}}`, `{{method}}`, `{{path}}`,
   * `{{operation}}`, `{{count}}` and `{{now}}`. A placeholder that is a whole text is replaced by the value with its type.
   */
  readonly body?: unknown
  /** Delay in milliseconds, up to 60,000. Default 0. */
  readonly delayMs?: number
  /** False: placeholders stay as they stand. Default true; what a function returns is never filled. */
  readonly template?: boolean
}

/** A call as the function of a stub receives it. */
export interface CallOfStub {
  readonly method: string
  readonly path: string
  /** The ids of the path by their names in the contract, such as `serviceId`; empty for an unknown path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Parsed if it is JSON, else a text; undefined without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: the test knows what was sent, as with `Response.json()`.
  readonly body: any
  /** The operation of the contract, such as `service.get`. */
  readonly operation?: string
  /** 1 for the first call that this stub answers. */
  readonly count: number
  /** The time of the world, such as `2026-01-01T00:00:00.000Z`. */
  readonly now: string
}

/** The mock's own answer, which may be changed in place or replaced by the returned one. */
export interface OwnAnswer {
  status: number
  headers: Record<string, string>
  /** Parsed if it is JSON, else a text; undefined without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: as in CallOfStub.
  body: any
}

type Eventual<Value> = Value | Promise<Value>

/** Answers a call. Returning nothing passes it to older stubs and the mock, and does not count. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing at all is one, too.
export type StubFunction = (call: CallOfStub) => Eventual<StubAnswer | undefined | void>

/** Changes the mock's own answer. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that changes the answer in place returns nothing.
export type StubChange = (answer: OwnAnswer, call: CallOfStub) => Eventual<StubAnswer | undefined | void>

/** An answer for some calls in place of the mock's, to simulate what a deployment rarely does. */
export interface StubOptions {
  readonly when: StubCondition
  /** The answer: values, a function of the call, or a sequence of these, whose last one repeats. */
  readonly answer?: StubAnswer | StubFunction | readonly (StubAnswer | StubFunction)[]
  /** Instead of `answer`: changes the answer of the mock, which handles the call. */
  readonly change?: StubChange
  /** The number of calls that it answers. Default: all. */
  readonly times?: number
}

/** A stub in the list. It stays there after `times` calls. */
export interface Stub extends StubOptions {
  /** Its name in the journal, such as `stub-1`. */
  readonly id: string
  /** The number of calls that it has answered. */
  readonly answered: number
}

export interface Stubs {
  /** Adds a stub, or throws an Error about an invalid one. If two stubs match a call, the newer one answers. */
  stub(options: StubOptions): Stub
  stubs(): readonly Stub[]
  /** Removes a stub by id, or all stubs without one; false if no stub has this id. */
  removeStubs(id?: string): boolean
}

const maxPathCharacters = 1000

/** Limit of `when.body` as JSON: its list items are searched for in the body of every call. */
const maxBodyCharacters = 10_000

/** Limit of all stubs together as JSON. */
const maxStubCharacters = 64 * 1024 * 1024

/** Headers that frame the answer are set by the listener: a stub would break the connection, or the next answer. */
const framing = /^(?:connection|content-length|keep-alive|trailer|transfer-encoding|upgrade)$/i

/** Limit of stubs, each of which is tried on every call. */
const maxStubs = 1000

/** A call, and what a stub may need to answer it. */
export interface StubContext {
  readonly call: Call
  readonly operation: string | undefined
  readonly params: Readonly<Record<string, string>>
  /** The time of the world, in epoch milliseconds. */
  readonly now: number
  /** Returns the mock's answer, including broken rules, and chaos if `isWithChaos`. */
  readonly askMock: (isWithChaos: boolean) => Promise<Answer>
  /** The refusal after an error in a stub. */
  readonly fail: (why: string) => Answer
}

export function createStubs(contract: Contract) {
  let allStubs: readonly Stub[] = []
  let stubCount = 0

  const count = (id: string, by: number) => {
    allStubs = allStubs.map(one => (one.id === id ? { ...one, answered: one.answered + by } : one))
  }

  /** Answers by the newest matching stub that may answer again; if it passes the call on, by older ones, and finally by the mock. */
  async function answerBy(stubs: readonly Stub[], context: StubContext): Promise<Answer> {
    const { call, operation } = context
    const stub = stubs.findLast(
      ({ times, answered, when }) => answered < (times ?? Number.POSITIVE_INFINITY) && matches(when, call, operation),
    )
    if (!stub) return context.askMock(true)
    const counted = { ...stub, answered: stub.answered + 1 }
    // Counts before anything is awaited, so that concurrent calls count, too.
    count(stub.id, 1)
    try {
      const answer = await answerAs(counted, context)
      if (answer) return call.method === 'HEAD' ? withoutBody(answer) : answer
    } catch (error) {
      const why = `${stub.id} could not answer: ${error instanceof Error ? error.message : String(error)}`
      return { ...context.fail(why), cause: { basis: 'invented', stub: stub.id, why } }
    }
    count(stub.id, -1)
    const at = allStubs.findIndex(({ id }) => id === stub.id)
    return answerBy(allStubs.slice(0, Math.max(0, at)), context)
  }

  return {
    stub(options: StubOptions): Stub {
      const read = readStub(contract, options)
      if (allStubs.length >= maxStubs)
        throw new Error(`stub a call: there are ${maxStubs} stubs: remove some of them first`)
      if (JSON.stringify([...allStubs, read]).length > maxStubCharacters)
        throw new Error('stub a call: all stubs take at most 64 MiB: remove some of them first')
      const stub = { id: `stub-${++stubCount}`, ...read, answered: 0 }
      allStubs = [...allStubs, stub]
      return stub
    },
    stubs: () => allStubs,
    removeStubs(id?: string): boolean {
      const kept = id === undefined ? [] : allStubs.filter(one => one.id !== id)
      const isRemoved = id === undefined || kept.length < allStubs.length
      allStubs = kept
      return isRemoved
    },
    /** Restores a value of `stubs`. A value that was written as JSON has lost its functions; their stubs are left out. */
    restore(stubs: readonly Stub[]) {
      allStubs = stubs.filter(({ answer, change }) => change ?? [answer].flat().every(step => step != null))
    },
    answer: (context: StubContext) => answerBy(allStubs, context),
  }
}

/** The answer to HEAD, which says how long the body of a GET would be. */
function withoutBody({ body, ...answer }: Answer): Answer {
  const length = String(new TextEncoder().encode(body).length)
  return {
    ...answer,
    headers: hasNoBody(answer.status) ? answer.headers : { 'content-length': length, ...answer.headers },
    body: '',
  }
}

/** Answers a call by a stub, whose `answered` counts this call already. */
async function answerAs(stub: Stub, context: StubContext): Promise<Answer | undefined> {
  const { answer, change, answered } = stub
  const call = readCall(context, answered)
  if (change) {
    const { cause, ...own } = await context.askMock(false)
    const isJson = /json/.test(own.headers['content-type'] ?? '')
    const body = own.body === '' ? undefined : isJson ? parseJson(own.body) : own.body
    // The mock answers HEAD with the length of a body that nobody sees.
    const { 'content-length': length, ...ownHeaders } = own.headers
    const shown: OwnAnswer = { status: own.status, headers: ownHeaders, body }
    const changed = readAnswer((await change(shown, call)) ?? shown, 'change')
    // The entity tag belongs to the original body.
    const { etag: _, ...headers } = changed.headers ?? {}
    const why = `Changed by ${stub.id}${describeUse(stub)}. Before: ${own.status}. ${cause?.why ?? ''}`.trim()
    const written = writeAnswer({ ...changed, headers })
    if (length !== undefined && written.body === '') written.headers['content-length'] = length
    return { ...written, cause: { basis: 'invented', stub: stub.id, why } }
  }
  const steps = [answer].flat()
  const step = steps[Math.min(answered, steps.length) - 1]
  const result = typeof step === 'function' ? await step(call) : fillAnswer(step!, call)
  if (result === undefined) return undefined
  const read = typeof step === 'function' ? readAnswer(result, 'answer') : result
  const why = `Answered by ${stub.id}${describeUse(stub) || ', which answers until it is removed'}: the mock was not asked.`
  return { ...writeAnswer(read), cause: { basis: 'invented', stub: stub.id, why } }
}

const describeUse = ({ times, answered }: Stub) => (times === undefined ? '' : `, ${answered} of ${times} times`)

function readCall({ call, operation, params, now }: StubContext, count: number): CallOfStub {
  const { method, path, query, headers, body } = call
  return {
    method,
    path,
    params,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers,
    body: body === '' ? undefined : parseJson(body),
    operation,
    count,
    now: new Date(now).toISOString(),
  }
}

/** Parses JSON; returns any other text as is. */
function parseJson(text: string): unknown {
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

/** Removes characters that no header can carry. */
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
    ...(delayMs > 0 && { disturbance: { delayMs } }),
  }
}

/** A stub as JSON, in which the word `function` stands for a function. */
export interface StubJson extends Omit<Stub, 'answer' | 'change'> {
  readonly answer?: StubAnswerJson | readonly StubAnswerJson[]
  readonly change?: 'function'
}

export type StubAnswerJson = StubAnswer | 'function'

export function stubToJson({ answer, change, ...stub }: Stub): StubJson {
  const show = (step: StubAnswer | StubFunction): StubAnswerJson => (typeof step === 'function' ? 'function' : step)
  if (change) return { ...stub, change: 'function' }
  const steps = [answer!].flat().map(show)
  return { ...stub, answer: Array.isArray(answer) ? steps : steps[0] }
}

type StubbedCall = Pick<Call, 'method' | 'path' | 'query' | 'headers' | 'body'>

type FieldTest = (when: StubCondition, call: StubbedCall, operation: string | undefined) => boolean

/** The tests of the fields of a condition, cheapest first. */
const fieldTests: Readonly<Record<keyof StubCondition, FieldTest>> = {
  method: ({ method }, call) =>
    method === undefined ? call.method !== 'OPTIONS' : method.toUpperCase() === call.method,
  operation: ({ operation }, _call, called) => operation === undefined || operation === called,
  path: ({ path }, call) => path === undefined || fitsPath(path, call.path),
  query: ({ query }, call) => !query || hasAll(query, name => new URLSearchParams(call.query).getAll(name)),
  headers: ({ headers }, call) => !headers || hasAll(headers, name => [call.headers[name.toLowerCase()]]),
  body: ({ body }, call) => body === undefined || fitsBody(body, call.body),
}

const matches: FieldTest = (...args) => Object.values(fieldTests).every(test => test(...args))

/** The fields of a condition that a call does not match. */
export const missesOf = (...args: Parameters<FieldTest>): readonly (keyof StubCondition)[] =>
  (Object.keys(fieldTests) as (keyof StubCondition)[]).filter(name => !fieldTests[name](...args))

const hasAll = (
  expected: Readonly<Record<string, string>>,
  valuesOf: (name: string) => readonly (string | undefined)[],
) => Object.entries(expected).every(([name, value]) => valuesOf(name).includes(value))

/** Tracks all positions at which a part of the pattern may end: the time is linear in the product of the lengths. */
function fitsPath(pattern: string, path: string): boolean {
  let ends = new Set([0])
  for (const [i, part] of pattern.split(/(\{[^{}/]*\}|\*\*|\*)/).entries()) {
    const isLiteral = i % 2 === 0
    const next = isLiteral ? [...ends].filter(at => path.startsWith(part, at)) : endsOfPlaceholder(part, path, ends)
    ends = new Set(isLiteral ? next.map(at => at + part.length) : next)
  }
  return ends.has(path.length)
}

/** The positions at which `**`, `*` or `{id}` may end if it begins at one of the given positions. */
function endsOfPlaceholder(part: string, path: string, begins: ReadonlySet<number>): readonly number[] {
  const ends: number[] = []
  let isIn = false
  for (let at = 0; at <= path.length; at++) {
    if (at > 0 && path[at - 1] === '/' && part !== '**') isIn = false
    if (isIn || (begins.has(at) && !part.startsWith('{'))) ends.push(at)
    isIn ||= begins.has(at)
  }
  return ends
}

function fitsBody(expected: unknown, text: string): boolean {
  if (typeof expected === 'string') return text.includes(expected)
  try {
    return isPart(expected, JSON.parse(text))
  } catch {
    return false
  }
}

function isPart(expected: unknown, sent: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return expected === sent
  if (typeof sent !== 'object' || sent === null || Array.isArray(expected) !== Array.isArray(sent)) return false
  if (Array.isArray(expected)) return expected.every(item => (sent as unknown[]).some(one => isPart(item, one)))
  return Object.entries(expected).every(
    ([name, value]) => Object.hasOwn(sent, name) && isPart(value, (sent as Record<string, unknown>)[name]),
  )
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Texts by name. A name `__proto__` is refused, because it would be lost: it sets the prototype of the object. */
const textsByName = (names: z.ZodString, texts: z.ZodString) =>
  z.preprocess(
    (value, context) => {
      if (isRecord(value) && Object.hasOwn(value, '__proto__'))
        context.addIssue({ code: 'custom', path: ['__proto__'], message: 'This name cannot be used' })
      return value
    },
    z.record(names, texts),
  )

/** Header names and values that every face can send. */
const headers = textsByName(
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
          .max(maxPathCharacters, `Expected a path of at most ${maxPathCharacters} characters`),
        operation: z.string(),
        query: textsByName(z.string(), z.string()),
        headers: textsByName(z.string(), z.string()),
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
    delayMs: z.number().min(0).max(maxLatencyMs),
    template: z.boolean(),
  })
  .partial()
  .strict()

function readStub({ operations }: Contract, options: unknown): StubOptions {
  const { answer, change, ...rest } = parseAs(stubOptions, options)
  const { when } = rest
  const method = when.method?.toUpperCase()
  if (method !== undefined && !methods.includes(method)) {
    throw new Error(`stub a call: when.method: there is no method "${when.method}"; ${adviseNearest(method, methods)}`)
  }
  if (when.operation !== undefined && !Object.hasOwn(operations, when.operation)) {
    const advice = adviseNearest(when.operation, Object.keys(operations))
    throw new Error(`stub a call: when.operation: there is no operation "${when.operation}"; ${advice}`)
  }
  if (when.body !== undefined && JSON.stringify(when.body).length > maxBodyCharacters)
    throw new Error(
      `stub a call: when.body: Expected at most ${maxBodyCharacters} characters of JSON: give only what distinguishes the call`,
    )
  if (change !== undefined && answer !== undefined)
    throw new Error(
      'stub a call: answer, change: Expected one of them: a stub answers itself, or changes what the mock answered',
    )
  const effect = change === undefined ? { answer: readSteps(answer) } : { change: change as StubChange }
  return { when: when as StubCondition, ...effect, ...(rest.times !== undefined && { times: rest.times }) }
}

function readSteps(answer: unknown): NonNullable<StubOptions['answer']> {
  if (answer === undefined) throw new Error('stub a call: answer: Required')
  const read = (step: unknown, path: string) =>
    typeof step === 'function' ? (step as StubFunction) : readAnswer(step, path)
  if (!Array.isArray(answer)) return read(answer, 'answer')
  if (answer.length === 0) throw new Error('stub a call: answer: Expected at least one answer')
  return answer.map((step, i) => read(step, `answer.${i}`))
}

function readAnswer(value: unknown, path: string): StubAnswer {
  const answer = parseAs(stubAnswer, value, path)
  const framed = Object.keys(answer.headers ?? {}).find(name => framing.test(name))
  if (framed) throw new Error(`stub a call: ${path}.headers.${framed}: Expected none, since the server writes it`)
  if (answer.body !== undefined && hasNoBody(answer.status ?? 200)) {
    throw new Error(`stub a call: ${path}.body: Expected none, since an answer of ${answer.status} has no body`)
  }
  return answer
}

/** Reads a value by a schema. Throws an Error that names the field, below `path`. */
function parseAs<Schema extends z.ZodTypeAny>(schema: Schema, value: unknown, path?: string): z.infer<Schema> {
  const at = (names: readonly (string | number)[]) => [...(path === undefined ? [] : [path]), ...names].join('.')
  const unknown = findUnknownField(schema, value)
  if (unknown) {
    const advice = adviseNearest(String(unknown.path.at(-1)), unknown.known)
    throw new Error(`stub a call: ${at(unknown.path)}: There is no such field; ${advice}`)
  }
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new Error(`stub a call: ${at(issue!.path) || 'the stub'}: ${issue!.message}`)
}
