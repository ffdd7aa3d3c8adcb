import type { HttpHandler } from 'msw'
import { createMock, type Mock } from '../mock/mock.ts'
import { answerRequest, defaultBases, type FetchBases, locate, type Site } from './fetch.ts'

/** The base addresses of the two APIs. Calls to an API without one are not intercepted. */
export type MswBases = FetchBases

/**
 * Returns MSW request handlers, one for each base, that answer as the mock does, in Node and in a browser. The mock
 * matches the paths itself, so that they have the same meaning as over HTTP.
 */
export function createMswHandlers(
  mock: Mock & { readonly bases?: FetchBases } = createMock(),
  bases: MswBases = mock.bases ?? defaultBases,
): HttpHandler[] {
  return locate(bases).map(site => createHandler(mock, site))
}

/** A handler for all versions 2 of MSW, which is not imported: it is an optional peer, and `require` could not load it. */
function createHandler(mock: Mock, site: Site): HttpHandler {
  const isInside = (request: Request) => site.inside.test(request.url)
  const handler: Pick<HttpHandler, 'info' | 'isUsed' | 'run' | 'test' | 'log'> & Readonly<Record<string, unknown>> = {
    kind: 'request',
    // The name of `kind` in earlier versions.
    __kind: 'RequestHandler',
    info: { header: `all ${site.base}`, path: site.inside, method: /.+/ },
    isUsed: false,
    test: async ({ request }) => isInside(request),
    async run({ request, requestId }) {
      if (!isInside(request)) return null
      this.isUsed = true
      // Both MSW and the mock may read the body.
      const copy = request.clone()
      const response = await answerRequest(mock, site, request)
      const parsedResult = { match: { matches: true, params: {} }, cookies: {} }
      return { handler: this as unknown as HttpHandler, request: copy, requestId, response, parsedResult }
    },
    async log({ request, response }) {
      console.log(`[MSW] ${request.method} ${request.url} (${response.status} ${response.statusText})`)
    },
  }
  return handler as unknown as HttpHandler
}
