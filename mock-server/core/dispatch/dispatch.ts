import { type Form, type Operation, operations } from '../../../fixtures/contract/index.ts'
import type { ChoicesInForce } from '../../gaps/choices.ts'
import type { Call } from '../../words/call.ts'
import { Refusal, unrouted, wrongMethod } from '../../words/refusal.ts'
import type { Route } from './routes.ts'

/** The route that matches a call, or why none does. */
export interface RouteMatch {
  /** Undefined when the path belongs to no form. */
  readonly form: Form | undefined
  /** Undefined for an unknown path or a wrong method; `refusal` then says which. */
  readonly route: Route | undefined
  readonly params: Readonly<Record<string, string>>
  readonly refusal: Refusal | undefined
  /** True for paths below a known resource: a self-hosted deployment authenticates and counts only their calls. */
  readonly isBelowResource: boolean
}

interface Node {
  readonly words: Map<string, Node>
  readonly routes: Map<string, Route>
  /** The methods that a literal segment inherits from the parameter beside it; `Allow` does not list them. */
  readonly inherited: Set<string>
  param?: { readonly name: string; readonly node: Node }
  form?: Form
  /** True if the router of a self-hosted resource is mounted here. */
  resource?: true
}

const newNode = (): Node => ({ words: new Map(), routes: new Map(), inherited: new Set() })
const noParams: Readonly<Record<string, string>> = {}

/** Matches paths as they were sent: only ids are decoded, and `..` has no special meaning. */
export function createDispatch(routes: readonly Route[], choices: ChoicesInForce, segment: string) {
  const root = newNode()
  for (const route of routes) addRoute(root, route)
  inheritMethods(root)
  const below = (words: readonly string[]) => words.reduce((node, word) => childOf(node, word), root)
  if (routes.some(({ form }) => form === 'cloud')) {
    below(['v1']).form = 'cloud'
    const service = ['v1', 'organizations', '{organizationId}', 'services', '{serviceId}']
    below([...service, segment]).form = 'managed'
  } else {
    const version = below(['api', 'v2'])
    version.form = 'selfHosted'
    for (const node of version.words.values()) node.resource = true
  }

  return function dispatch(call: Call): RouteMatch {
    const words = call.path.split('/')
    let slashes = 0
    while (slashes < 2 && words.length > 2 && words.at(-1) === '') {
      words.pop()
      slashes++
    }
    let node: Node | undefined = root
    let form: Form | undefined
    let isBelowResource = false
    let isOtherCase = false
    let isDoubled = false
    let undecodable: string | undefined
    let params: Record<string, string> | undefined
    const shadowed: string[] = []
    for (let i = 1; i < words.length && node; i++) {
      const word = words[i]!
      // Deployments nest routers, and each router consumes the slash after its own prefix.
      if (word === '' && words[i - 1] !== '' && i < words.length - 1 && (node.resource || node.form === 'selfHosted')) {
        isDoubled = true
        continue
      }
      let next = node.words.get(word)
      if (!next && node.words.size > 0) {
        next = node.words.get(word.toLowerCase())
        if (next) isOtherCase = true
      }
      if (node.param && word !== '') {
        if (next) shadowed.push(node.param.name)
        next ??= node.param.node
        const value = decode(word)
        if (value === undefined) undecodable = word
        params ??= {}
        params[node.param.name] = value ?? word
      }
      node = next
      if (node?.form) form = node.form
      if (node?.resource) isBelowResource = true
    }
    const choicesOfForm = form && choices[form]
    if (isOtherCase && choicesOfForm?.['path/letter-case'] !== 'same') node = undefined
    if ((slashes > 0 || isDoubled) && choicesOfForm?.['path/trailing-slash'] !== 'same') node = undefined
    // Two trailing slashes are accepted only after the name of a resource.
    if (slashes > 1 && !node?.resource) node = undefined

    const isHead = call.method === 'HEAD' && choices[form ?? 'cloud']['service/head'] !== 'refused'
    const route = node?.routes.get(isHead ? 'GET' : call.method)
    // A literal segment with this method takes precedence over a parameter.
    if (!route && params) for (const name of shadowed) delete params[name]
    const refusal = refusalOf(call, node, route, undecodable)
    return { form: form ?? route?.form, route, params: params ?? noParams, refusal, isBelowResource }
  }

  function refusalOf(call: Call, node: Node | undefined, route: Route | undefined, undecodable: string | undefined) {
    if (route && undecodable === undefined) return undefined
    if (route) {
      const sentence = `path: "${undecodable}" is not percent-encoded text, such as %20`
      return new Refusal('malformed', sentence, { gap: 'path/malformed-id' })
    }
    const sentence = `Cannot ${call.method} ${call.path}`
    const advice = describeNearestRoute(call, routes)
    return node && node.routes.size > 0 ? wrongMethod(sentence, listMethods(node), advice) : unrouted(sentence, advice)
  }
}

function addRoute(root: Node, route: Route) {
  const node = route.path.split('/').slice(1).reduce(childOf, root)
  node.routes.set(route.method, route)
}

/**
 * A literal segment beside an id parameter inherits the routes of that parameter for methods that the segment lacks, unless
 * the id is a UUID: the segment could not be one.
 */
function inheritMethods(node: Node) {
  for (const next of node.words.values()) {
    for (const [method, route] of node.param?.node.routes ?? []) {
      const { ids }: Operation = operations[route.operation]
      const isUuid = route.form === 'cloud' && (ids?.[node.param!.name] ?? 'uuid') === 'uuid'
      if (isUuid || next.routes.has(method)) continue
      next.routes.set(method, route)
      next.inherited.add(method)
    }
    inheritMethods(next)
  }
  if (node.param) inheritMethods(node.param.node)
}

function childOf(node: Node, word: string): Node {
  if (word.startsWith('{')) {
    node.param ??= { name: word.slice(1, -1), node: newNode() }
    return node.param.node
  }
  let next = node.words.get(word)
  if (!next) {
    next = newNode()
    node.words.set(word, next)
  }
  return next
}

function listMethods(node: Node): string {
  const methods = [...node.routes.keys()].filter(method => !node.inherited.has(method))
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

function decode(word: string): string | undefined {
  if (!word.includes('%')) return word
  try {
    return decodeURIComponent(word)
  } catch {
    return undefined
  }
}

/**
 * Suggests the operation that a caller probably meant: that of the path that shares most segments in the same position;
 * among equals, the one with the same method.
 */
function describeNearestRoute({ method, path }: Call, routes: readonly Route[]): string {
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
