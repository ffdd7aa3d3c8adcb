import type { Form, OperationId } from '../../../fixtures/built-contract/index.ts'
import type { Begin, Where } from './mutants.ts'
import { changePayload, isObject, type Json, parse, payloadIn, type Route, succeeds, withBody } from './route.ts'

/** Deployments whose lists, filters, pages or orders are wrong, or show what belongs elsewhere. */

/** The mutants that no check can notice, by a pattern of their ids, and why. */
export const unnoticeable: readonly (readonly [ids: RegExp, reason: string])[] = [
  [/list: (?:without its first item|empty)$/, 'no other answer names the records that no list shows'],
  [/(?:role|member)\.list: list: leaks/, 'organizations may share members and predefined roles'],
  [/prometheusTarget\.list: list: leaks/, 'targets have no id'],
  [/serviceProfile\.list: filter/, 'no profile shows its region'],
  [/servicePrometheus\.get: query/, 'a service may have only those metrics that the filter selects'],
  [/(?:slowQueryPattern\.list|postgresMetrics\.get|usageCost\.get): window/, 'sums do not show the window they are of'],
  [/activity\.list: window/, 'the first and the last activity may be more than a day away from the others'],
  [/(?:postgresLog|slowQueryPattern)\.list: page: empty/, 'the whole list has a limit, too'],
  [/(?:postgresLog|slowQueryPattern)\.list: page: one too many/, 'the limit of the whole list is the maximum already'],
  [/activity\.list: list: turned round/, 'no document promises the order'],
  [
    /(?:postgresBackup|webhook|teamMember|backup|snapshot|service)\.list: list: one item shows the fields of another/,
    'the record has no get, or none that documents promise to agree with the list',
  ],
]

type Query = Readonly<Record<string, string>>
type How = (list: readonly Json[], query: Query) => readonly unknown[] | undefined

/** Changes the records of the list, where the query has a parameter. */
const onList =
  (operation: OperationId, form: Form, parameter: string | undefined, how: How): Begin =>
  () =>
  async (call, next, route) => {
    const answer = await next(call)
    const query = Object.fromEntries(new URLSearchParams(call.query))
    const isMeant = route.operation === operation && route.form === form && succeeds(answer)
    if (!isMeant || (parameter !== undefined && !(parameter in query))) return answer
    const list = payloadIn(answer)
    const changed = Array.isArray(list) ? how(list, query) : undefined
    return changed && JSON.stringify(changed) !== JSON.stringify(list) ? changePayload(answer, () => changed) : answer
  }

/** Changes the query. The genuine answer is only compared, to count the answers that differ. */
const onQuery =
  (operation: OperationId, form: Form, parameter: string, value: (given: string) => string | undefined): Begin =>
  () =>
  async (call, next, route) => {
    const query = new URLSearchParams(call.query)
    const given = query.get(parameter)
    if (route.operation !== operation || route.form !== form || given === null) return next(call)
    await next(call)
    const other = value(given)
    if (other === undefined) query.delete(parameter)
    else query.set(parameter, other)
    return next({ ...call, query: String(query) })
  }

/** Answers with more than the query selects: all that `among` selects of the whole list. */
const fromWhole =
  (operation: OperationId, form: Form, parameter: string, among: (whole: Json[], selected: Json[]) => Json[]): Begin =>
  () =>
  async (call, next, route) => {
    const answer = await next(call)
    const query = new URLSearchParams(call.query)
    if (route.operation !== operation || route.form !== form || !query.has(parameter) || !succeeds(answer))
      return answer
    query.delete(parameter)
    const [whole, selected] = [payloadIn(await next({ ...call, query: String(query) })), payloadIn(answer)]
    return Array.isArray(whole) && Array.isArray(selected)
      ? changePayload(answer, () => among(whole, selected))
      : answer
  }

/** Adds the first record of the same list of another place. */
const leaks =
  (operation: OperationId, form: Form, parameter: string, swap: (record: Json) => Json = one => one): Begin =>
  target => {
    const places = new Set<string>()
    return async (call, next, route) => {
      const answer = await next(call)
      if (route.operation === 'service.list' && succeeds(answer) && parameter === 'serviceId')
        for (const one of (payloadIn(answer) as Json[]) ?? []) places.add(String(one.id))
      if (route.operation !== operation || route.form !== form || !succeeds(answer)) return answer
      const own = route.params[parameter]
      const { secondKeyId, secondKeySecret, secondOrganizationId } = target.cloud ?? {}
      const isOrganization = parameter === 'organizationId'
      const others = isOrganization ? [String(secondOrganizationId)] : [...places]
      const authorization = `Basic ${btoa(`${secondKeyId}:${secondKeySecret}`)}`
      for (const other of others.filter(one => one !== own)) {
        const path = call.path.replace(String(own), other)
        const foreign = await next({
          ...call,
          path,
          headers: { ...call.headers, ...(isOrganization && { authorization }) },
        })
        const [record] = (succeeds(foreign) && (payloadIn(foreign) as Json[])) || []
        if (isObject(record))
          return changePayload(answer, list => (Array.isArray(list) ? [...list, swap(record)] : list))
      }
      return answer
    }
  }

export function* lists({ operation, form, of }: Where): Generator<[string, Begin]> {
  const { query = {}, page } = of
  const changed = (how: How, parameter?: string) => onList(operation, form, parameter, how)
  const queried = (name: string, value: (given: string) => string | undefined) => onQuery(operation, form, name, value)
  if (of.result.type === 'array' && of.method === 'GET') {
    yield ['list: its first item twice', changed(list => [...list.slice(0, 1), ...list])]
    yield ['list: its last item twice', changed(list => [...list, ...list.slice(-1)])]
    yield ['list: without its first item', changed(list => list.slice(1))]
    yield ['list: empty', changed(() => [])]
    yield [
      'list: one item shows the fields of another',
      changed(list => (list[1] ? [{ ...list[1], id: list[0]!.id }, ...list.slice(1)] : undefined)),
    ]
    if (/first/.test(of.description)) yield ['list: turned round', changed(list => list.toReversed())]
    const path = of.paths[form] ?? ''
    if (form !== 'selfHosted' && path.includes('{organizationId}'))
      yield ["list: leaks another organization's item", leaks(operation, form, 'organizationId')]
    if (path.includes('{serviceId}')) yield ["list: leaks another service's item", leaks(operation, form, 'serviceId')]
  }
  if (of.result.type === 'array')
    for (const name of Object.keys(query)) {
      if (/^(?:limit|offset|cursor|from_date|to_date|sort_by|sort_order)$/.test(name)) continue
      yield [`filter: selects the others: ${name}`, fromWhole(operation, form, name, excluding)]
      yield [`filter: selects one too many: ${name}`, fromWhole(operation, form, name, withOther)]
      yield [`filter: selects nothing: ${name}`, changed(() => [], name)]
      yield [`filter: selects one too few: ${name}`, changed(list => list.slice(1), name)]
    }
  for (const name of Object.keys(query)) yield [`query: ignored: ${name}`, queried(name, () => undefined)]
  for (const [name, sign] of [
    ['from_date', -1],
    ['to_date', 1],
  ] as const) {
    if (!query[name]) continue
    yield [`window: a day too wide: ${name}`, queried(name, given => shift(given, sign))]
    yield [`window: a day too narrow: ${name}`, queried(name, given => shift(given, -sign))]
  }
  if (query.limit) {
    yield ['page: one too many', queried('limit', given => String(Number(given) + 1))]
    yield ['page: its last item lost', changed(list => list.slice(0, -1), 'limit')]
    yield ['page: empty', changed(() => [], 'limit')]
  }
  const position = query.cursor ? 'cursor' : query.offset ? 'offset' : undefined
  if (position) {
    yield ['page: begins one too late', changed(list => list.slice(1), position)]
    yield ['page: repeats its first item', changed(list => [...list.slice(0, 1), ...list], position)]
    yield ['page: another order', changed(list => list.toReversed(), position)]
    const begin: Begin = () => {
      let first: Json[] | undefined
      return async (call, next, route) => {
        const answer = await next(call)
        if (route.operation !== operation || route.form !== form || !succeeds(answer)) return answer
        const isFirst = !new URLSearchParams(call.query).has(position)
        if (isFirst && new URLSearchParams(call.query).has('limit')) first = payloadIn(answer) as Json[]
        return isFirst || !first
          ? answer
          : changePayload(answer, list => [...first!.slice(-1), ...(list as Json[]).slice(1)])
      }
    }
    yield ['page: begins with the last item of the page before', begin]
  }
  if (page?.by === 'cursor') {
    const json =
      (how: (body: Json) => Json): Begin =>
      () =>
      async (call, next, route) => {
        const answer = await next(call)
        const body = parse(answer.body)
        return isOwn(route, operation, form) && succeeds(answer) && isObject(body)
          ? withBody(answer, JSON.stringify(how(body)))
          : answer
      }
    yield ['page: no cursor', json(body => ({ ...body, nextCursor: null }))]
    yield ['page: a cursor at the end', json(body => ({ ...body, nextCursor: body.nextCursor ?? btoa('after:1000') }))]
    yield ['page: another limit', json(body => ({ ...body, limit: Number(body.limit) + 1 }))]
    if (!page.isUncounted) {
      yield ['page: counts one too many', json(body => ({ ...body, totalCount: Number(body.totalCount) + 1 }))]
      yield ['page: counts the page', json(body => ({ ...body, totalCount: (body.result as Json[]).length }))]
    }
  }
}

const isOwn = (route: Route, operation: OperationId, form: Form) => route.operation === operation && route.form === form
const textOf = (one: unknown) => JSON.stringify(one)
const excluding = (whole: Json[], selected: Json[]) => {
  const known = new Set(selected.map(textOf))
  return whole.filter(one => !known.has(textOf(one)))
}
const withOther = (whole: Json[], selected: Json[]) => [...selected, ...excluding(whole, selected).slice(0, 1)]
const shift = (given: string, days: number) => {
  const moved = new Date(Date.parse(given) + days * 86_400_000).toISOString()
  return given.length === 10 ? moved.slice(0, 10) : moved
}
