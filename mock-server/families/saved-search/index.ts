import { savedSearch } from '../../../fixtures/contract/saved-search.ts'
import type { Fault, Faults } from '../../faults/fault.ts'
import { wrongFieldAfterUpdate } from '../../faults/lifecycle.ts'
import { changeResult, inCalls, resultOf, succeeds } from '../../faults/rewrite.ts'
import { invalidInput } from '../../fields/sentences.ts'
import type { SearchFilter } from '../../telemetry/source-terms.ts'
import { isRecord } from '../../words/check-options.ts'
import { refused } from '../../words/refusal.ts'
import type { SavedSearch } from '../../words/resources.ts'
import type { Model } from '../../world/collection.ts'
import { recordSchema } from '../../world/record.ts'
import type { BodyOf, Family, HandlersOf, Request } from '../family.ts'
import { idAndTimes, serveDocuments } from '../stack/documents.ts'
import { planStack } from '../stack/stack-plan.ts'

export const savedSearches: Model<SavedSearch, 'savedSearch'> = {
  name: 'savedSearch',
  within: 'stack',
  isNumerous: true,
  record: recordSchema(savedSearch.fields),
  seed: (stackId, from) => planStack(stackId, from).savedSearches,
}

/** Empties the quoted parts of a text, in which quotes are doubled or escaped by a backslash. */
const emptyQuotes = (text: string) => text.replace(/'(?:[^'\\]|\\[\s\S]|'')*'/g, "''")

/**
 * Whether the user interface shows a filter next to a search: it does if the filter is one SQL condition, that a column
 * is in a list of values, is not in it, or lies between two numbers.
 */
function isPinned(filter: SearchFilter): boolean {
  if (filter.type !== 'sql') return false
  const text = emptyQuotes(filter.condition)
  const range = /^(.+?)\sBETWEEN\s+(\S+)\s+AND\s+(\S+)\s*$/i.exec(text)
  if (range) return isColumn(range[1]!) && [range[2], range[3]].every(bound => Number.isFinite(Number(bound)))
  if (/[=<>]| OR | AND /i.test(text)) return false
  const list = /^(.+?) (?:NOT )?IN (.+)$/is.exec(text)
  return (
    list !== null &&
    isColumn(list[1]!) &&
    list[2]!
      .trim()
      .replace(/^\((.*)\)$/s, '$1')
      .replaceAll(',', '')
      .trim() !== ''
  )
}

/** Brackets must be balanced: a bracket around the whole predicate opens here and closes after the list. */
const isColumn = (text: string) =>
  text.trim() !== '' && !/\b(?:NOT|AND|OR)\b/i.test(text) && text.split('(').length === text.split(')').length

type SavedSearchBody = BodyOf<'savedSearch.create'>
export const models = [savedSearches]
/** A filter that fits no shape is refused without a reason. */
export const bodies: Family['bodies'] = { savedSearchInput: { sentences: { 'filters union': invalidInput } } }

const { find, get, list, create, replace, remove } = serveDocuments(savedSearches, 'Saved search', savedSearch)

function refuseUnknownSource({ sourceId }: SavedSearchBody, { stack }: Request) {
  if (!stack.sources.get(sourceId.toLowerCase())) throw refused('sourceId must be an existing source id')
}

/** Accepts filters of other shapes only if they are stored already, by the user interface, and are sent back unchanged. */
function refuseOtherFilters({ filters }: SavedSearchBody, stored: readonly SearchFilter[] = []) {
  const known = new Set(stored.map(keyOf))
  const index = filters.findIndex(filter => !isPinned(filter) && !known.has(keyOf(filter)))
  if (index < 0) return
  throw refused(
    `filters[${index}] must be a sidebar-renderable SQL predicate (e.g. "<column> IN ('<value>', ...)", "NOT IN (...)", or "BETWEEN <n> AND <n>"). Other shapes are only accepted on update when preserved unchanged from the stored saved search.`,
  )
}

const keyOf = (filter: SearchFilter) =>
  JSON.stringify(
    filter.type === 'sql_ast'
      ? [filter.type, filter.operator, filter.left, filter.right]
      : [filter.type, filter.condition],
  )

export const handlers: HandlersOf<'savedSearch'> = {
  'savedSearch.list': list,
  'savedSearch.create': request => {
    const { body, stack } = request
    refuseUnknownSource(body, request)
    refuseOtherFilters(body)
    return create(request, {
      ...body,
      sourceId: body.sourceId.toLowerCase(),
      teamId: stack.teamId,
      ...idAndTimes(request),
    })
  },
  'savedSearch.get': get,
  'savedSearch.update': request => {
    const { body } = request
    refuseUnknownSource(body, request)
    const before = find(request)
    refuseOtherFilters(body, before.filters)
    const { teamId } = before
    return replace(request, { ...body, sourceId: body.sourceId.toLowerCase(), teamId, ...idAndTimes(request, before) })
  },
  'savedSearch.delete': request => {
    const { alerts } = request.stack
    const search = find(request)
    for (const { id, savedSearchId } of alerts.list()) if (savedSearchId === search.id) alerts.remove(id)
    return remove(request, search)
  },
}

const isAlertOnSavedSearch = (body: string) => body.includes('"saved_search"')

/** Answers a get of a deleted alert on a saved search as if it were not deleted. */
const keepDeletedAlerts = (): Fault => {
  const created = new Map<unknown, unknown>()
  return async (call, next, context) => {
    const answer = await next(call)
    if (context.operation === 'alert.create' && succeeds(answer) && isAlertOnSavedSearch(call.body)) {
      const alert = resultOf(answer)
      if (isRecord(alert)) created.set(alert.id, alert)
    }
    const kept = context.operation === 'alert.get' ? created.get(context.params.id) : undefined
    if (kept === undefined || succeeds(answer)) return answer
    const list = await next({ ...call, path: call.path.replace(/\/[^/]*$/, '') })
    return changeResult(list, () => kept)
  }
}

export const faults = {
  'savedSearch/update-resets-the-rest': wrongFieldAfterUpdate('savedSearch', 'tags', ['kept']),
  // The mock refuses an empty body.
  'savedSearch/alert-is-accepted': inCalls('alert.create', call =>
    isAlertOnSavedSearch(call.body) ? { ...call, body: '{}' } : call,
  ),
  'savedSearch/delete-takes-alerts-along': keepDeletedAlerts,
} as const satisfies Faults
