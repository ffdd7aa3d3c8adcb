import type { Contract, Field, Fields, Form, Operation, ResourceId } from '../../../fixtures/built-contract/index.ts'
import type { OperationUsage, Usage, UsageExample } from '../../../fixtures/usage.ts'
import type { JournalEntry } from '../journal/journal.ts'
import { type Alternative, alternativesIn, patternOf } from './alternatives.ts'
import { maxSources, selectExamples } from './merge.ts'
import { patternOfBody } from './pattern-of-body.ts'
import {
  type AnswerReads,
  createPlace,
  listIgnored,
  listPlaces,
  note,
  type Place,
  placeBelow,
  replaceTexts,
  usageOf,
} from './place.ts'

type Operations = Readonly<Record<string, Operation>>

/** A call, as usage counts it. */
export interface UsedCall {
  readonly method: string
  /** The path with the names of its parameters, as the contract or a document has it. */
  readonly path: string
  /** The id of the operation, where the contract has it. */
  readonly operation?: string | undefined
  /** Without its `?`. */
  readonly query: string
  /** Empty when there is none. */
  readonly body: string
  readonly status: number
  /** The test or recorded entry that made it. */
  readonly from?: string | undefined
  /** Where the caller notes what it reads of the answer; without it, it reads all. */
  readonly reads?: AnswerReads | undefined
  /** The text of the answer, where it is known whole. */
  readonly answer?: string | undefined
}

export type UsageRecorder = ReturnType<typeof createUsage>

/** A call that the mock answered, with the path of its operation in the form; undefined for one to another path. */
export function toUsedCall(
  { operations }: Contract,
  call: Omit<UsedCall, 'path'> & { readonly form?: string | undefined },
): UsedCall | undefined {
  const { form, operation = '', method } = call
  const { paths, pathsBeyondSpecification } = (operations as Operations)[operation] ?? {}
  const path = paths?.[form as Form] ?? pathsBeyondSpecification?.[form as Form]
  if (path === undefined) return undefined
  // Every property by name: spreading takes a microsecond for each call.
  const { query, body, status, from, reads, answer } = call
  return { method: method === 'HEAD' ? 'GET' : method, path, operation, query, body, status, from, reads, answer }
}

/** The usage of calls in the journal. */
export function usageOfCalls(contract: Contract, calls: readonly JournalEntry[]): Usage {
  const usage = createUsage(contract)
  for (const { form, operation, request, response, isCut } of calls) {
    const [, query = ''] = /\?(.*)$/s.exec(request.path) ?? []
    const used = toUsedCall(contract, {
      ...request,
      ...{ form, operation, query, status: response.status },
      answer: isCut ? undefined : response.body,
    })
    if (used) usage.add(used)
  }
  return usage.read()
}

/** What was sent to one operation. */
interface Recorded {
  readonly id: string | undefined
  count: number
  unread: number
  readonly from: Set<string>
  readonly statuses: Map<number, number>
  readonly parameters: Place
  readonly body: Place
  readonly answer: Place
  /** The alternatives of answers that came, and those that did not come yet. */
  readonly came: Set<string>
  absent: readonly Alternative[]
  /** Matches an answer that has one of these. */
  absentPattern?: RegExp
  readonly examples: Map<string, UsageExample>
  readonly kinds: RequestKind[]
}

/** Requests that differ in nothing that is noted, of which those after the first are only counted. */
interface RequestKind {
  readonly query: string
  readonly pattern: RegExp
  readonly body: string
  /** The test of the first: one whose name comes before it is noted. */
  from: string | undefined
  count: number
}

/** Statuses by which a request is refused as invalid: what it sent is no use of the API. */
const invalid: ReadonlySet<number> = new Set([400, 405, 413, 415, 422])

/** More are not needed: each has something that those before it lack. */
const maxExamples = 40
/** The most kinds of requests of an operation that are only counted. */
const maxKinds = 8

/** Adds up calls. It keeps no text of a request but values of enums and names of fields. */
export function createUsage({ operations, resources }: Contract) {
  /** By path and method. */
  const recorded = new Map<string, Map<string, Recorded>>()

  function open(method: string, path: string, operation: string | undefined): Recorded {
    const known: Operation | undefined = (operations as Operations)[operation ?? '']
    const { fields = {}, oneOf } = resources[known?.body as ResourceId] ?? {}
    const made = {
      id: operation,
      count: 0,
      unread: 0,
      from: new Set<string>(),
      statuses: new Map<number, number>(),
      parameters: createPlace([{ type: 'object', fields: known?.query ?? {} }]),
      body: createPlace([{ type: 'object', fields, ...(oneOf && { oneOf }) } as Field]),
      answer: createPlace([{ type: 'object', fields: answerOf(resources, known) }]),
      came: new Set<string>(),
      absent: alternativesIn(
        resources[known?.result.resource as ResourceId] ?? {},
        `$.${path.startsWith('/api/v2') ? 'data' : 'result'}${known?.result.type === 'array' ? '[]' : ''}`,
      ),
      examples: new Map<string, UsageExample>(),
      kinds: [],
    }
    recorded.set(path, (recorded.get(path) ?? new Map()).set(method, made))
    return made
  }

  /** Notes the answer of a call. Returns whether its status and alternatives had come before. */
  function answered(one: Recorded, { status, reads, answer }: UsedCall): boolean {
    const seen = one.statuses.get(status)
    one.statuses.set(status, (seen ?? 0) + 1)
    if (reads && isSuccess(status)) reads.places.push(one.answer)
    else if (isSuccess(status)) one.answer.isWhole = true
    const before = one.came.size
    if (isSuccess(status) && one.absent.length > 0) noteAlternatives(one, answer)
    return seen !== undefined && one.came.size === before
  }
  const find = ({ method, path, operation }: UsedCall) =>
    recorded.get(path)?.get(method) ?? open(method, path, operation)

  return {
    /** Adds the answer of a call alone, for what the program reads of it. */
    addAnswer: (call: UsedCall) => answered(find(call), call),
    /** Adds a call, as one of `test` if that is given. Returns true if it sent something that no earlier call had sent. */
    add(call: UsedCall, test = call.from): boolean {
      const { query, body, status } = call
      const one = find(call)
      const isSeen = answered(one, call)
      if (invalid.has(status)) return !isSeen
      one.count++
      if (test !== undefined) one.from.add(test)
      if (query === '' && body === '') return !isSeen
      const kind = one.kinds.find(known => known.query === query && known.pattern.test(body))
      if (kind && (test === undefined || (kind.from !== undefined && kind.from <= test))) {
        kind.count++
        return !isSeen
      }
      const sent = readSent(one, query, body)
      const isNew = noteSent(one, sent, test)
      if (kind) kind.from = test
      else if (!isNew && one.kinds.length < maxKinds && !sent.isUnread) {
        const pattern = patternOfBody(one.body, sent.body, body)
        if (pattern) one.kinds.push({ query, pattern, body, from: test, count: 0 })
      }
      if (isNew && one.examples.size < maxExamples) {
        const example = exampleOf(one, sent, test)
        one.examples.set(JSON.stringify({ ...example, from: '' }), example)
      }
      return isNew || !isSeen
    },
    read(): Usage {
      for (const methods of recorded.values()) for (const one of methods.values()) noteCounted(one)
      const entries = [...recorded]
        .flatMap(([path, methods]) => [...methods].map(([method, one]) => [`${method} ${path}`, one] as const))
        .sort(([a], [b]) => (a < b ? -1 : 1))
      return { usage: 1, operations: Object.fromEntries(entries.map(([key, one]) => [key, describe(one)])) }
    },
  }
}

/** Notes which alternatives an answer has; one that is not known may have all. */
function noteAlternatives(one: Recorded, answer: string | undefined): void {
  one.absentPattern ??= patternOf(one.absent)
  if (answer !== undefined && !one.absentPattern.test(answer)) return
  const isIn = (alternative: Alternative) => answer === undefined || patternOf([alternative]).test(answer)
  for (const alternative of one.absent) if (isIn(alternative)) one.came.add(alternative.path)
  one.absent = one.absent.filter(({ path }) => !one.came.has(path))
  delete one.absentPattern
}

interface Sent {
  readonly parameters: readonly (readonly [name: string, value: unknown])[]
  /** Undefined if there is none, or none that could be read. */
  readonly body: unknown
  readonly isUnread: boolean
}

function readSent({ parameters }: Recorded, query: string, body: string): Sent {
  const read = body === '' ? undefined : readBody(body)
  return {
    parameters: query === '' ? [] : readQuery(parameters, query),
    body: read,
    isUnread: body !== '' && read === undefined,
  }
}

function noteSent(one: Recorded, { parameters, body, isUnread }: Sent, test: string | undefined, times = 1): boolean {
  if (isUnread) one.unread += times
  let isNew = body !== undefined && note(one.body, body, test, times)
  for (const [name, value] of parameters) isNew = note(placeBelow(one.parameters, name), value, test, times) || isNew
  return isNew
}

/** Notes the requests that were only counted. */
function noteCounted(one: Recorded): void {
  for (const kind of one.kinds) {
    if (kind.count > 0) noteSent(one, readSent(one, kind.query, kind.body), kind.from, kind.count)
    kind.count = 0
  }
}

function exampleOf(one: Recorded, { parameters, body }: Sent, test: string | undefined): UsageExample {
  const replaced = replaceTexts(one.parameters, Object.fromEntries(parameters)) as Record<string, string>
  return {
    ...(test !== undefined && { from: test }),
    ...(parameters.length > 0 && { query: new URLSearchParams(Object.entries(replaced)).toString() }),
    ...(body !== undefined && { body: replaceTexts(one.body, body) }),
  }
}

const isSuccess = (status: number) => status >= 200 && status < 300

/** The fields of answers: the result lies in the envelope, in `data`, or in nothing. */
function answerOf(resources: Contract['resources'], { result }: Partial<Operation> = {}): Fields {
  const { fields = {}, oneOf } = resources[result?.resource as ResourceId] ?? {}
  const own = { type: 'object', fields, ...(oneOf && { oneOf }) } as Field
  const inside = { ...own, items: own }
  return { ...fields, ...resources.envelope.fields, result: inside, data: inside }
}

function describe({
  id,
  count,
  unread,
  from,
  statuses,
  parameters,
  body,
  answer,
  came,
  examples,
}: Recorded): OperationUsage {
  const inBody = [...listPlaces(body, '$')]
  const inQuery = [...listPlaces(parameters, '')].flatMap(([path, place]) =>
    path.startsWith('.') ? [[path.slice(1), place] as const] : [],
  )
  const ignored = answer.isWhole ? [] : [...listIgnored(answer, '$')].sort()
  const describeAll = (places: readonly (readonly [string, Place])[]) =>
    Object.fromEntries(places.map(([path, place]) => [path, usageOf(place)]))
  return {
    ...(id !== undefined && { id }),
    count,
    ...(from.size > 0 && { from: [...from].sort().slice(0, maxSources) }),
    statuses: Object.fromEntries([...statuses].sort(([a], [b]) => a - b)),
    ...(inQuery.length > 0 && { parameters: describeAll(inQuery) }),
    ...(inBody.length > 0 && { fields: describeAll(inBody) }),
    ...(unread > 0 && { unread }),
    ...(ignored.length > 0 && { ignored }),
    ...(came.size > 0 && { came: [...came].sort() }),
    ...(examples.size > 0 && { examples: selectExamples([...examples.values()]) }),
  }
}

function readBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** The values of a query: numbers and booleans where the contract does not describe a text. */
function readQuery({ fields }: Place, query: string): readonly (readonly [name: string, value: unknown])[] {
  const isText = (name: string) => fields[0]?.fields?.[name]?.type === 'string'
  return [...new URLSearchParams(query)].map(([name, text]) => [name, isText(name) ? text : readValue(text)])
}

const readValue = (text: string) =>
  /^-?\d{1,15}(?:\.\d{1,6})?$/.test(text) ? Number(text) : text === 'true' || text === 'false' ? text === 'true' : text
