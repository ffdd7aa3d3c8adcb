import Router, { type RouterContext } from '@koa/router'
import type Koa from 'koa'
import { listStubs } from '../../mock/arrange/nearest-miss.ts'
import type { Delivery, Mock, MockWorld, StubOptions, TargetFile } from '../../mock/mock.ts'
import { leastOfState, mostOfState } from '../../mock/state.ts'
import { explaining } from '../../words/eventually.ts'
import { isMoment } from '../../world/clock.ts'
import { answer, attempt, Declined, decline } from './answer.ts'
import { addCalls } from './calls.ts'
import { createGuardedApp } from './control-app.ts'
import { describeControl } from './describe-control.ts'
import { describeHere } from './describe-here.ts'
import type { Verify } from './page/examination.ts'
import { addConsole } from './page/routes.ts'
import { createGate } from './page/token.ts'
import { addProbes, type Phase } from './probes.ts'
import { readJson, readObject } from './read-request.ts'
import { addReceiver } from './receive-webhooks.ts'
import { addRecords } from './records.ts'
import { sendCall } from './send-call.ts'
import { addWorlds, findWorld, readSeed } from './worlds.ts'

/** What the control plane needs to know beyond the mock. */
export interface CommandContext {
  /** How the listeners are reached; without a world, that of the first. */
  readonly target: (world?: MockWorld) => TargetFile
  /** Sends what alerts have to tell; without it, nobody is told. */
  readonly deliver?: (world: MockWorld, deliveries: readonly Delivery[]) => Promise<void>
  /** The address that it listens on. */
  readonly hostname: string
  readonly phase: () => Phase
  /** Whoever wants something has to show this; without it, nobody has to. */
  readonly token?: string
  readonly version?: string
  /** What the mock was started with, in words, for the page. */
  readonly startedWith?: Readonly<Record<string, string>>
  /** Runs the suite against a target: handed in, because the mock does not know the suite. */
  readonly verify?: Verify
}

/** Returns the Koa application of the console port, through which tests and people look into the mock and change it. */
export function createControlApp(mock: Mock, context: CommandContext): Koa {
  const { target, hostname, token, deliver } = context
  const router = new Router()
  const gate = token === undefined ? undefined : createGate(token)
  addConsole(router, mock, { ...context, gate })
  addProbes(router, mock, context.phase, context.version)

  const targetFor = (world: MockWorld, { headers }: RouterContext) => reachedAs(target(world), hostname, headers.host)

  /** Answers for the world that is meant: the first, or that of `?world=ID`. */
  const about = (read: (world: MockWorld, ctx: RouterContext) => unknown) =>
    answer(ctx => read(findWorld(mock, ctx.query.world), ctx))

  const on = (method: 'get' | 'post' | 'put' | 'delete', path: string, read: Parameters<typeof about>[0]) =>
    router[method](`/control/${path}`, about(read))

  on('get', 'target', targetFor)
  on('post', 'reset', async (world, ctx) => {
    const wanted: Parameters<MockWorld['reset']>[0] = await readObject(ctx.req, ['seed', 'scenario'])
    const seed = readSeed(wanted)
    attempt(() => world.reset({ ...wanted, seed }))
    return targetFor(world, ctx)
  })

  addCalls(router, about, { targetFor, version: context.version })

  on('get', 'state', (world, ctx) => {
    if (leastOfState(world.deployment()) > mostOfState) throw new Declined(413, tooManyRows)
    const { extent = 'whole' } = ctx.query
    if (extent !== 'whole' && extent !== 'opened') throw new Declined(400, '"extent" must be whole or opened.')
    return world.state(extent)
  })
  on('put', 'state', async (world, ctx) => {
    const state = await readJson(ctx.req)
    attempt(() => world.load(state))
    return targetFor(world, ctx)
  })

  on('get', 'faults', world => world.faults())
  on('put', 'faults', async (world, ctx) => {
    const ids = await readJson(ctx.req)
    if (!Array.isArray(ids))
      throw new Declined(400, 'The body must be a list of rule ids, such as ["alert/list-answers"].')
    attempt(() => world.setFaults(ids))
    return world.faults()
  })

  const choicesOf = (world: MockWorld) => {
    const { segment: _, ...choices } = world.choices()
    return choices
  }
  on('get', 'choices', choicesOf)
  on('put', 'choices', async (world, ctx) => {
    const changes = await readObject(ctx.req)
    attempt(() => world.setChoices(changes))
    return choicesOf(world)
  })

  on('get', 'chaos', world => world.chaos())
  on('put', 'chaos', async (world, ctx) => {
    const chaos = await readObject(ctx.req)
    attempt(() => world.setChaos(chaos))
    return world.chaos()
  })

  // Nearest misses are found among the newest calls: the list is read again and again.
  on('get', 'stubs', world => listStubs(world.stubs(), world.calls(500)))
  on('post', 'stubs', async (world, ctx) => {
    const wanted = (await readObject(ctx.req)) as unknown as StubOptions
    const stub = attempt(() => world.stub(wanted))
    ctx.status = 201
    ctx.set('location', `/control/stubs/${stub.id}`)
    return stub
  })
  on('delete', 'stubs', world => void world.removeStubs())
  on('delete', 'stubs/:id', (world, { params: { id } }) => {
    if (!world.removeStubs(id)) throw new Declined(404, `There is no stub "${id}".`)
  })

  const readClock = ({ clock }: MockWorld) => ({ now: new Date(clock.now()).toISOString() })
  on('get', 'clock', readClock)
  on('put', 'clock', async (world, ctx) => {
    const deliveries = world.moveClock(readMoment(world.clock, await readObject(ctx.req, ['now', 'advanceMs'])))
    await withinSeconds(2, deliver?.(world, [...deliveries, ...(await world.awaitAlerts())]))
    return readClock(world)
  })

  on('post', 'rows', async (world, ctx) => {
    const { sourceId, rows } = await readObject(ctx.req, ['sourceId', 'rows'])
    if (typeof sourceId !== 'string') throw new Declined(400, '"sourceId" must be the id of a source.')
    return { loaded: await explaining(() => world.loadRows(sourceId, rows), decline) }
  })

  addRecords(router, about, ({ req }) => readObject(req))
  addReceiver(router)
  on('post', 'send', async (world, { req }) =>
    sendCall(world, await readObject(req, ['api', 'method', 'path', 'headers', 'body'])),
  )

  on('get', 'openapi/cloud.json', (world, ctx) => describeHere(mock, 'cloud', targetFor(world, ctx)))
  on('get', 'openapi/self-hosted.json', (world, ctx) => describeHere(mock, 'selfHosted', targetFor(world, ctx)))

  router.get(
    '/control/openapi/control.json',
    answer(ctx => describeControl(router, targetFor(mock, ctx), gate !== undefined, context.version)),
  )

  addWorlds(router, mock, targetFor)

  return createGuardedApp(router, { hostname, gate })
}

const tooManyRows =
  'The loaded rows alone are larger than the 64 MiB that a state may have. Reset the world, or load fewer rows.'

function readMoment(clock: MockWorld['clock'], { now, advanceMs }: Record<string, unknown>): number {
  const advanced = typeof advanceMs === 'number' && now === undefined ? clock.now() + advanceMs : Number.NaN
  const moment = typeof now === 'string' && advanceMs === undefined ? Date.parse(now) : advanced
  if (isMoment(moment)) return moment
  throw new Declined(400, 'The body must be {"now": "2026-01-01T00:00:00Z"} or {"advanceMs": 60000}.')
}

/** Waits for something that goes on by itself when it takes longer. */
async function withinSeconds(seconds: number, work: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise(resolve => {
    timer = setTimeout(resolve, seconds * 1000)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}

/** Replaces the host of a mock that listens on every address by the one of the request: other machines cannot use loopback. */
function reachedAs(target: TargetFile, listensOn: string, host = ''): TargetFile {
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
  if ((listensOn !== '0.0.0.0' && listensOn !== '::') || name === '') return target
  const { cloud, selfHosted, control } = target
  const move = <T extends { readonly baseUrl: string }>(at: T): T => {
    const url = new URL(at.baseUrl)
    url.hostname = name
    return { ...at, baseUrl: url.href.replace(/\/$/, '') }
  }
  return {
    ...target,
    ...(cloud && { cloud: move(cloud) }),
    ...(selfHosted && { selfHosted: move(selfHosted) }),
    ...(control && { control: move(control) }),
  }
}
