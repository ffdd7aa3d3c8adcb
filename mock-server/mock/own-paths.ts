import type { Route } from '../core/dispatch/routes.ts'

/**
 * Matches the paths of an API: all below its version, its operations elsewhere, such as `/health`, and the `further` ones of the
 * cloud. All other paths of an origin may be those of an application.
 */
export function matchOwnPaths(routes: readonly Route[], further: readonly string[] = []): RegExp {
  const isCloud = routes.some(({ form }) => form === 'cloud')
  const version = isCloud ? '/v1' : '/api/v2'
  const paths = [...routes.map(({ path }) => path), ...(isCloud ? further : [])]
  const elsewhere = new Set(paths.filter(path => !`${path}/`.startsWith(`${version}/`)))
  const patterns = [...elsewhere].map(path => path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+'))
  // Whether letter case and a last slash matter is a choice of the mock.
  return new RegExp(`^(?:${[`${version}(?:/.*)?`, ...patterns].join('|')})/?$`, 'i')
}
