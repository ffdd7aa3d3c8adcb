import type { Contract, Form } from '../../../fixtures/built-contract/index.ts'
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
  /** True at and below a known resource: there a self-hosted deployment counts and authenticates even unrouted calls. */
  readonly isWithinResource: boolean
}

/** The segment of the managed form on the real cloud API. */
const vendorSegment = 'clickstack'

interface Node {
  readonly literals: Map<string, Node>
  readonly routes: Map<string, Route>
  /** The methods that a literal segment inherits from the parameter beside it; `Allow` does not list them. */
  readonly inherited: Set<string>
  param?: { readonly name: string; readonly node: Node }
  form?: Form
  /** True if the router of a self-hosted resource is mounted here. */
  isResource?: true
}

const newNode = (): Node => ({ literals: new Map(), routes: new Map(), inherited: new Set() })
const noParams: Readonly<Record<string, string>> = {}

/** Does not normalise paths: only ids are decoded, and `..` is an ordinary segment. Choices may ignore case and extra slashes. */
export function createDispatch(
  contract: Contract,
  routes: readonly Route[],
  choices: ChoicesInForce,
  managedSegment: string,
) {
  const root = newNode()
  for (const route of routes) addRoute(root, route)
  inheritMethods(contract, root)
  const nodeAt = (segments: readonly string[]) => segments.reduce(childOf, root)
  const listenerForm = routes.some(({ form }) => form === 'cloud') ? 'cloud' : 'selfHosted'
  if (listenerForm === 'cloud') {
    nodeAt(['v1']).form = 'cloud'
    const service = ['v1', 'organizations', '{organizationId}', 'services', '{serviceId}']
    nodeAt([...service, managedSegment]).form = 'managed'
  } else {
    const version = nodeAt(['api', 'v2'])
    version.form = 'selfHosted'
    for (const node of version.literals.values()) node.isResource = true
  }

  const takesHead = (form: Form | undefined) => choices[form ?? listenerForm]['service/head'] !== 'refused'

  return dispatch

  function dispatch(call: Call): RouteMatch {
    const segments = call.path.split('/')
    let slashes = 0
    while (slashes < 2 && segments.length > 2 && segments.at(-1) === '') {
      segments.pop()
      slashes++
    }
    let node: Node | undefined = root
    let form: Form | undefined
    let isWithinResource = false
    let isOtherCase = false
    let isDoubled = false
    let undecodable: string | undefined
    let params: Record<string, string> | undefined
    const shadowed: string[] = []
    for (let i = 1; i < segments.length && node; i++) {
      const segment = segments[i]!
      // Deployments nest routers, and each router consumes the slash after its own prefix.
      if (
        segment === '' &&
        segments[i - 1] !== '' &&
        i < segments.length - 1 &&
        (node.isResource || node.form === 'selfHosted')
      ) {
        isDoubled = true
        continue
      }
      let next = node.literals.get(segment)
      if (!next && node.literals.size > 0) {
        next = node.literals.get(segment.toLowerCase())
        if (next) isOtherCase = true
      }
      if (node.param && segment !== '') {
        if (next) shadowed.push(node.param.name)
        next ??= node.param.node
        const value = decode(segment)
        if (value === undefined) undecodable = segment
        params ??= {}
        params[node.param.name] = value ?? segment
      }
      node = next
      if (node?.form) form = node.form
      if (node?.isResource) isWithinResource = true
    }
    const choicesOfForm = choices[form ?? listenerForm]
    if (isOtherCase && choicesOfForm['path/letter-case'] !== 'same') node = undefined
    if ((slashes > 0 || isDoubled) && choicesOfForm['path/trailing-slash'] !== 'same') node = undefined
    // Two trailing slashes are accepted only after the name of a resource.
    if (slashes > 1 && !node?.isResource) node = undefined

    const isHead = call.method === 'HEAD' && takesHead(form)
    const route = node?.routes.get(isHead ? 'GET' : call.method)
    // Without a route, a segment that is also a literal is not reported as an id.
    if (!route && params) for (const name of shadowed) delete params[name]
    const refusal = refusalOf(call, node, route, undecodable, form)
    return { form: form ?? route?.form, route, params: params ?? noParams, refusal, isWithinResource }
  }

  /** The path as the operations are named: without an empty segment, and with the segment of the managed form. */
  function normalise(path: string): string {
    const segments = path.split('/').filter((segment, at) => at === 0 || segment !== '')
    if (segments[6] === vendorSegment) segments[6] = managedSegment
    return segments.join('/')
  }

  /** What a client of the real cloud API, such as its Terraform provider, needs; empty if another path would not help. */
  function hintAt(call: Call, path: string): string {
    const isOtherSegment = managedSegment !== vendorSegment && call.path.split('/')[6] === vendorSegment
    const reasons = [
      ...(isOtherSegment ? [`the segment here is ${managedSegment}, not ${vendorSegment}`] : []),
      ...(call.path.endsWith('/') && dispatch({ ...call, path }).route
        ? ['a slash at the end is another path here']
        : []),
    ]
    return reasons.length > 0 ? `${reasons.join(', and ')}; mock --as clickhouse-cloud answers it` : ''
  }

  function refusalOf(call: Call, node: Node | undefined, route: Route | undefined, undecodable?: string, form?: Form) {
    if (route && undecodable === undefined) return undefined
    if (route) {
      const sentence = `path: "${undecodable}" is not percent-encoded text, such as %20`
      return new Refusal('malformed', sentence, { gap: 'path/malformed-id' })
    }
    const path = normalise(call.path)
    const hint = listenerForm === 'cloud' && path !== call.path ? hintAt(call, path) : ''
    const sentence = `Cannot ${call.method} ${call.path}`
    const advice = describeNearestRoute({ ...call, path }, routes)
    return node && node.routes.size > 0
      ? wrongMethod(sentence, listMethods(node, takesHead(form)), advice)
      : unrouted(sentence, advice, hint)
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
function inheritMethods(contract: Contract, node: Node) {
  for (const next of node.literals.values()) {
    for (const [method, route] of node.param?.node.routes ?? []) {
      const { ids } = contract.operations[route.operation]
      const isUuid = route.form === 'cloud' && (ids?.[node.param!.name] ?? 'uuid') === 'uuid'
      if (isUuid || next.routes.has(method)) continue
      next.routes.set(method, route)
      next.inherited.add(method)
    }
    inheritMethods(contract, next)
  }
  if (node.param) inheritMethods(contract, node.param.node)
}

function childOf(node: Node, segment: string): Node {
  if (segment.startsWith('{')) {
    node.param ??= { name: segment.slice(1, -1), node: newNode() }
    return node.param.node
  }
  let next = node.literals.get(segment)
  if (!next) {
    next = newNode()
    node.literals.set(segment, next)
  }
  return next
}

function listMethods(node: Node, takesHead: boolean): string {
  const methods = [...node.routes.keys()].filter(method => !node.inherited.has(method))
  return [...methods, ...(takesHead && methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/**
 * Suggests the operation that a caller probably meant: the one whose path differs in the fewest segments, where another
 * method counts as half a segment.
 */
function describeNearestRoute({ method, path }: Call, routes: readonly Route[]): string {
  const segments = path.toLowerCase().split('/')
  const distanceOf = (route: Route) => {
    const expected = route.path.toLowerCase().split('/')
    const length = Math.max(expected.length, segments.length)
    const start = route.method === method ? 0 : 0.5
    return Array.from({ length }).reduce<number>((sum, _, i) => sum + segmentDistance(expected[i], segments[i]), start)
  }
  const [nearest] = routes
    .map(route => ({ route, distance: distanceOf(route) }))
    .sort((a, b) => a.distance - b.distance)
  return nearest ? `The nearest operation is ${nearest.route.method} ${nearest.route.path}` : ''
}

function segmentDistance(expected: string | undefined, segment: string | undefined): number {
  if (expected === undefined || segment === undefined) return 1
  if (expected.startsWith('{')) return segment === '' ? 1 : 0.1
  if (expected === segment) return 0
  // Segments with a common prefix, such as a singular and its plural, count half.
  return expected.slice(0, 4) === segment.slice(0, 4) ? 0.5 : 1
}
