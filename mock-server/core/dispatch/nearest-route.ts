import type { Call } from '../../words/call.ts'
import type { Route } from './routes.ts'

/** Suggests the operation that a caller probably meant. */
export function describeNearestRoute({ method, path }: Call, routes: readonly Route[]): string {
  const nearest = nearestRoute(method, path, routes)
  return nearest ? `The nearest operation is ${nearest.method} ${nearest.path}` : ''
}

/** The route that shares most segments with a path, in the same position; among equals, the one with the same method. */
function nearestRoute(method: string, path: string, routes: readonly Route[]): Route | undefined {
  const words = path.toLowerCase().split('/')
  let nearest: Route | undefined
  let least = Number.POSITIVE_INFINITY
  for (const route of routes) {
    const distance = distanceOf(route, method, words, least)
    if (distance >= least) continue
    nearest = route
    least = distance
  }
  return nearest
}

/** The distance of a route; some number of at least `enough` when it is no smaller than that. */
function distanceOf(route: Route, method: string, words: readonly string[], enough: number): number {
  const wanted = route.path.toLowerCase().split('/')
  const length = Math.max(wanted.length, words.length)
  let sum = route.method === method ? 0 : 0.5
  for (let i = 0; i < length && sum < enough; i++) sum += between(wanted[i], words[i])
  return sum
}

function between(wanted: string | undefined, word: string | undefined): number {
  if (wanted === undefined || word === undefined) return 1
  if (wanted.startsWith('{')) return word === '' ? 1 : 0.1
  if (wanted === word) return 0
  // Segments with a common prefix, such as a singular and its plural, count half.
  return wanted.slice(0, 4) === word.slice(0, 4) ? 0.5 : 1
}
