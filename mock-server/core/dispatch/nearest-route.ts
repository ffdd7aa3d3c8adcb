import type { Call } from '../../words/call.ts'
import type { Route } from './routes.ts'

/**
 * Suggests the operation that a caller probably meant: that of the path that shares most segments in the same position;
 * among equals, the one with the same method.
 */
export function describeNearestRoute({ method, path }: Call, routes: readonly Route[]): string {
  const words = path.toLowerCase().split('/')
  const distanceOf = (route: Route) => {
    const expected = route.path.toLowerCase().split('/')
    const length = Math.max(expected.length, words.length)
    const start = route.method === method ? 0 : 0.5
    return Array.from({ length }).reduce<number>((sum, _, i) => sum + between(expected[i], words[i]), start)
  }
  const [nearest] = routes
    .map(route => ({ route, distance: distanceOf(route) }))
    .sort((a, b) => a.distance - b.distance)
  return nearest ? `The nearest operation is ${nearest.route.method} ${nearest.route.path}` : ''
}

function between(expected: string | undefined, word: string | undefined): number {
  if (expected === undefined || word === undefined) return 1
  if (expected.startsWith('{')) return word === '' ? 1 : 0.1
  if (expected === word) return 0
  // Segments with a common prefix, such as a singular and its plural, count half.
  return expected.slice(0, 4) === word.slice(0, 4) ? 0.5 : 1
}
