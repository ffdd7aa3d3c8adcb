import { type Form, type Operation, operations } from '../../../fixtures/contract/index.ts'
import type { ChoicesInForce } from '../../gaps/choices.ts'
import type { Call } from '../../words/call.ts'
import { Refusal, unrouted, wrongMethod } from '../../words/refusal.ts'
import { describeNearestRoute } from './nearest-route.ts'
import type { Route } from './routes.ts'

/** The route that matches a call, or why none does. */
export interface RouteMatch {
  /** Undefined when the path belongs to no form. */
  readonly form: Form | undefined
  /** Undefined for an unknown path or a wrong method; `refusal` then says which. */
  readonly route: Route | undefined
  readonly params: Readonly<Record<string, string>>
  readonly refusal: Refusal | undefined
  /** True for paths below a known resource: there a self-hosted deployment authenticates and counts calls. */
  readonly known: boolean
}

interface Node {
  readonly words: Map<string, Node>
  readonly routes: Map<string, Route>
  /** The methods that a literal segment inherits from the id beside it, which no description lists. */
  readonly lent: Set<string>
  param?: { readonly name: string; readonly node: Node }
  form?: Form
  /** The resource of a self-hosted deployment whose router is mounted here. */
  resource?: true
}

const newNode = (): Node => ({ words: new Map(), routes: new Map(), lent: new Set() })
const none: Readonly<Record<string, string>> = {}

/** Matches paths as they were sent: only ids are decoded, and `..` has no special meaning. */
export function createDispatch(routes: readonly Route[], taken: ChoicesInForce, segment: string) {
  const root = newNode()
  for (const route of routes) plant(root, route)
  lendMethods(root)
  const below = (words: readonly string[]) => words.reduce((node, word) => open(node, word), root)
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
    let known = false
    let isFolded = false
    let isDoubled = false
    let undecodable: string | undefined
    let params: Record<string, string> | undefined
    const passed: string[] = []
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
        if (next) isFolded = true
      }
      if (node.param && word !== '') {
        if (next) passed.push(node.param.name)
        next ??= node.param.node
        const value = decode(word)
        if (value === undefined) undecodable = word
        params ??= {}
        params[node.param.name] = value ?? word
      }
      node = next
      if (node?.form) form = node.form
      if (node?.resource) known = true
    }
    const choices = form && taken[form]
    if (isFolded && choices?.['path/letter-case'] !== 'same') node = undefined
    if ((slashes > 0 || isDoubled) && choices?.['path/trailing-slash'] !== 'same') node = undefined
    // Two trailing slashes are accepted only after the name of a resource.
    if (slashes > 1 && !node?.resource) node = undefined

    const isHead = call.method === 'HEAD' && taken[form ?? 'cloud']['service/head'] !== 'refused'
    const route = node?.routes.get(isHead ? 'GET' : call.method)
    // Methods of the literal segment win over an id of that name.
    if (!route && params) for (const name of passed) delete params[name]
    const refusal = refusalOf(call, node, route, undecodable)
    return { form: form ?? route?.form, route, params: params ?? none, refusal, known }
  }

  function refusalOf(call: Call, node: Node | undefined, route: Route | undefined, undecodable: string | undefined) {
    if (route && undecodable === undefined) return undefined
    if (route) {
      const sentence = `path: "${undecodable}" is not percent-encoded text, such as %20`
      return new Refusal('malformed', sentence, { gap: 'path/malformed-id' })
    }
    const sentence = `Cannot ${call.method} ${call.path}`
    const advice = describeNearestRoute(call, routes)
    return node && node.routes.size > 0 ? wrongMethod(sentence, allowed(node), advice) : unrouted(sentence, advice)
  }
}

function plant(root: Node, route: Route) {
  const node = route.path.split('/').slice(1).reduce(open, root)
  node.routes.set(route.method, route)
}

/**
 * A literal segment beside an id parameter inherits the routes of that parameter for methods that it does not have, unless the
 * id is a UUID, which no word is.
 */
function lendMethods(node: Node) {
  for (const next of node.words.values()) {
    for (const [method, route] of node.param?.node.routes ?? []) {
      const { ids }: Operation = operations[route.operation]
      const isUuid = route.form === 'cloud' && (ids?.[node.param!.name] ?? 'uuid') === 'uuid'
      if (isUuid || next.routes.has(method)) continue
      next.routes.set(method, route)
      next.lent.add(method)
    }
    lendMethods(next)
  }
  if (node.param) lendMethods(node.param.node)
}

function open(node: Node, word: string): Node {
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

function allowed(node: Node): string {
  const methods = [...node.routes.keys()].filter(method => !node.lent.has(method))
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
