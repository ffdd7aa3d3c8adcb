import type * as contract from '../../fixtures/contract/families.ts'
import type {
  Edition,
  Fields,
  Form,
  GapId,
  ObjectOf,
  OperationId,
  Resource,
  ResourceId,
} from '../../fixtures/contract/index.ts'
import type { FaultContext, Faults } from '../faults/fault.ts'
import type { BodyRules, Judgement } from '../fields/judge.ts'
import type { ExternalEngine } from '../telemetry/external-engine.ts'
import type { QueryChoices } from '../telemetry/source-terms.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Answer, Call, Listener } from '../words/call.ts'
import type { Limits } from '../words/limits.ts'
import { type Issue, invalidAt, Refusal } from '../words/refusal.ts'
import type { Page, Reply } from '../words/reply.ts'
import type { SqlEngine, SqlRequest } from '../words/sql.ts'
import type { CloudTarget, SelfHostedTarget } from '../words/target.ts'
import { type AnyModel, type CapturedAnswer, type Collection, keyOf, type Model } from '../world/collection.ts'
import { pick } from '../world/record.ts'
import type { World } from '../world/world.ts'
import type { evaluateAlerts } from './alert/evaluate-alerts.ts'
import type { NewActivity } from './organization/activity/index.ts'
import type { Stack } from './stack/stack.ts'

/** The caller: an API key of the cloud, or the user of a self-hosted access key. */
export type Actor =
  | {
      readonly kind: 'key'
      readonly id: string
      readonly name: string
      readonly organizationId: string
      /** The address that the call comes from, where it is known. */
      readonly address: string | undefined
      readonly userAgent: string | undefined
      /** Whether the key has a permission on `instance`, a service or Postgres service; without `instance`, on any. */
      may(permission: string, instance?: string): boolean
    }
  | { readonly kind: 'user' }

/** A call before its caller is known. */
export interface Caller {
  readonly world: World
  /** The moment of the mock's clock, in epoch milliseconds. */
  readonly now: number
  readonly headers: Call['headers']
  /** The address that the call comes from, where it is known. */
  readonly address: string | undefined
  /** The choice in force for a gap of the specification. */
  choice(gap: GapId): string
}

/** The credentials of the callers of a listener. */
export interface Credentials {
  /** Identifies the caller, or throws a Refusal. */
  authenticate(caller: Caller): Actor
  /** Whether an Authorization header has valid ones. */
  recognise(world: World, authorization: string | undefined): boolean
  /** What identifies the callers of a world: ids of keys or their hashes, and tokens. */
  names(world: World): readonly string[]
  /** Whether a text is one of these. Called for every call to a mock with several worlds. */
  hasName(world: World, name: string): boolean
  /** The Authorization header for a call of the control plane; undefined if the world has no credentials. */
  choose(world: World, path: string, now: number): string | undefined
}

/** The input of a handler. */
export interface Request<Body = unknown> {
  readonly form: Form
  readonly edition: Edition
  /** The ids of the path by the names of their parameters, judged by their kind; UUIDs and object ids in lower case. */
  readonly ids: Readonly<Record<string, string>>
  /** The parsed body: an object, an array, a text, or `{}` for none. Judged by the contract, except for `judgesBodies`. */
  readonly body: Body
  /** The text of the body, for bodies that are not JSON. */
  readonly text: string
  /** The origin that the caller used, such as `http://127.0.0.1:8001`. */
  readonly origin: string
  readonly query: URLSearchParams
  /** The query parameters of an observability operation, judged and converted by the contract; empty for the cloud. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The moment of the mock's clock, in epoch milliseconds. */
  readonly now: number
  readonly actor: Actor
  readonly limits: Limits
  /** Aborted when the client disconnects, if the face knows it. */
  readonly signal?: AbortSignal
  readonly world: World
  /** The observability stack of the call: that of its service, or the self-hosted one. */
  readonly stack: Stack
  /** The records of a model at `place`, by default the place of the call. */
  in<T extends object>(model: Model<T>, place?: string): Collection<T>
  /** The same as `in(model, place).list()`. */
  list<T extends object>(model: Model<T>, place?: string): readonly T[]
  /** The choice in force for a gap of the specification. */
  choice(gap: GapId): string
  /** The same, for a gap that decides what this call does: the cause of the answer names it. */
  decide(gap: GapId): string
  /** The address where an engine answers the SQL of a service; `cluster` is the first label of its host name. */
  sqlEndpoint(cluster: string): { readonly host: string; readonly port: number } | undefined
  /** Judges the body of the call, or a converted one, for operations of `judgesBodies`. */
  judge(body?: unknown): Judgement
  /** The machine-readable description of the cloud API. */
  describe(): object
  /** Writes an activity into the log of the organization. */
  log(act: NewActivity): void
}

/** Answers one operation, or throws a Refusal. It never awaits between reading and writing a record. */
export type Handler<Body = unknown> = (request: Request<Body>) => Reply | Promise<Reply>

/** The handlers of operations, each with the body that the contract gives its operation. */
export type Handlers = { readonly [Id in OperationId]?: Handler<BodyOf<Id>> }
/** The handlers of all operations of a resource. The named type keeps the package's declarations short. */
export type HandlersOf<Resource extends string> = {
  readonly [Id in Extract<OperationId, `${Resource}.${string}`>]: Handler<BodyOf<Id>>
}

type Contract = typeof contract
/** One property of all families of the contract, merged. */
type Merged<Heading extends string> = IntersectionOf<
  {
    [Name in keyof Contract]: Contract[Name] extends { readonly [Key in Heading]: infer Entries } ? Entries : never
  }[keyof Contract]
>
type IntersectionOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

export type BodyOf<Id extends OperationId> = Merged<'operations'>[Id] extends {
  readonly body: infer Name extends keyof Merged<'resources'>
}
  ? Merged<'resources'>[Name] extends infer Body extends Pick<Resource, 'fields'>
    ? ObjectOf<Body>
    : unknown
  : unknown

type PathOfCall = Pick<Request, 'world' | 'form' | 'ids'>

/** From what the stacks of a world are opened. */
export interface OriginOfStacks {
  readonly world: World
  readonly now: () => number
  readonly externalEngine: ExternalEngine | undefined
  /** Whether the records of a model in a place were captured. */
  readonly captured: ((model: string, place: string) => boolean) | undefined
}

/** The observability stacks of one world: their records and telemetry. */
export interface Stacks {
  /** The stack of a service, or the self-hosted one, which is in use from now on. */
  stackOf(id: string): Stack
  /** The same for its ids alone, without use: as long as nobody has used a stack, its alerts are not evaluated. */
  peekAtStack(id: string): Stack
  stackIds(): readonly string[]
  hasStack(id: string): boolean
  /** The stacks in use: those that a call, a test or a loaded state has opened. */
  openStacks(): Iterable<Stack>
  /** The telemetry that a stack generates, wherever its rows are stored. */
  generateTelemetry(id: string): Telemetry
  rowsInMemory(): number
  /** Frees the generated rows; the next query generates the same ones again. */
  freeRows(): void
}

/** What the target file names of a world, and the credentials with which faults call. */
export interface Target {
  describeCloud(world: World, stackOf: (id: string) => Stack): CloudTarget
  describeSelfHosted(world: World, stackOf: (id: string) => Stack): SelfHostedTarget
  idsOf(world: World): FaultContext['ids']
  authorizationsOf(world: World, organizationId: string, isCloud: boolean): FaultContext['authorization']
}

/** The SQL interface of the services of a world. */
export interface ServicesSql {
  /** Without an engine no service can be reached. */
  readonly engine: SqlEngine | undefined
  /** The current world, which a reset replaces. */
  world(): World
  now(): number
  /** Applies faults to an answer of the HTTP interface, and records it in the journal. */
  record(call: Call, answer: () => Promise<Answer>): Promise<Answer>
}

/** A call of the HTTP interface of services: all worlds, of which the first records calls that belong to no service. */
export interface SqlInterface {
  readonly worlds: readonly [ServicesSql, ...ServicesSql[]]
  readonly cors: { open(call: Call, answer: Answer): Answer }
  /** The host of a service, in which `*` stands for the part of the service. */
  readonly hosts: string
}

/** An answer with several records, or with a part of a record. */
export interface Split {
  readonly model: AnyModel
  split(captured: CapturedAnswer, world: World): readonly CapturedAnswer[]
}

/** What arranges a world. */
export interface Arranged extends Pick<Stacks, 'stackOf'> {
  readonly world: World
}

/** A stack with the choices in force for its queries. */
export interface QueriedStack {
  readonly stack: Stack
  readonly choices: QueryChoices
}

/** The state that lists of the console are read from. */
interface ListedWorld {
  readonly world: World
  readonly now: number
  queryStack(id: string): QueriedStack
}

/** A list that only the console reads, in each place of a model. */
export interface ConsoleList {
  readonly model: AnyModel
  read(place: string, listed: ListedWorld): object | Promise<object>
}

/** The SQL of services, which an engine runs. */
export interface Sql {
  /** Paths of the cloud's listener, besides those of the contract, on which keys run queries. */
  readonly paths: readonly string[]
  /** Answers a call to one of these paths; undefined for any other path. */
  answerCall(call: Call, sql: ServicesSql): Promise<Answer> | undefined
  answerInterface(request: SqlRequest, from: SqlInterface): Promise<Answer>
  /** Tells by the id of each service whether it, or another service of its warehouse, is awake or about to be. */
  readAwakeById(worlds: readonly ServicesSql[]): ReadonlyMap<string, boolean>
  /** The ids of the services in all organizations in use. */
  listIds(world: World): readonly string[]
  /** The generated password of a service; undefined if it was changed, or if there is no such service. */
  firstPassword(world: World, organizationId: string, serviceId: string): string | undefined
}

/** The definition of a resource family in the mock. An operation without a handler, or a rule without a fault, is a type error. */
export interface Family {
  readonly models?: readonly AnyModel[]
  readonly handlers?: Handlers
  /** By the resource of a body: the sentences of deployments, and the rules over several fields. */
  readonly bodies?: { readonly [Name in ResourceId]?: BodyRules }
  /** The operations whose handlers judge the body themselves. */
  readonly judgesBodies?: readonly OperationId[]
  /** The stored record as a body: it supplies the fields that a PATCH omits. Refuses an unknown id. */
  readonly unsent?: { readonly [Id in OperationId]?: (request: Request) => object }
  /** Makes the refusal of an invalid request, for operations whose refusals have another shape. */
  readonly refusals?: { readonly [Id in OperationId]?: (issues: readonly Issue[], request: Request) => Refusal }
  /** The faults that do not follow from the names of their rules. */
  readonly faults?: Faults
  /** By listener: the credentials of its callers. A listener without such a family lets everybody in. */
  readonly credentials?: { readonly [Name in Listener]?: Credentials }
  /**
   * By path parameter: the Refusal of a call whose path has this id; undefined if the call may pass. `organizationId` is
   * called only for an organization that is not that of the key.
   */
  readonly refusalsBelow?: { readonly [parameter: string]: (path: PathOfCall) => Refusal | undefined }
  /** Called before the handler of an operation that may write activities. */
  readonly beforeActivities?: (request: Request) => void
  /** By scenario: arranges records of the seeded world. */
  readonly scenarios?: { readonly [scenario: string]: (arranged: Arranged) => void }
  /** By the name of a captured answer that is no record. */
  readonly splits?: { readonly [answer: string]: Split }
  /** Called when all captured records are arranged, with the captured answers by name. */
  readonly completeCaptured?: (arranged: Arranged, answers: Readonly<Record<string, readonly object[]>>) => void
  /** By the name in its address: `GET /control/{name}/{place}`. */
  readonly consoleLists?: { readonly [name: string]: ConsoleList }
  /** Paths, in the managed form those below the segment, whose refusal is an own gap if no operation has them. */
  readonly gapsOfPaths?: readonly { readonly form: Form; readonly path: RegExp; readonly gap: GapId }[]
  /** Only one family has it. */
  readonly target?: Target
  /** Only one family has it. */
  readonly sql?: Sql
  /** Evaluates the alerts of a stack. Only one family has it. */
  readonly evaluateAlerts?: typeof evaluateAlerts
  /** Opens the stacks of a new world. Only one family has it; without it, there are none. */
  readonly openStacks?: (origin: OriginOfStacks) => Stacks
  /** Writes an activity. Only one family has it. */
  readonly log?: (request: Request, act: NewActivity) => void
}

export const answerObject = (value: object): Reply => ({ kind: 'object', json: JSON.stringify(value) })
/** Answers a list or, if the contract gives the operation pages, the page that the query selects. */
export const answerList = (records: readonly object[], resultOf?: (page: Page) => object): Reply => ({
  kind: 'records',
  records,
  resultOf,
})

/** Finds the record that the path names, or the singleton of its place; refuses an unknown id. */
export function recordAt<T extends object>(request: Request, model: Model<T>, parameter = `${model.name}Id`): T {
  const key = model.isSingleton ? model.name : request.ids[parameter]!
  const record = request.in(model).get(key)
  if (!record) throw new Refusal('unknownId', model.isSingleton ? '' : key)
  return record
}

/** Creates a record, or replaces the one that has its key. */
export function put<T extends object>(records: Collection<T>, model: Model<T>, record: T): void {
  if (records.get(keyOf(model, record))) records.replace(record)
  else records.create(record)
}

/** Changes some fields of a record, if there is one with this key. */
export function patch<T extends object>(world: World, model: Model<T>, place: string, key: string, fields: Partial<T>) {
  const record = world.in(model, place).get(key)
  if (record) world.in(model, place).replace({ ...record, ...fields })
}

/** What the handlers of a model have in common. `shown` has the fields to answer, or makes the answer from a record. */
export function serve<T extends object>(
  model: Model<T>,
  shown: Fields | ((record: T, request: Request) => object),
  parameter?: string,
) {
  const present = typeof shown === 'function' ? shown : (record: T) => pick(record, shown)
  const find = (request: Request) => recordAt(request, model, parameter)
  const answer = (request: Request, record: T) => answerObject(present(record, request))
  return {
    present,
    find,
    answer,
    get: (request: Request) => answer(request, find(request)),
    list: (request: Request) => answerList(request.list(model).map(record => present(record, request))),
    create(request: Request, record: T) {
      request.in(model).create(record)
      return answer(request, record)
    },
    replace(request: Request, record: T) {
      request.in(model).replace(record)
      return answer(request, record)
    },
    remove(request: Request, record: T): Reply {
      request.in(model).remove(keyOf(model, record))
      return { kind: 'deleted' }
    },
  }
}

/**
 * Reads a moment of the query, in epoch milliseconds; undefined without one. `timeOfDay` completes a date without a time,
 * which is otherwise refused.
 */
export function readMoment(
  { query }: Request,
  name: string,
  { timeOfDay, sentence = 'Expected the format date-time' }: { timeOfDay?: string; sentence?: string } = {},
): number | undefined {
  const received = query.get(name)
  if (received === null) return undefined
  const text = timeOfDay === undefined || received.includes('T') ? received : `${received}T${timeOfDay}Z`
  const moment = Date.parse(text)
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(moment)) return moment
  throw invalidAt([name], sentence, received, 'Query')
}

interface Change<T> {
  readonly add?: readonly T[]
  readonly remove?: readonly T[]
}

/** Removes and adds items. An added item replaces one with its key; removals of unknown items are ignored. */
export function changeList<T, Key>(
  list: readonly T[] = [],
  { add = [], remove = [] }: Change<T> = {},
  keyOf: (item: T) => Key,
): readonly T[] {
  const removedKeys = new Set([...remove, ...add].map(keyOf))
  const added = new Map(add.map(item => [keyOf(item), item]))
  return [...list.filter(item => !removedKeys.has(keyOf(item))), ...added.values()]
}
