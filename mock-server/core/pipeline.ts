import type { GapId } from '../../fixtures/contract/index.ts'
import { managedPermission } from '../../fixtures/contract/role.ts'
import type { Actor, Request } from '../families/family.ts'
import type { Answer } from '../words/call.ts'
import { nameOf } from '../words/permissions.ts'
import { failed, Refusal } from '../words/refusal.ts'
import type { Reply } from '../words/reply.ts'
import { type AnyModel, keyOf, type Model } from '../world/collection.ts'
import { readLate, writeAhead } from '../world/lag.ts'
import { deployment as everywhere, selfHosted } from '../world/world.ts'
import { acceptBody, bodyFor } from './accept/accept-body.ts'
import { acceptIds, readUuid } from './accept/accept-ids.ts'
import { judgeBody, judgeRequest } from './accept/judge-request.ts'
import { type Context, choiceOf } from './context.ts'
import { authenticate, beforeActivities, handlers, log, refuseBelow } from './families.ts'
import { describe } from './openapi/openapi.ts'
import { countCall } from './rate-limit.ts'
import { writeOptions, writeRefusal, writeReply } from './write/write-reply.ts'

type Act = Parameters<Request['log']>[0]

/** Answers one call, by the steps that the deployments of its listener take, in their order. */
export async function answerCall(context: Context): Promise<Answer> {
  if (context.call.method === 'OPTIONS') return writeOptions(context)
  try {
    const beside = context.match.refusal ? context.answerBeside(context) : undefined
    if (beside) return await beside
    const reply = context.listener === 'cloud' ? answerInCloud(context) : answerSelfHosted(context)
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
  authenticateCaller(context)
  countCall(context)
  authoriseOrganization(context)
  acceptIds(context)
  if (match.refusal) throw match.refusal
  acceptBody(context)
  authorise(context)
  authoriseService(context)
  return handle(context)
}

/** The self-hosted form: bodies are read before anything else, and calls are counted before authentication. */
function answerSelfHosted(context: Context): Reply | Promise<Reply> {
  const { match, operation } = context
  acceptBody(context)
  if (operation?.isPublic) return handle(context)
  if (match.refusal && !match.known) throw match.refusal
  countCall(context)
  authenticateCaller(context)
  if (match.refusal) throw match.refusal
  context.ids = match.params
  return handle(context)
}

function handle(context: Context): Reply | Promise<Reply> {
  const { id, ids, operation, match } = context
  const request = new CallRequest(context)
  if (operation?.activities) for (const prepare of beforeActivities) prepare(request)
  judgeRequest(id!, request, match.route?.method)
  const reply = handlers[id!](request)
  if (operation?.logs)
    request.log({ type: operation.logs as Act['type'], ...(ids.serviceId && { serviceId: ids.serviceId }) })
  return reply
}

function authenticateCaller(context: Context): void {
  const { call, listener, deployment, now } = context
  const { headers, address } = call
  const choice = (gap: GapId) => choiceOf(context, gap)
  context.actor = authenticate[listener]({ world: deployment.world, now, headers, address, choice })
}

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
    if (model.nextChangeAt) this.world.applyTime(this.now)
    const { method, lag } = this.#context.operation!
    if (method === 'GET') return readLate(this.world, held, record => keyOf(model, record), this.now)
    if (lag === undefined || this.choice(lag as GapId) !== 'seconds later') return held
    const { now, world } = this
    return writeAhead(world, held, record => keyOf(model, record), { now, until: now + lagOfRecords * 1000 })
  }

  list = <T extends object>(model: Model<T>, place?: string) => this.in(model, place).list()

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

  judge = (body = this.body) => {
    this.body = body
    return judgeBody(this.#context.id!, this)
  }

  describe = () => describe('cloud', this.#context.routes, this.#context.choices)

  log = (act: Act) => log(this, act)
}

/** Seconds until a read shows a record: one or two on deployments. */
const lagOfRecords = 2

/** The place of the records of a model that a call is about. */
function placeOf({ within }: AnyModel, ids: Readonly<Record<string, string>>, stackId: string): string {
  if (within === 'deployment') return everywhere
  return within === 'stack' ? stackId : ids[`${within.name}Id`]!
}

const absent = /^\/(charts|webhooks)(\/|$)/
const named = /^\/v1\/organizations\/[^/]+\/notificationSettings$/

/**
 * The sentence about an unknown path. Charts and webhooks are absent on purpose; of other operations only the names of
 * their groups are known.
 */
function refuseUnrouted(refusal: Refusal, { call, form, segment }: Context): Refusal {
  const { advice } = refusal.more
  const sentence = `${call.method} ${call.path} is no operation of this API`
  const below = form === 'managed' ? call.path.split(`/${segment}`, 2)[1] : undefined
  if (below !== undefined && absent.test(below))
    return new Refusal(refusal.kind, sentence, { gap: 'service/absent-resource', advice })
  return new Refusal(refusal.kind, sentence, {
    gap: named.test(call.path) ? 'service/other-operations' : 'path/unknown-path',
    advice,
  })
}

function authoriseOrganization(context: Context): void {
  const { actor, match, form, deployment } = context
  const { organizationId } = match.params
  const own = actor?.kind === 'key' ? actor.organizationId : undefined
  if (organizationId === undefined || organizationId === own) return
  const id = readUuid('organizationId', organizationId)
  if (id !== own) throw refuseBelow.organizationId!({ world: deployment.world, form, ids: { organizationId: id } })
}

function authorise({ actor, operation, form, ids }: Context): void {
  const permission = form === 'managed' ? managedPermission : operation?.permission
  if (permission === undefined || actor?.kind !== 'key') return
  const lacking = [permission].flat().find(one => !actor.may(one, ids.serviceId ?? ids.postgresId))
  if (lacking === undefined) return
  const sentence = `The key lacks the permission ${nameOf(lacking)}`
  throw new Refusal('forbidden', sentence, { rule: 'role/permissions-decide' })
}

/** Refuses a path below a service that is not there. A service at the end of a path is looked up by its handler. */
function authoriseService({ form, ids, deployment: { world }, match: { route } }: Context): void {
  if (ids.serviceId === undefined || route!.path.endsWith('{serviceId}')) return
  const refusal = refuseBelow.serviceId!({ world, form, ids })
  if (refusal) throw refusal
}
