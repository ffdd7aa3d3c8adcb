import type Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import type { ListedWorld, Mock, MockWorld, TargetFile, WorldOptions } from '../../mock/mock.ts'
import { answer, ControlRefusal, refuseErrors } from './answer.ts'
import type { ArrangedWorld, ListedWorld as ShownWorld } from './page/answers.ts'
import { readObject } from './read-request.ts'

export function addWorlds(
  router: Router,
  { worlds }: Mock,
  targetFor: (world: MockWorld, ctx: RouterContext) => TargetFile,
): void {
  router.get(
    '/control/worlds',
    answer(() => worlds.list().map(describeWorld)),
  )
  router.post(
    '/control/worlds',
    answer(async ctx => {
      const options: WorldOptions = await readObject(ctx.req, ['name', 'seed', 'size', 'scenario', 'expiresInMs'])
      const seed = readSeed(options)
      const { id, world, isNew } = refuseErrors(() => worlds.open({ ...options, seed }))
      ctx.status = isNew ? 201 : 200
      ctx.set('location', `/control/worlds/${id}`)
      return { id, ...withLeftOut(targetFor(world, ctx), world) }
    }),
  )
  router.delete(
    '/control/worlds/:id',
    answer(ctx => {
      const { id } = ctx.params
      if (!worlds.close(id!)) throw new ControlRefusal(404, describeMissingWorld(id))
    }),
  )
}

/** Adds the sentences about what the captured scenario of a world has that the world does not serve. */
export function withLeftOut(target: TargetFile, world: MockWorld): TargetFile & ArrangedWorld {
  const leftOut = world.leftOut()
  return { ...target, ...(leftOut.length > 0 && { leftOut }) }
}

/** The first world, or that of `?world=ID`. */
export function findWorld(mock: Mock, id: string | string[] | undefined): MockWorld {
  if (id === undefined) return mock
  const world = typeof id === 'string' ? mock.worlds.get(id) : undefined
  if (!world) throw new ControlRefusal(404, describeMissingWorld(String(id)))
  return world
}

const describeMissingWorld = (id: string | undefined) =>
  `There is no world "${id}": it was never opened, or it is closed.`

export function readSeed({ seed }: { readonly seed?: unknown }): number | undefined {
  if (seed === undefined || Number.isSafeInteger(seed)) return seed as number | undefined
  throw new ControlRefusal(400, '"seed" must be a whole number.')
}

function describeWorld({ id, name, world, openedAt, lastCallAt, calls }: ListedWorld): ShownWorld {
  return {
    id,
    name,
    seed: world.deployment().world.seed,
    openedAt: new Date(openedAt).toISOString(),
    ageMs: Date.now() - openedAt,
    lastCallAt: lastCallAt === undefined ? null : new Date(lastCallAt).toISOString(),
    calls,
  }
}
