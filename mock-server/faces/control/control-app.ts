import type Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import Koa from 'koa'
import { disconnectCodes, originForm } from '../koa.ts'
import { ControlRefusal, refuseOtherOrigins } from './answer.ts'
import { listAddresses } from './describe-control.ts'
import { passGate } from './page/routes.ts'
import type { Gate } from './page/token.ts'
import { isProbe } from './probes.ts'

/** Returns the Koa application of a console port at `hostname`, which refuses other origins and calls without the token. */
export function createGuardedApp(
  router: Router,
  { hostname, gate }: { readonly hostname: string; readonly gate?: Gate | undefined },
): Koa {
  const app = new Koa()
  app.on('error', (error: NodeJS.ErrnoException) => disconnectCodes.has(error.code) || app.onerror(error))
  app.use(async (ctx, next) => {
    ctx.set('x-content-type-options', 'nosniff')
    ctx.set('cross-origin-resource-policy', 'same-origin')
    try {
      // Koa would parse an absolute URL, and fail for an invalid one.
      ctx.url = originForm(ctx.url)
      const isOpen = isProbe(ctx.path)
      if (!isOpen) refuseOtherOrigins(ctx.headers, hostname, gate?.admits(ctx.headers))
      if (isOpen || !gate || passGate(ctx as RouterContext, gate)) await next()
    } catch (error) {
      if (!(error instanceof ControlRefusal)) app.emit('error', error, ctx)
      ctx.status = error instanceof ControlRefusal ? error.status : 500
      ctx.body = { error: error instanceof ControlRefusal ? error.message : 'The control plane failed to answer.' }
    }
  })
  app.use(router.routes())
  app.use(ctx => {
    const methods = router.match(ctx.path, ctx.method).path.flatMap(layer => layer.methods)
    if (methods.length === 0)
      throw new ControlRefusal(404, `There is nothing at ${ctx.path}. ${describeAddresses(router)}`)
    const allow = [...new Set(methods)].join(', ')
    ctx.set('allow', allow)
    throw new ControlRefusal(405, `${ctx.path} takes ${allow}, not ${ctx.method}.`)
  })
  return app
}

function describeAddresses(router: Router): string {
  const names = listAddresses(router).map(address => address.split(' ')[1])
  return `GET / is the console, /health and /ready are probes, /metrics is for Prometheus; under /control/ there are ${[...new Set(names)].sort().join(', ')}.`
}
