import type { Listener } from '../../words/call.ts'
import type { Route } from './routes.ts'

/** The path below which an API has most of its operations. */
const versions: Readonly<Record<Listener, string>> = { cloud: '/v1', selfHosted: '/api/v2' }

/** The vendor has a separate host for these, so that the contract has no operations of them. */
const queryHost = ['/service/{id}/run', '/service/{id}/runPostgres', '/run/{id}', '/.api/query-endpoints/{id}/run']

/**
 * Matches the paths that are an API's own: all below its version, its operations elsewhere, such as `/health`, and the query
 * host. All other paths of an origin may be those of an application.
 */
export function matchOwnPaths(listener: Listener, routes: readonly Route[]): RegExp {
  const version = versions[listener]
  const paths = [...routes.map(({ path }) => path), ...(listener === 'cloud' ? queryHost : [])]
  const elsewhere = new Set(paths.filter(path => !`${path}/`.startsWith(`${version}/`)))
  const patterns = [...elsewhere].map(path => path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+'))
  // Whether letter case and a last slash matter is a choice of the mock.
  return new RegExp(`^(?:${[`${version}(?:/.*)?`, ...patterns].join('|')})/?$`, 'i')
}
