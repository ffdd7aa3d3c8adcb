import type { HttpHandler } from 'msw'
import { createMock, type Mock } from '../mock/mock.ts'
import { answerRequest, defaultBases, type FetchBases, findSite, locate, type Site } from './fetch.ts'

/** The base addresses of the two APIs. Calls to an API without one are not intercepted. */
export type MswBases = FetchBases

/**
 * Returns MSW request handlers, one for each base, that answer as the mock does.
 *
 * @deprecated `stack-parity/msw` exports a function of this name, which makes handlers by the public interface of msw.
 */
export function createMswHandlers(
  mock: Mock & { readonly bases?: FetchBases } = createMock(),
  bases: MswBases = mock.bases ?? defaultBases,
): HttpHandler[] {
  return locate(mock, bases).map(site => createHandler(mock, site))
}

/** Imitates a handler of msw. It does not import msw, an optional peer that users of this entry point may not have. */
function createHandler(mock: Mock, site: Site): HttpHandler {
  const isOwn = ({ url }: Request) => findSite([site], url) !== undefined
  const handler: Pick<HttpHandler, 'info' | 'isUsed' | 'run' | 'test' | 'log'> & Readonly<Record<string, unknown>> = {
    kind: 'request',
    // The name of `kind` in earlier versions.
    __kind: 'RequestHandler',
    info: { header: `all ${site.base}`, path: site.own(), method: /.+/ },
    isUsed: false,
    test: async ({ request }) => isOwn(request),
    async run({ request, requestId }) {
      if (!isOwn(request)) return null
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
