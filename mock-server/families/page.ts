import type { Fault, FaultContext, Faults } from '../faults/fault.ts'
import { change, changeResult, type Json, resultOf, succeeds } from '../faults/rewrite.ts'

type IsMeant = (name: string, context: FaultContext) => boolean

const queryOf = ({ contract, operation }: FaultContext) =>
  (operation && contract.operations[operation].result.type === 'array' && contract.operations[operation].query) || {}

/** Ignores query parameters of lists; the answer still shows the limit that was sent. */
const ignoreParameters = (isMeant: IsMeant) => (): Fault => async (call, next, context) => {
  const query = new URLSearchParams(call.query)
  const limit = query.get('limit')
  for (const name of Object.keys(queryOf(context))) if (isMeant(name, context)) query.delete(name)
  const answer = await next({ ...call, query: `${query}` })
  if (limit === null || !succeeds(answer)) return answer
  return change(answer, json => ('limit' in json ? { ...json, limit: Number(limit) } : json))
}

/** Filters and windows whose own rules have their own faults. */
const hasOwnRule: IsMeant = (name, { operation }) =>
  /^(?:notification.list severity|(?:activity|postgresLog).list (?:from|to)_date)$/.test(`${operation} ${name}`)
const isFilter: IsMeant = (name, context) =>
  queryOf(context)[name]?.type === 'string' &&
  !hasOwnRule(name, context) &&
  !/^(?:limit|cursor|offset|filter|from_date|to_date|region_id|sort_\w+)$/.test(name)
const isWindow: IsMeant = (name, context) =>
  /^(?:from|to)_date$/.test(name) && queryOf(context)[name]?.optional === true && !hasOwnRule(name, context)

/** Repeats the first record of lists that have an id. */
const repeatFirst: Fault = async (call, next, { contract, operation }) => {
  const answer = await next(call)
  const isMeant =
    operation && !/^(?:member|service)\./.test(operation) && contract.operations[operation].result.type === 'array'
  if (!isMeant || call.method !== 'GET' || call.query !== '' || !succeeds(answer)) return answer
  return changeResult(answer, list =>
    Array.isArray(list) && list.length > 0 && 'id' in list[0] ? [list[0], ...list] : list,
  )
}

/** Adds a record of the first place whose list was read to the lists of other places. */
const showForeign = (): Fault => {
  const known = new Map<string, { readonly path: string; readonly record: Json }>()
  return async (call, next, { contract, operation, form }) => {
    const answer = await next(call)
    const { paths, result } = (operation && contract.operations[operation]) || {}
    const path = (form && paths?.[form]) ?? ''
    const isMeant = form === 'managed' ? /Services?\//i.test(path) : /^[^{]*\{organizationId\}[^{]*$/.test(path)
    if (!isMeant || result?.type !== 'array' || operation === 'member.list' || !succeeds(answer)) return answer
    const [record] = (resultOf(answer) as Json[] | undefined) ?? []
    const foreign = known.get(operation!)
    if (!foreign && record) known.set(operation!, { path: call.path, record })
    return foreign && foreign.path !== call.path
      ? changeResult(answer, list => (Array.isArray(list) ? [...list, foreign.record] : list))
      : answer
  }
}

export const faults = {
  'page/limit-is-kept': ignoreParameters(name => name === 'limit'),
  'page/cursor-leads-on': ignoreParameters(name => name === 'cursor' || name === 'offset'),
  'list/each-record-stands-once': () => repeatFirst,
  'list/filter-selects': ignoreParameters(isFilter),
  'list/window-is-kept': ignoreParameters(isWindow),
  'list/order-is-kept': ignoreParameters(name => name.startsWith('sort_')),
  'isolation/lists-show-own-records': showForeign,
} as const satisfies Faults
