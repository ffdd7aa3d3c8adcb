import { type GapId, operations } from '../../fixtures/contract/index.ts'
import { type Act, activities, logByCaller } from '../families/activity/model.ts'
import type { Actor, Request } from '../families/family.ts'
import { hasStack } from '../families/service/life.ts'
import { services } from '../families/service/model.ts'
import type { Answer } from '../words/call.ts'
import { failed, forbidden, Refusal } from '../words/refusal.ts'
import type { Reply } from '../words/reply.ts'
import { type AnyModel, type Collection, keyOf, type Model } from '../world/collection.ts'
import { readLate, writeAhead } from '../world/lag.ts'
import { deployment as everywhere, selfHosted } from '../world/world.ts'
import { acceptBody, bodyFor } from './accept/accept-body.ts'
import { acceptIds } from './accept/accept-ids.ts'
import { judgeBody, judgeRequest } from './accept/judge-request.ts'
import { authenticateKey, authenticateUser } from './authenticate.ts'
import { authorise, authoriseOrganization } from './authorise.ts'
import type { Context } from './context.ts'
import { refuseUnrouted } from './dispatch/unrouted.ts'
import { handlers } from './families.ts'
import { describe } from './openapi/openapi.ts'
import { countCall } from './rate-limit.ts'
import { answerQueryHost } from './sql/query-host.ts'
import { writeOptions, writeRefusal, writeReply } from './write/write-reply.ts'

/** Answers one call, by the steps that the deployments of its listener take, in their order. */
export async function answerCall(context: Context): Promise<Answer> {
  if (context.call.method === 'OPTIONS') return writeOptions(context)
  try {
    const asked = context.host === 'cloud' && context.match.refusal ? answerQueryHost(context) : undefined
    if (asked) return await asked
    const reply = context.host === 'cloud' ? answerInCloud(context) : answerSelfHosted(context)
    return writeReply(await reply, context)
  } catch (error) {
    const refusal = error instanceof Refusal ? error : failed(`Something went wrong: ${String(error)}`)
    return writeRefusal(refusal, context)
  }
}

/** The cloud form, and the managed form below it. */
function answerInCloud(context: Context): Reply | Promise<Reply> {
  const { match, operation } = context
  if (match.refusal?.kind === 'unrouted') throw refuseUnrouted(match.refusal, context)
  if (operation?.isPublic) {
    acceptIds(context)
    return handle(context)
  }
  authenticateKey(context)
  countCall(context)
  authoriseOrganization(context)
  acceptIds(context)
  if (match.refusal) throw match.refusal
  acceptBody(context)
  authorise(context)
  refuseWithoutService(context)
  return handle(context)
}

/** The self-hosted form: bodies are read before anything else, and calls are counted before authentication. */
function answerSelfHosted(context: Context): Reply | Promise<Reply> {
  const { match, operation } = context
  acceptBody(context)
  if (operation?.isPublic) return handle(context)
  if (match.refusal && !match.known) throw match.refusal
  countCall(context)
  authenticateUser(context)
  if (match.refusal) throw match.refusal
  context.ids = match.params
  return handle(context)
}

function handle(context: Context): Reply | Promise<Reply> {
  const { id, ids, operation, deployment, match } = context
  // Activities of the start must be generated before this call changes the records that they describe.
  if (operation?.activities && ids.organizationId) deployment.world.in(activities, ids.organizationId)
  const request = new CallRequest(context)
  judgeRequest(id!, request, match.route?.method)
  const reply = handlers[id!](request)
  if (operation?.logs)
    request.log({ type: operation.logs as Act['type'], ...(ids.serviceId && { serviceId: ids.serviceId }) })
  return reply
}

/** The service in the middle of a path must exist; a service at the end is looked up by its handler. */
function refuseWithoutService({ form, ids, deployment, match: { route } }: Context): void {
  const { serviceId, organizationId } = ids
  if (serviceId === undefined || route!.path.endsWith('{serviceId}')) return
  const service = deployment.world.in(services, organizationId).get(serviceId)
  if (!service) throw new Refusal('unknownId', serviceId, unknownService)
  if (form === 'managed' && !hasStack(service)) throw forbidden('ClickStack has not been setup for this service')
}

/** The gap is of the cloud form only; the rule is of the managed form, too. */
const unknownService = { gap: 'backup/unknown-service', rule: 'isolation/unknown-service-is-refused' } as const

/** The request that a handler receives. Rarely used parts are computed on demand. */
class CallRequest implements Request {
  readonly form
  readonly edition
  ids
  body
  parameters: Request['parameters'] = {}
  readonly now
  readonly limits
  readonly world
  readonly #context

  constructor(context: Context) {
    this.form = context.form
    this.edition = context.edition
    this.ids = context.ids
    this.body = bodyFor(context)
    this.now = context.now
    this.limits = context.limits
    this.world = context.deployment.world
    this.#context = context
  }

  get query() {
    return new URLSearchParams(this.#context.call.query)
  }

  get actor(): Actor {
    return this.#context.actor ?? { kind: 'user' }
  }

  get stack() {
    return this.#context.deployment.stackOf(this.#stackId)
  }

  get #stackId() {
    return this.form === 'selfHosted' ? selfHosted : this.ids.serviceId!
  }

  in = <T extends object>(model: Model<T>, place = placeOf(model, this.ids, this.#stackId)) => {
    const held = this.world.in(model, place)
    // A place that is seeded now has no lag.
    if (model.next) this.world.elapse(this.now)
    const { method, lag } = this.#context.operation!
    if (method === 'GET') return readLate(this.world, held, record => keyOf(model, record), this.now)
    return lag === undefined ? held : this.#writeAhead(model, held, lag as GapId, lagOfRecords)
  }

  /** The collection for writes. On a lagging deployment, reads do not show them for this many seconds. */
  #writeAhead<T extends object>(model: Model<T>, held: Collection<T>, lag: GapId, seconds: number): Collection<T> {
    const { now, world } = this
    if (this.choice(lag) !== 'seconds later') return held
    return writeAhead(world, held, record => keyOf(model, record), { now, until: now + seconds * 1000 })
  }

  choice = (gap: GapId) => this.#context.taken[gap] ?? ''

  get text() {
    return this.#context.call.body
  }

  get signal() {
    return this.#context.call.signal
  }

  get origin() {
    return `http://${this.#context.call.headers.host ?? 'cloud.localhost'}`
  }

  sqlEndpoint = (cluster: string) => this.#context.sqlEndpoint(cluster)

  judge = () => judgeBody(this.#context.id!, this)

  describe = () => describe('cloud', this.#context.routes, this.#context.choices)

  log = (act: Act) => {
    const organizationId = this.ids.organizationId!
    const all = this.world.in(activities, organizationId)
    const log = this.#writeAhead(activities, all, 'activity/list-after-act', lagOfActivities)
    logByCaller(log, { id: this.world.newObjectId(), organizationId, at: this.now }, this.#context.actor!, act)
  }
}

/** Seconds until a read shows a record: one or two on deployments. */
const lagOfRecords = 2
/** Seconds until an activity is listed: half of the time that the contract allows. */
const lagOfActivities = operations['activity.list'].lagInSeconds! / 2

/** The place of the records of a model that a call is about. */
function placeOf({ within }: AnyModel, ids: Readonly<Record<string, string>>, stackId: string): string {
  if (within === 'deployment') return everywhere
  return within === 'stack' ? stackId : ids[`${within.name}Id`]!
}
