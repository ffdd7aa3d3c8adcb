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
import type { Faults } from '../faults/fault.ts'
import type { BodyRules, Judgement } from '../fields/judge.ts'
import type { Call, Listener } from '../words/call.ts'
import type { Limits } from '../words/limits.ts'
import { type Issue, invalidAt, Refusal } from '../words/refusal.ts'
import type { Page, Reply } from '../words/reply.ts'
import { type AnyModel, type Collection, keyOf, type Model } from '../world/collection.ts'
import { pick } from '../world/record.ts'
import type { World } from '../world/world.ts'
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
      /** The `User-Agent` header. */
      readonly userAgent: string | undefined
      /** Whether it has a permission on a service or a Postgres service, or without `instance` anywhere. */
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

/** The input of a handler. */
export interface Request<Body = unknown> {
  readonly form: Form
  readonly edition: Edition
  /** The ids of the path by the names of their parameters, judged by their kind; UUIDs and object ids in lower case. */
  readonly ids: Readonly<Record<string, string>>
  /** The parsed body: an object or array, a string for a text body, `{}` for none. The contract has judged it, unless the family does. */
  readonly body: Body
  /** The text of the body, for bodies that are not JSON. */
  readonly text: string
  /** The origin that the caller used, such as `http://127.0.0.1:8001`. */
  readonly origin: string
  readonly query: URLSearchParams
  /** The query of an operation of the observability API, as the fields of the contract read it. */
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
  /** The records of a model at the place of the call, or at another one. */
  in<T extends object>(model: Model<T>, place?: string): Collection<T>
  /** The same as `in(model, place).list()`. */
  list<T extends object>(model: Model<T>, place?: string): readonly T[]
  /** The choice in force for a gap of the specification. */
  choice(gap: GapId): string
  /** The address of the HTTP interface of a service, by the first word of its host, if an engine answers SQL. */
  sqlEndpoint(cluster: string): { readonly host: string; readonly port: number } | undefined
  /** Judges the body, or a converted one, for operations of `judgesBodies`. */
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

type Below = Pick<Request, 'world' | 'form' | 'ids'>

/** The definition of a resource family in the mock. An operation without a handler, or a rule without a fault, is a type error. */
export interface Family {
  readonly models?: readonly AnyModel[]
  readonly handlers?: Handlers
  /** The deployments' own sentences and the rules over several fields of its bodies, by the resource of the body. */
  readonly bodies?: { readonly [Name in ResourceId]?: BodyRules }
  /** The operations whose handlers judge the body themselves. */
  readonly judgesBodies?: readonly OperationId[]
  /** The present body, which supplies the fields that a PATCH omits. Refuses an unknown id. */
  readonly unsent?: { readonly [Id in OperationId]?: (request: Request) => object }
  /** The refusal of an invalid request, for operations with another shape of refusals. */
  readonly refusals?: { readonly [Id in OperationId]?: (issues: readonly Issue[], request: Request) => Refusal }
  /** The faults of the rules that do not follow from the name of the rule. */
  readonly faults?: Faults
  /** Identifies the caller of a listener by the credentials, or throws the Refusal. One family does for each listener. */
  readonly authenticate?: { readonly [One in Listener]?: (caller: Caller) => Actor }
  /**
   * The Refusal of a call below a place, by the path parameter that names the place; undefined if the call may pass. The
   * organization is asked only when it is not that of the key.
   */
  readonly refusalsBelow?: { readonly [parameter: string]: (at: Below) => Refusal | undefined }
  /** Called before the handler of an operation that may write activities. */
  readonly beforeActivities?: (request: Request) => void
  /** Writes an activity. One family does. */
  readonly log?: (request: Request, act: NewActivity) => void
}

export const answerObject = (value: object): Reply => ({ kind: 'object', json: JSON.stringify(value) })
/** A list, of which the query selects a page where the contract says that the operation has pages. */
export const answerList = (records: readonly object[], resultOf?: (page: Page) => object): Reply => ({
  kind: 'records',
  records,
  resultOf,
})

/** The record that the path of a call names, or the one of its place. */
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

/** What the handlers of a model have in common. `shown` are the fields that are answered, or makes the answer of a record. */
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
 * A moment of the query, in epoch milliseconds; undefined without one. A date without a time is completed by `timeOfDay`, or
 * refused without `timeOfDay`.
 */
export function momentIn(
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

/** Changes a list: removals come before additions, and unknown ones are ignored. */
export function changeList<T, Key>(
  list: readonly T[] = [],
  { add = [], remove = [] }: Change<T> = {},
  keyOf: (item: T) => Key,
): readonly T[] {
  const gone = new Set([...remove, ...add].map(keyOf))
  const added = new Map(add.map(item => [keyOf(item), item]))
  return [...list.filter(item => !gone.has(keyOf(item))), ...added.values()]
}
