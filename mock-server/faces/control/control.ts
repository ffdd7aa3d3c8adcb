import type { IncomingMessage } from 'node:http'
import Router, { type RouterContext } from '@koa/router'
import Koa from 'koa'
import type { Delivery, Mock, MockWorld, TargetFile } from '../../core/mock.ts'
import { leastOfState, mostOfState } from '../../core/state.ts'
import { placeOfBreak } from '../../words/json-break.ts'
import { findExcess } from '../../words/json-size.ts'
import { usualLimits } from '../../words/limits.ts'
import { isMoment } from '../../world/clock.ts'
import type { Verify } from '../console/examination.ts'
import { addConsole, passGate } from '../console/routes.ts'
import { createGate } from '../console/token.ts'
import { hasLeft, originForm } from '../koa.ts'
import { readBody } from '../read-body.ts'
import { Declined, declineStrangers } from './declined.ts'
import { addRecords } from './records.ts'

const bodyLimit = 64 * 1024 * 1024

/** What the control plane needs to know beyond the mock. */
export interface Surroundings {
  /** How the listeners are reached; without a world, that of the first. */
  readonly target: (world?: MockWorld) => TargetFile
  /** Sends what alerts have to tell; without it, nobody is told. */
  readonly deliver?: (world: MockWorld, deliveries: readonly Delivery[]) => Promise<void>
  /** The address that it listens on. */
  readonly hostname: string
  /** Whoever wants something has to show this; without it, nobody has to. */
  readonly token?: string
  readonly version?: string
  /** What the mock was started with, in words, for the page. */
  readonly startedWith?: Readonly<Record<string, string>>
  /** Runs the suite against a target: handed in, because the mock does not know the suite. */
  readonly verify?: Verify
}

/** Returns the Koa application of the console port, through which tests and people look into the mock and change it. */
export function createControlApp(mock: Mock, surroundings: Surroundings): Koa {
  const { target, hostname, token, deliver } = surroundings
  const router = new Router()
  const gate = token === undefined ? undefined : createGate(token)
  addConsole(router, mock, { ...surroundings, gate })

  /** Answers for the world that is meant: the first, or that of `?world=ID`. */
  const about = (read: (world: MockWorld, ctx: RouterContext) => unknown) =>
    answer(ctx => read(findWorld(mock, ctx.query.world), ctx))

  router.get('/control/target', about(target))
  router.post(
    '/control/reset',
    about(async (world, ctx) => {
      const seed = readSeed(await readObject(ctx.req, ['seed']))
      world.reset({ seed })
      return target(world)
    }),
  )

  router.get(
    '/control/calls',
    about((world, ctx) => {
      const limit = readLimit(ctx.query.limit)
      // The page asks every second: mostly, nothing is new.
      const [newest] = world.calls(1)
      ctx.set('etag', `"${newest ? `${newest.at}/${newest.ms}` : 'none'}"`)
      ctx.status = 200
      return ctx.fresh ? unchanged : world.calls(limit)
    }),
  )
  router.delete(
    '/control/calls',
    about(world => world.forgetCalls()),
  )

  router.get(
    '/control/state',
    about(world => {
      if (leastOfState(world.look()) > mostOfState) throw new Declined(413, tooManyRows)
      return world.state()
    }),
  )
  router.put(
    '/control/state',
    about(async (world, ctx) => {
      const state = await readJson(ctx.req)
      attempt(() => world.load(state))
      return target(world)
    }),
  )

  router.get(
    '/control/faults',
    about(world => world.faults()),
  )
  router.put(
    '/control/faults',
    about(async (world, ctx) => {
      const ids = await readJson(ctx.req)
      if (!Array.isArray(ids))
        throw new Declined(400, 'The body must be a list of rule ids, such as ["alert/list-answers"].')
      attempt(() => world.setFaults(ids))
      return world.faults()
    }),
  )

  router.get(
    '/control/chaos',
    about(world => world.chaos()),
  )
  router.put(
    '/control/chaos',
    about(async (world, ctx) => {
      const chaos = await readObject(ctx.req)
      attempt(() => world.setChaos(chaos))
      return world.chaos()
    }),
  )

  const readClock = ({ clock }: MockWorld) => ({ now: new Date(clock.now()).toISOString() })
  router.get('/control/clock', about(readClock))
  router.put(
    '/control/clock',
    about(async (world, ctx) => {
      const deliveries = world.moveClock(readMoment(world.clock, await readObject(ctx.req, ['now', 'advanceMs'])))
      await withinSeconds(2, deliver?.(world, deliveries))
      return readClock(world)
    }),
  )

  router.post(
    '/control/rows',
    about(async (world, ctx) => {
      const { sourceId, rows } = await readObject(ctx.req, ['sourceId', 'rows'])
      if (typeof sourceId !== 'string') throw new Declined(400, '"sourceId" must be the id of a source.')
      return { loaded: attempt(() => world.loadRows(sourceId, rows)) }
    }),
  )

  addRecords(router, about, ({ req }) => readObject(req))

  router.get(
    '/control/openapi/cloud.json',
    answer(() => mock.describe('cloud')),
  )
  router.get(
    '/control/openapi/self-hosted.json',
    answer(() => mock.describe('selfHosted')),
  )

  router.post(
    '/control/worlds',
    answer(async ctx => {
      const wanted = await readObject(ctx.req, ['seed', 'expiresInMs'])
      const { expiresInMs } = wanted
      if (expiresInMs !== undefined && !(typeof expiresInMs === 'number' && expiresInMs > 0)) {
        throw new Declined(400, '"expiresInMs" must be a number above 0.')
      }
      const seed = readSeed(wanted)
      const { id, world } = attempt(() => mock.worlds.open({ seed, expiresInMs }), 409)
      ctx.status = 201
      ctx.set('location', `/control/worlds/${id}`)
      return { id, ...target(world) }
    }),
  )
  router.delete(
    '/control/worlds/:id',
    answer(ctx => {
      const { id } = ctx.params
      if (!mock.worlds.close(id!)) throw new Declined(404, sayNoWorld(id))
    }),
  )

  const app = new Koa()
  app.on('error', (error: NodeJS.ErrnoException) => hasLeft.has(error.code) || app.onerror(error))
  app.use(async (ctx, next) => {
    ctx.set('x-content-type-options', 'nosniff')
    ctx.set('cross-origin-resource-policy', 'same-origin')
    try {
      // Some whole addresses cannot be parsed, and Koa would parse them.
      ctx.url = originForm(ctx.url)
      declineStrangers(ctx.headers, hostname)
      if (!gate || passGate(ctx as unknown as RouterContext, gate)) await next()
    } catch (error) {
      if (!(error instanceof Declined)) app.emit('error', error, ctx)
      ctx.status = error instanceof Declined ? error.status : 500
      ctx.body = { error: error instanceof Declined ? error.message : 'The control plane failed to answer.' }
    }
  })
  app.use(router.routes())
  app.use(ctx => {
    const methods = router.match(ctx.path, ctx.method).path.flatMap(layer => layer.methods)
    if (methods.length === 0) throw new Declined(404, `There is nothing at ${ctx.path}. ${sayWhatThereIs(router)}`)
    const allow = [...new Set(methods)].join(', ')
    ctx.set('allow', allow)
    throw new Declined(405, `${ctx.path} takes ${allow}, not ${ctx.method}.`)
  })
  return app
}

/** Read from the router, so that it says what is there. */
function sayWhatThereIs(router: Router): string {
  const root = '/control/'
  const paths = router.stack.map(({ path }) => String(path)).filter(path => path.startsWith(root))
  const names = paths.map(path => path.slice(root.length).replace(/:(\w+)/g, '{$1}'))
  return `GET / is the console; under ${root} there are ${[...new Set(names)].sort().join(', ')}.`
}

/** The caller has it already. */
const unchanged = Symbol('unchanged')

/** Writes what the callback returns as JSON; nothing at all when it returns nothing. */
function answer(read: (ctx: RouterContext) => unknown) {
  return async (ctx: RouterContext) => {
    const value = await read(ctx)
    if (value === unchanged) {
      ctx.status = 304
      return
    }
    ctx.status = value === undefined ? 204 : ctx.status === 201 ? 201 : 200
    if (value !== undefined) {
      ctx.type = 'json'
      ctx.body = `${JSON.stringify(value)}\n`
    }
  }
}

/** The core says what is wrong with a value by throwing an Error with a sentence. */
function attempt<T>(change: () => T, status = 400): T {
  try {
    return change()
  } catch (error) {
    throw new Declined(status, error instanceof Error ? error.message : String(error))
  }
}

const tooManyRows =
  'The loaded rows alone are larger than the 64 MiB that a state may have. Reset the world, or load fewer rows.'

function readLimit(text: string | string[] | undefined): number | undefined {
  if (text === undefined) return undefined
  if (typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new Declined(400, '"limit" must be a whole number, at least 1.')
}

function findWorld(mock: Mock, id: string | string[] | undefined): MockWorld {
  if (id === undefined) return mock
  const world = typeof id === 'string' ? mock.worlds.get(id) : undefined
  if (!world) throw new Declined(404, sayNoWorld(String(id)))
  return world
}

const sayNoWorld = (id: string | undefined) => `There is no world "${id}": it was never opened, or it is closed.`

function readSeed({ seed }: Record<string, unknown>): number | undefined {
  if (seed === undefined || Number.isSafeInteger(seed)) return seed as number | undefined
  throw new Declined(400, '"seed" must be a whole number.')
}

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

async function readJson(request: IncomingMessage): Promise<unknown> {
  const read = await readBody(request, bodyLimit)
  if (!read) throw new Declined(400, 'The body did not arrive.')
  if (read.unread === 'too-large') throw new Declined(413, 'The body is larger than 64 MiB.')
  if (read.unread === 'crowded') throw new Declined(413, 'The mock is reading 512 MiB of other bodies.')
  if (read.unread) throw new Declined(415, 'The body must be UTF-8, plain or as gzip, deflate or br.')
  const excess = findExcess(read.body, { depth: usualLimits.depth, values: Number.POSITIVE_INFINITY })
  if (excess !== undefined) throw new Declined(400, `The body must have ${excess}.`)
  try {
    return JSON.parse(read.body)
  } catch {
    throw new Declined(400, `The body is not JSON: it ends or breaks at ${placeOfBreak(read.body)}`)
  }
}

/** An absent body is an empty object. Without `known`, the keys are left to whoever reads it. */
async function readObject(request: IncomingMessage, known?: readonly string[]): Promise<Record<string, unknown>> {
  const empty = request.headers['transfer-encoding'] === undefined && !Number(request.headers['content-length'] ?? 0)
  const value = empty ? {} : await readJson(request)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Declined(400, 'The body must be a JSON object.')
  }
  const stranger = known && Object.keys(value).find(key => !known.includes(key))
  if (stranger === undefined) return value as Record<string, unknown>
  throw new Declined(400, `"${stranger}" is not known; the body takes ${known!.join(', ')}.`)
}
