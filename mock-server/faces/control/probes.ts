import type Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import type { Mock } from '../../mock/mock.ts'
import { expositionType, renderMetrics } from './metrics.ts'

/** Where a mock is between its start and its end: only when it is ready do all of its ports take calls. */
export type Phase = 'starting' | 'ready' | 'draining'

/** They say one word, and take none: whoever watches over a process needs no token for it, and reaches it by any name. */
export const isProbe = (path: string): boolean => path === '/health' || path === '/ready'

/** Adds what watches over the process ask: whether it lives, whether it takes calls, and what it counts. */
export function addProbes(router: Router, mock: Mock, phase: () => Phase, version?: string): void {
  router.get('/health', ctx => tell(ctx, 200, 'ok'))
  router.get('/ready', ctx => tell(ctx, phase() === 'ready' ? 200 : 503, phase()))
  router.get('/metrics', ctx => {
    ctx.set('cache-control', 'no-store')
    ctx.type = expositionType
    ctx.body = renderMetrics(mock, version)
  })
}

function tell(ctx: RouterContext, status: number, word: string): void {
  ctx.set('cache-control', 'no-store')
  ctx.status = status
  ctx.type = 'json'
  ctx.body = `{"status":"${word}"}\n`
}
