import type { GapId } from '../../fixtures/contract/index.ts'
import { managedPermission } from '../../fixtures/contract/role.ts'
import type { Actor, Request } from '../families/family.ts'
import type { Answer } from '../words/call.ts'
import { nameOf } from '../words/permissions.ts'
import { failed, Refusal } from '../words/refusal.ts'
import type { Reply } from '../words/reply.ts'
import { type AnyModel, keyOf, type Model } from '../world/collection.ts'
import { readWithLag, writeWithLag } from '../world/lag.ts'
import { selfHosted, deployment as wholeDeployment } from '../world/world.ts'
import { acceptBody, bodyFor } from './accept/accept-body.ts'
import { acceptIds, readUuid } from './accept/accept-ids.ts'
import { judgeBody, judgeRequest } from './accept/judge-request.ts'
import { fitBody, keepAdditions } from './additions.ts'
import { type Context, choiceOf } from './context.ts'
import { describe } from './openapi/openapi.ts'
import { countCall } from './rate-limit.ts'
import { writeOptions, writeRefusal, writeReply } from './write/write-reply.ts'

type Act = Parameters<Request['log']>[0]

/** Answers one call. The order of the steps depends on the listener, as on real deployments. */
export async function answerCall(context: Context): Promise<Answer> {
  if (context.call.method === 'OPTIONS') return writeOptions(context)
  try {
    const outsideApi = context.match.refusal ? context.answerOutsideApi() : undefined
    if (outsideApi) return await outsideApi
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
  if (match.refusal && !match.isWithinResource) throw match.refusal
  countCall(context)
  authenticateCaller(context)
  if (match.refusal) throw match.refusal
  context.ids = match.params
  return handle(context)
}

function handle(context: Context): Reply | Promise<Reply> {
  const { core, id, ids, operation, match } = context
  const request = new CallRequest(context)
  if (operation?.activities) for (const prepare of core.beforeActivities) prepare(request)
  judgeRequest(core, id!, request, match.route?.method)
  const addition = core.additions.get(id!)
  const { body } = request
  if (addition) fitBody(addition, request)
  const handled = core.handlers[id!](request)
  const reply = addition ? keepAdditions(addition, request, body, handled) : handled
  if (operation?.loggedActivity)
    request.log({ type: operation.loggedActivity as Act['type'], ...(ids.serviceId && { serviceId: ids.serviceId }) })
  return reply
}

function authenticateCaller(context: Context): void {
  const { core, call, listener, deployment, now } = context
  const { headers, address } = call
  const choice = (gap: GapId) => choiceOf(context, gap)
  context.actor = core.credentials[listener]?.authenticate({ world: deployment.world, now, headers, address, choice })
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
    const collection = this.world.in(model, place)
    // `world.in` may have seeded the place just now: its records change up to the present, without a lag.
    if (model.nextChangeAt) this.world.applyTime(this.now)
    const { method, lagGap } = this.#context.operation!
    if (method === 'GET') return readWithLag(this.world, collection, record => keyOf(model, record), this.now)
    if (lagGap === undefined || this.choice(lagGap as GapId) !== 'seconds later') return collection
    const { now, world } = this
    return writeWithLag(world, collection, record => keyOf(model, record), { now, until: now + lagSeconds * 1000 })
  }

  list = <T extends object>(model: Model<T>, place?: string) => this.in(model, place).list()

  choice = (gap: GapId) => this.#context.choiceOfGap[gap] ?? ''

  decide = (gap: GapId) => {
    this.#context.decidingGap = gap
    return this.choice(gap)
  }

  get text() {
    return this.#context.call.body
  }

  get signal() {
    return this.#context.call.signal
  }

  get origin() {
    const { base, headers } = this.#context.call
    // A proxy that ends TLS in front of the mock names the scheme of its client.
    const scheme = headers['x-forwarded-proto']?.split(',')[0]?.trim().toLowerCase() === 'https' ? 'https' : 'http'
    const named = `${scheme}://${headers.host}`
    // A Host may be no host, such as 127.0.0.1:99999.
    return base ?? (headers.host && URL.canParse(named) ? named : `${scheme}://cloud.localhost`)
  }

  sqlEndpoint = (cluster: string) => this.#context.sqlEndpoint(cluster)

  judge = (body = this.body) => {
    this.body = body
    return judgeBody(this.#context.core, this.#context.id!, this)
  }

  describe = () => describe(this.#context.core.contract, 'cloud', this.#context.routes, this.#context.choices)

  log = (act: Act) => this.#context.core.log(this, act)
}

/** Seconds until reads show a write. Deployments take one or two. */
const lagSeconds = 2

/** The place where a call finds the records of a model. */
function placeOf({ within }: AnyModel, ids: Readonly<Record<string, string>>, stackId: string): string {
  if (within === 'deployment') return wholeDeployment
  return within === 'stack' ? stackId : ids[`${within.name}Id`]!
}

/** The refusal of an unknown path, with the gap of a path that the specification leaves out. */
function refuseUnrouted(refusal: Refusal, { call, core, form, segment }: Context): Refusal {
  const { advice, hint } = refusal.details
  const sentence = `${call.method} ${call.path} is no operation of this API${hint ? `: ${hint}` : ''}`
  const path = form === 'managed' ? (call.path.split(`/${segment}`, 2)[1] ?? '') : call.path
  const known = core.gapsOfPaths.find(one => one.form === form && one.path.test(path))
  return new Refusal(refusal.kind, sentence, { gap: known?.gap ?? 'path/unknown-path', advice })
}

function authoriseOrganization(context: Context): void {
  const { actor, core, match, form, deployment } = context
  const { organizationId } = match.params
  const own = actor?.kind === 'key' ? actor.organizationId : undefined
  if (organizationId === undefined || organizationId === own) return
  const id = readUuid('organizationId', organizationId)
  if (id !== own)
    throw core.refusalsBelow.organizationId!({ world: deployment.world, form, ids: { organizationId: id } })
}

function authorise({ actor, operation, form, ids }: Context): void {
  const permission = operation?.permission ?? (form === 'managed' ? managedPermission : undefined)
  if (permission === undefined || actor?.kind !== 'key') return
  const missing = [permission].flat().find(one => !actor.may(one, ids.serviceId ?? ids.postgresId))
  if (missing === undefined) return
  const sentence = `The key lacks the permission ${nameOf(missing)}`
  throw new Refusal('forbidden', sentence, { rule: 'role/permissions-decide' })
}

/** Refuses a path below an unknown service. A path that ends with the service is left to the handler. */
function authoriseService({ core, form, ids, deployment: { world }, match: { route } }: Context): void {
  if (ids.serviceId === undefined || route!.path.endsWith('{serviceId}')) return
  const refusal = core.refusalsBelow.serviceId!({ world, form, ids })
  if (refusal) throw refusal
}
