import { setTimeout as sleep } from 'node:timers/promises'
import Router, { type RouterContext } from '@koa/router'
import type Koa from 'koa'
import { listStubs } from '../../mock/arrange/nearest-miss.ts'
import type { AlertNotification, Mock, MockWorld, StubOptions, TargetFile } from '../../mock/mock.ts'
import { maxStateBytes, minStateBytes } from '../../mock/state.ts'
import { mapErrors } from '../../words/maybe-promise.ts'
import { isMoment } from '../../world/clock.ts'
import { answer, ControlRefusal, refuseErrors, toControlRefusal } from './answer.ts'
import { addCalls } from './calls.ts'
import { createGuardedApp } from './control-app.ts'
import { describeControl } from './describe-control.ts'
import { describeWithIds } from './describe-here.ts'
import { addConsole } from './page/routes.ts'
import type { VerifyLike } from './page/suite-runner.ts'
import { createGate } from './page/token.ts'
import { addProbes, type Phase } from './probes.ts'
import { readJson, readObject } from './read-request.ts'
import { addReceiver } from './receive-webhooks.ts'
import { addRecords } from './records.ts'
import { sendCall } from './send-call.ts'
import { addWorlds, findWorld, readSeed, withLeftOut } from './worlds.ts'

export interface ControlContext {
  /** The target file of a world, by default of the first. */
  readonly target: (world?: MockWorld) => TargetFile
  /** Delivers webhooks; without it, none are sent. */
  readonly deliver?: (world: MockWorld, notifications: readonly AlertNotification[]) => Promise<void>
  /** The address that the console port listens on. */
  readonly hostname: string
  readonly phase: () => Phase
  /** Why the worlds are not saved; undefined if they are, or need not be. */
  readonly saveProblem?: (() => string | undefined) | undefined
  /** The required token; without it, none is required. */
  readonly token?: string
  readonly version?: string
  /** Descriptions of the options of the mock, for the page. */
  readonly startedWith?: Readonly<Record<string, string>>
  readonly verify?: VerifyLike
}

export function createControlApp(mock: Mock, context: ControlContext): Koa {
  const { target, hostname, token, deliver } = context
  const router = new Router()
  const gate = token === undefined ? undefined : createGate(token)
  addConsole(router, mock, { ...context, gate })
  addProbes(router, mock, context)

  const targetFor = (world: MockWorld, { headers }: RouterContext) =>
    withHostOfRequest(target(world), hostname, headers.host)

  const { contract } = mock.deployment().core
  /** Answers for the first world, or for that of `?world=ID`. */
  const answerFor = (read: (world: MockWorld, ctx: RouterContext) => unknown) =>
    answer(ctx => read(findWorld(mock, ctx.query.world), ctx))

  const route = (method: 'get' | 'post' | 'put' | 'delete', path: string, read: Parameters<typeof answerFor>[0]) =>
    router[method](`/control/${path}`, answerFor(read))

  route('get', 'target', targetFor)
  route('post', 'reset', async (world, ctx) => {
    const options: Parameters<MockWorld['reset']>[0] = await readObject(ctx.req, ['seed', 'scenario'])
    const seed = readSeed(options)
    refuseErrors(() => world.reset({ ...options, seed }))
    return withLeftOut(targetFor(world, ctx), world)
  })

  const deliveries = createDeliveries(deliver)
  addCalls(router, answerFor, { contract, targetFor, version: context.version, settleDeliveries: deliveries.settle })

  route('get', 'usage', world => world.usage())

  route('get', 'state', (world, ctx) => {
    if (minStateBytes(world.deployment()) > maxStateBytes)
      throw new ControlRefusal(
        413,
        `A state has at most ${maxStateBytes / 1024 ** 2} MiB. Reset the world, or load fewer rows.`,
      )
    const { extent = 'whole' } = ctx.query
    if (extent !== 'whole' && extent !== 'opened') throw new ControlRefusal(400, '"extent" must be whole or opened.')
    return world.state(extent)
  })
  route('put', 'state', async (world, ctx) => {
    const state = await readJson(ctx.req)
    refuseErrors(() => world.load(state))
    return targetFor(world, ctx)
  })

  route('get', 'faults', world => world.faults())
  route('put', 'faults', async (world, ctx) => {
    const ids = await readJson(ctx.req)
    if (!Array.isArray(ids))
      throw new ControlRefusal(400, 'The body must be a list of rule ids, such as ["alert/list-answers"].')
    refuseErrors(() => world.setFaults(ids))
    return world.faults()
  })

  const choicesOf = (world: MockWorld) => {
    const { segment: _, ...choices } = world.choices()
    return choices
  }
  route('get', 'choices', choicesOf)
  route('put', 'choices', async (world, ctx) => {
    const changes = await readObject(ctx.req)
    refuseErrors(() => world.setChoices(changes))
    return choicesOf(world)
  })

  route('get', 'chaos', world => world.chaos())
  route('put', 'chaos', async (world, ctx) => {
    const chaos = await readObject(ctx.req)
    refuseErrors(() => world.setChaos(chaos))
    return world.chaos()
  })

  // The page polls this list; therefore only the newest calls are searched for the nearest miss.
  route('get', 'stubs', world => listStubs(world.stubs(), world.calls(500)))
  route('post', 'stubs', async (world, ctx) => {
    const options = (await readObject(ctx.req)) as unknown as StubOptions
    const stub = refuseErrors(() => world.stub(options))
    ctx.status = 201
    ctx.set('location', `/control/stubs/${stub.id}`)
    return stub
  })
  route('delete', 'stubs', world => void world.removeStubs())
  route('delete', 'stubs/:id', (world, { params: { id } }) => {
    if (!world.removeStubs(id)) throw new ControlRefusal(404, `There is no stub "${id}".`)
  })

  const readClock = ({ clock }: MockWorld) => ({ now: new Date(clock.now()).toISOString(), freeze: clock.isFrozen() })
  route('get', 'clock', readClock)
  route('put', 'clock', async (world, ctx) => {
    const { move, freeze } = readChange(await readObject(ctx.req, ['now', 'advanceMs', 'freeze']), world.clock)
    const send = (notifications: readonly AlertNotification[]) => deliveries.begin(world, notifications)
    // A running clock would go on between its move and its stop.
    if (freeze) world.freeze()
    if (move)
      await ('now' in move ? world.inSlices.moveClock(move.now, send) : world.inSlices.advance(move.advanceMs, send))
    if (freeze === false) world.resume()
    return readClock(world)
  })

  route('post', 'rows', async (world, ctx) => {
    const { sourceId, rows } = await readObject(ctx.req, ['sourceId', 'rows'])
    if (typeof sourceId !== 'string') throw new ControlRefusal(400, '"sourceId" must be the id of a source.')
    return { loaded: await mapErrors(() => world.loadRows(sourceId, rows), toControlRefusal) }
  })

  addRecords(router, answerFor, ({ req }) => readObject(req))
  addReceiver(router)
  route('post', 'send', async (world, { req }) =>
    sendCall(world, await readObject(req, ['api', 'method', 'path', 'headers', 'body'])),
  )

  route('get', 'openapi/cloud.json', (world, ctx) => describeWithIds(mock, 'cloud', targetFor(world, ctx)))
  route('get', 'openapi/self-hosted.json', (world, ctx) => describeWithIds(mock, 'selfHosted', targetFor(world, ctx)))

  router.get(
    '/control/openapi/control.json',
    answer(ctx => describeControl(contract, router, targetFor(mock, ctx), gate !== undefined, context.version)),
  )

  addWorlds(router, mock, targetFor)

  return createGuardedApp(router, { hostname, gate })
}

/** A reader of deliveries waits no longer for those under way. */
const maxSettleMs = 1000

/** The deliveries under way. The clock does not wait for them, but the journal of webhooks does for a moment. */
function createDeliveries(deliver: ControlContext['deliver']) {
  let underWay: Promise<unknown> = Promise.resolve()
  return {
    begin(world: MockWorld, notifications: readonly AlertNotification[]) {
      if (notifications.length > 0) underWay = Promise.all([underWay, deliver?.(world, notifications).catch(() => {})])
    },
    settle: () => Promise.race([underWay, sleep(maxSettleMs, undefined, { ref: false })]),
  }
}

type Move = { readonly now: number } | { readonly advanceMs: number }

/** A time to which the clock jumps, or milliseconds through which the world lives; and whether it is frozen or resumed there. */
function readChange({ now, advanceMs, freeze }: Record<string, unknown>, clock: MockWorld['clock']) {
  const move = readMove(now, advanceMs, clock)
  if (freeze === undefined || typeof freeze === 'boolean') {
    if (move) return { move, freeze }
    if (now === undefined && advanceMs === undefined && freeze !== undefined) return { freeze }
  }
  throw new ControlRefusal(
    400,
    'The body must be {"now": "2026-01-01T00:00:00Z"}, {"advanceMs": 60000} or {"freeze": true}, or freeze with one of the others.',
  )
}

function readMove(now: unknown, advanceMs: unknown, clock: MockWorld['clock']): Move | undefined {
  if (typeof now === 'string' && advanceMs === undefined && isMoment(Date.parse(now))) return { now: Date.parse(now) }
  if (typeof advanceMs === 'number' && now === undefined && isMoment(clock.now() + advanceMs)) return { advanceMs }
  return undefined
}

/** If the mock listens on all addresses, replaces loopback in its base addresses by the host of the request, so that other machines can use them. */
function withHostOfRequest(target: TargetFile, listenAddress: string, host = ''): TargetFile {
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
  if ((listenAddress !== '0.0.0.0' && listenAddress !== '::') || name === '') return target
  const { cloud, selfHosted, control } = target
  const withHost = <T extends { readonly baseUrl: string }>(at: T): T => {
    const url = new URL(at.baseUrl)
    url.hostname = name
    return { ...at, baseUrl: url.href.replace(/\/$/, '') }
  }
  return {
    ...target,
    ...(cloud && { cloud: withHost(cloud) }),
    ...(selfHosted && { selfHosted: withHost(selfHosted) }),
    ...(control && { control: withHost(control) }),
  }
}
