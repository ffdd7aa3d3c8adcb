import type { IncomingMessage } from 'node:http'
import Router, { type RouterContext } from '@koa/router'
import Koa from 'koa'
import type { Mock, TargetFile } from '../core/mock.ts'
import { describe } from '../core/openapi.ts'
import { renderPlaceholder } from './console/placeholder.ts'
import { Declined, declineStrangers } from './declined.ts'
import { readBody } from './read-body.ts'

const bodyLimit = 64 * 1024 * 1024

/** What the control plane needs to know beyond the mock: how the listeners are reached, and the address it listens on. */
export interface Surroundings {
  readonly target: () => TargetFile
  readonly hostname: string
}

/** Returns the Koa application of the console port, through which tests and people look into the mock and change it. */
export function createControlApp(mock: Mock, { target, hostname }: Surroundings): Koa {
  const router = new Router()

  router.get('/', ctx => {
    ctx.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
    ctx.type = 'html'
    ctx.body = renderPlaceholder(target())
  })

  router.get('/control/target', answer(target))
  router.post(
    '/control/reset',
    answer(async ctx => {
      const { seed } = await readObject(ctx.req)
      if (seed !== undefined && !Number.isSafeInteger(seed)) throw new Declined(400, '"seed" must be a whole number.')
      mock.reset(seed === undefined ? {} : { seed: seed as number })
      return target()
    }),
  )

  router.get(
    '/control/calls',
    answer(ctx => mock.calls(readLimit(ctx.query.limit))),
  )
  router.delete(
    '/control/calls',
    answer(() => mock.forgetCalls()),
  )

  router.get(
    '/control/state',
    answer(() => mock.state()),
  )
  router.put(
    '/control/state',
    answer(async ctx => {
      const state = await readJson(ctx.req)
      attempt(() => mock.load(state))
      return target()
    }),
  )

  router.get(
    '/control/faults',
    answer(() => mock.faults()),
  )
  router.put(
    '/control/faults',
    answer(async ctx => {
      const ids = await readJson(ctx.req)
      if (!Array.isArray(ids))
        throw new Declined(400, 'The body must be a list of rule ids, such as ["alert/list-answers"].')
      attempt(() => mock.setFaults(ids))
      return mock.faults()
    }),
  )

  router.get(
    '/control/chaos',
    answer(() => mock.chaos()),
  )
  router.put(
    '/control/chaos',
    answer(async ctx => {
      const chaos = await readObject(ctx.req)
      attempt(() => mock.setChaos(chaos))
      return mock.chaos()
    }),
  )

  const readClock = () => ({ now: new Date(mock.clock.now()).toISOString() })
  router.get('/control/clock', answer(readClock))
  router.put(
    '/control/clock',
    answer(async ctx => {
      turnClock(mock.clock, await readObject(ctx.req))
      return readClock()
    }),
  )

  router.post(
    '/control/rows',
    answer(async ctx => {
      const { sourceId, rows } = await readObject(ctx.req)
      if (typeof sourceId !== 'string') throw new Declined(400, '"sourceId" must be the id of a source.')
      return { loaded: attempt(() => mock.loadRows(sourceId, rows)) }
    }),
  )

  const segmentOf = ({ cloud }: TargetFile) => cloud?.observabilitySegment
  router.get(
    '/control/openapi/cloud.json',
    answer(() => describe('cloud', segmentOf(target()))),
  )
  router.get(
    '/control/openapi/self-hosted.json',
    answer(() => describe('selfHosted')),
  )

  for (const path of ['/control/worlds', '/control/worlds/:id']) {
    router.all(path, () => {
      throw new Declined(501, 'This mock does not offer that yet.')
    })
  }

  const app = new Koa()
  app.use(async (ctx, next) => {
    ctx.set('x-content-type-options', 'nosniff')
    try {
      declineStrangers(ctx.headers, hostname)
      await next()
    } catch (error) {
      if (!(error instanceof Declined)) app.emit('error', error, ctx)
      ctx.status = error instanceof Declined ? error.status : 500
      ctx.body = { error: error instanceof Declined ? error.message : 'The control plane failed to answer.' }
    }
  })
  app.use(router.routes())
  app.use(ctx => {
    const methods = router.match(ctx.path, ctx.method).path.flatMap(layer => layer.methods)
    if (methods.length === 0) throw new Declined(404, `There is nothing at ${ctx.path}. GET / lists what there is.`)
    const allow = [...new Set(methods)].join(', ')
    ctx.set('allow', allow)
    throw new Declined(405, `${ctx.path} takes ${allow}, not ${ctx.method}.`)
  })
  return app
}

/** Writes what the callback returns as JSON; nothing at all when it returns nothing. */
function answer(read: (ctx: RouterContext) => unknown) {
  return async (ctx: RouterContext) => {
    const value = await read(ctx)
    ctx.status = value === undefined ? 204 : 200
    if (value !== undefined) {
      ctx.type = 'json'
      ctx.body = `${JSON.stringify(value)}\n`
    }
  }
}

/** The core says what is wrong with a value by throwing an Error with a sentence. */
function attempt<T>(change: () => T): T {
  try {
    return change()
  } catch (error) {
    throw new Declined(400, error instanceof Error ? error.message : String(error))
  }
}

function readLimit(text: string | string[] | undefined): number | undefined {
  if (text === undefined) return undefined
  if (typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new Declined(400, '"limit" must be a whole number, at least 1.')
}

function turnClock(clock: Mock['clock'], { now, advanceMs }: Record<string, unknown>) {
  if (typeof advanceMs === 'number' && Number.isFinite(advanceMs) && now === undefined) return clock.advance(advanceMs)
  const moment = typeof now === 'string' && advanceMs === undefined ? Date.parse(now) : Number.NaN
  if (Number.isNaN(moment)) {
    throw new Declined(400, 'The body must be {"now": "2026-01-01T00:00:00Z"} or {"advanceMs": 60000}.')
  }
  clock.set(moment)
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const read = await readBody(request, bodyLimit)
  if (!read) throw new Declined(400, 'The body did not arrive.')
  if (read.unread === 'too-large') throw new Declined(413, 'The body is larger than 64 MiB.')
  if (read.unread) throw new Declined(415, 'The body must be UTF-8, plain or as gzip, deflate or br.')
  try {
    return JSON.parse(read.body)
  } catch (error) {
    throw new Declined(400, `The body is not JSON: ${(error as Error).message}`)
  }
}

/** An absent body is an empty object. */
async function readObject(request: IncomingMessage): Promise<Record<string, unknown>> {
  const empty = request.headers['transfer-encoding'] === undefined && !Number(request.headers['content-length'] ?? 0)
  const value = empty ? {} : await readJson(request)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new Declined(400, 'The body must be a JSON object.')
}
