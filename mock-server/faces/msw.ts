import type { HttpHandler } from 'msw'
import { createMock, type Mock } from '../core/mock.ts'
import { answerRequest, type FetchBases, locate, type Site, usualBases } from './fetch.ts'

/** Where the two APIs seem to be. A form that is left out is not intercepted. */
export type MswBases = FetchBases

/**
 * Returns MSW request handlers, one for each base, that answer as the mock does. They work in Node and in a browser; the
 * routes are the mock's own, so a path that MSW would read in its own way means the same here as over HTTP.
 */
export function createMswHandlers(
  mock: Mock & { readonly bases?: FetchBases } = createMock(),
  bases: MswBases = mock.bases ?? usualBases,
): HttpHandler[] {
  return locate(bases).map(site => createHandler(mock, site))
}

/**
 * A handler that MSW makes when it is first asked something. MSW is an optional peer, so it cannot be imported outright; and
 * a module that waits for it at its top level cannot be loaded by `require`. MSW knows handlers by these properties.
 */
function createHandler(mock: Mock, site: Site): HttpHandler {
  let made: Promise<HttpHandler> | undefined
  const make = async () => {
    const { http } = await import('msw/core/http')
    return http.all(site.inside, ({ request }) => answerRequest(mock, site, request))
  }
  const handler = () => {
    made ??= make()
    return made
  }
  const lazy: Pick<HttpHandler, 'info' | 'isUsed' | 'run' | 'test' | 'parse'> & Readonly<Record<string, unknown>> = {
    kind: 'request',
    // What earlier versions of MSW 2 call `kind`.
    __kind: 'RequestHandler',
    info: { header: `all ${site.base}`, path: site.inside, method: /.+/ },
    isUsed: false,
    run: async args => (await handler()).run(args),
    test: async args => (await handler()).test(args),
    parse: async args => (await handler()).parse(args),
  }
  return lazy as unknown as HttpHandler
}
