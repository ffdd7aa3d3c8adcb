/** The entry point `stack-parity/msw`, in Node and in a browser. It imports msw, which is an optional peer. */

import { type HttpHandler, http } from 'msw'
import { answerRequest, defaultBases, type FetchBases, locate } from './faces/fetch.ts'
import type { Mock } from './mock/mock.ts'

/**
 * Returns MSW request handlers, one for each base, that answer as the mock does. Requests to other paths than those of the
 * API are not handled: an application may share the origin.
 */
export function createMswHandlers(
  mock: Mock & { readonly bases?: FetchBases },
  bases: FetchBases = mock.bases ?? defaultBases,
): HttpHandler[] {
  return locate(mock, bases).map(site => http.all(site.own(), ({ request }) => answerRequest(mock, site, request)))
}
