import type { HttpHandler } from 'msw'
import { createMock, type Mock } from '../core/mock.ts'
import { answerRequest, type FetchBases, locate, usualBases } from './fetch.ts'

// An optional peer: whoever takes the Koa face alone need not have it.
const msw = await import('msw/core/http').catch(() => undefined)

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
  if (!msw) throw new Error('create MSW handlers: the package msw is not installed. Run: npm install --save-dev msw')
  const { http } = msw
  return locate(bases).map(site => http.all(site.inside, ({ request }) => answerRequest(mock, site, request)))
}
