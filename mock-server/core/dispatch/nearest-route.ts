import type { Call } from '../../words/call.ts'
import type { Route } from './routes.ts'

/**
 * Suggests the operation that a caller probably meant: that of the path that shares most segments in the same position;
 * among equals, the one with the same method.
 */
export function describeNearestRoute({ method, path }: Call, routes: readonly Route[]): string {
  const words = path.toLowerCase().split('/')
  const distanceOf = (route: Route) => {
    const wanted = route.path.toLowerCase().split('/')
    const length = Math.max(wanted.length, words.length)
    const start = route.method === method ? 0 : 0.5
    return Array.from({ length }).reduce<number>((sum, _, i) => sum + between(wanted[i], words[i]), start)
  }
  const [nearest] = routes
    .map(route => ({ route, distance: distanceOf(route) }))
    .sort((a, b) => a.distance - b.distance)
  return nearest ? `The nearest operation is ${nearest.route.method} ${nearest.route.path}` : ''
}

function between(wanted: string | undefined, word: string | undefined): number {
  if (wanted === undefined || word === undefined) return 1
  if (wanted.startsWith('{')) return word === '' ? 1 : 0.1
  if (wanted === word) return 0
  // Segments with a common prefix, such as a singular and its plural, count half.
  return wanted.slice(0, 4) === word.slice(0, 4) ? 0.5 : 1
}
