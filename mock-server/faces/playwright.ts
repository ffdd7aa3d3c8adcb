import type { BrowserContext, Request, Route } from '@playwright/test'
import type { FetchMock } from './create-mock.ts'
import { findSite, locate } from './fetch.ts'

type Fulfilment = NonNullable<Parameters<Route['fulfill']>[0]>

/** Answers the requests of pages to the API of a mock at its bases. All others go where they would without a mock. */
export async function routeToMock(context: BrowserContext, mock: FetchMock): Promise<void> {
  const sites = locate(mock, mock.bases)
  const pending = new Map<Request, AbortController>()
  context.on('requestfailed', request => pending.get(request)?.abort())
  await context.route(
    ({ href }) => findSite(sites, href) !== undefined,
    async route => {
      const request = route.request()
      const aborted = new AbortController()
      pending.set(request, aborted)
      const answer = await ask(mock, request, aborted.signal).catch(() => undefined)
      pending.delete(request)
      // Playwright cannot cut an answer off: a truncated one fails as a whole.
      await (answer ? route.fulfill(answer) : route.abort('connectionclosed'))
    },
  )
}

async function ask(mock: FetchMock, request: Request, signal: AbortSignal): Promise<Fulfilment> {
  const response = await mock.fetch(request.url(), {
    method: request.method(),
    headers: await request.allHeaders(),
    body: request.postDataBuffer() as Uint8Array<ArrayBuffer> | null,
    signal,
  })
  const body = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: Object.fromEntries(response.headers), body }
}
