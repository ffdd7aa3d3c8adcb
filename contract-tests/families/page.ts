import { type Form, type OperationId, operations } from '../../fixtures/built-contract/index.ts'
import { type Check, type Evidence, type Finding, held, noAnswer, notJudged, type Verdict } from '../engine/check.ts'
import { findOperation, resourceOf } from '../engine/contract.ts'
import { formsOfLife, hasLife } from '../engine/creatable-resources.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import { pathTemplateOf, valuesIn } from '../engine/paths.ts'
import { findList, idOf, isDateTime, isObject, type JsonObject, momentOf, sameId } from '../engine/recognise.ts'
import { findMismatch, isNestedAndVolatile, pick, queryOf, stableFieldNames } from '../rules/fields.ts'
import { brokenBy, checkOf, describeAnswer, eachSuccess, everyExchange, observe, observeAll } from '../rules/steps.ts'
import {
  addElsewhere,
  addLists,
  elsewhereOf,
  keyOf,
  listsOf,
  momentFieldOf,
  nextCursorIn,
  ordersOf,
  pageLines,
  positionOf,
  readPagesOf,
  type Selection,
  selectionsOf,
  wholeStep,
} from '../visits/lists.ts'
import { visit } from '../visits/visit.ts'

/** Lists of every family: in pages, filtered, between two moments, in another order and in other places. */

const forms = ['cloud', 'managed', 'selfHosted'] as const
const hasOwnPages = (form: Form) => (id: OperationId) => {
  const resource = resourceOf(id)
  return resource === 'webhook' || (hasLife(resource) && formsOfLife(resource).includes(form))
}

const [unknownCursor, highLimit] = ['cloud:key.list-unknown-cursor', 'cloud:udf.list-high-limit'] as const

export const steps = forms.flatMap(
  form =>
    visit(form, 'page', run => {
      addLists(run, hasOwnPages(form))
      if (form !== 'selfHosted') addElsewhere(run)
      if (form !== 'cloud') return
      const aside = { notJudgedByOperation: true } as const
      run.call('key.list', {
        ...aside,
        name: 'key.list-unknown-cursor',
        why: 'asks for a page by a cursor that no answer had',
        query: () => ({ cursor: 'stack-parity' }),
      })
      run.call('udf.list', {
        ...aside,
        name: 'udf.list-high-limit',
        why: 'asks for a page above the maximum',
        query: () => ({ limit: '100000' }),
      })
    }).steps,
)

const resourceIn = ({ step }: Exchange) => step.split(/[:.]/)[1]!

const observePage = (step: string, success: string): Check =>
  observe([step], ([exchange]) => {
    if (isSuccess(exchange)) return success
    return exchange.response.status === 400 ? 'refused' : describeAnswer(exchange)
  })

const isByCursor = (resource: string) => positionOf(`${resource}.list` as OperationId) === 'cursor'
const pagedLists = (form: Form) => listsOf(form).filter(id => positionOf(id) !== undefined)
const linesOfPages = (form: Form, lines: readonly string[]) =>
  pagedLists(form).flatMap(id => lines.map(line => `${form}:${resourceOf(id)}.${line}`))

/** The whole list of a life is read after its creations. */
const wholeOf = (id: OperationId, form: Form) =>
  hasOwnPages(form)(id) ? `${form}:${resourceOf(id)}.list` : wholeStep(id, form)

/** The verdict on the first list that breaks a rule, else on one that keeps it. */
function judgeLists<List>(
  linesOf: (form: Form) => readonly string[],
  listsIn: (form: Form) => readonly List[],
  judge: (list: List, find: (line: string) => Exchange | undefined, evidence: Evidence) => Verdict | undefined,
): Check {
  return checkOf(linesOf, (names, evidence) => {
    const find = (line: string) => evidence.exchangesOf(line)[0]
    const verdicts = listsIn(evidence.form).flatMap(one => judge(one, find, evidence) ?? [])
    return verdicts.find(({ outcome }) => outcome === 'broken') ?? verdicts[0] ?? noAnswer(evidence, ...names)
  })
}

function judgePages(
  id: OperationId,
  find: (line: string) => Exchange | undefined,
  { form }: Evidence,
): Verdict | undefined {
  const resource = resourceOf(id)
  const whole = find(wholeOf(id, form))
  const [first, next, again] = Object.values(pageLines).map(line => find(`${form}:${resource}.${line}`))
  const pages = readPagesOf(resource, whole, first, next)
  if (!whole || !first || !pages) return undefined
  const { all, shown, keys, shownKeys, count, areSame } = pages
  const limit = Number(queryOf(first).get('limit'))
  // Other rules judge these.
  const isTooLong = [first, next].some(page => (findList(page?.json, resource)?.length ?? 0) > limit)
  if (isTooLong || new Set(keys).size < keys.length || keys.length > 2 * limit) return undefined
  const last = next ?? first
  // In an older edition of the vendor's document, lists have no pages.
  const hasCursor = isObject(first.json) && 'nextCursor' in first.json
  if (positionOf(id) === 'cursor' && !hasCursor) return undefined
  const listedAgain = listIn(again, resource)
  if (!areSame) {
    // What was added, removed or moved meanwhile is no fault of the pages.
    if (JSON.stringify(listedAgain?.map(one => keyOf(one, resource))) !== JSON.stringify(keys)) return undefined
    const at = Array.from({ length: Math.max(keys.length, shownKeys.length) }, (_, index) => index).find(
      index => keys[index] !== shownKeys[index],
    )
    // Few records stand in the same order twice by chance.
    const isOrderAlone = keys.toSorted().join() === shownKeys.toSorted().join()
    if (at !== undefined && isOrderAlone && keys.length < 4) return undefined
    if (at !== undefined) {
      const expected = keys[at] === undefined ? 'no further record' : `${keys[at]}, record ${at + 1} of the whole list`
      return brokenBy({ path: '$.result', expected, got: shownKeys[at] }, last, first, whole)
    }
    if (count !== all.length)
      return brokenBy({ path: '$.totalCount', expected: `${all.length}, as many as there are`, got: count }, first)
  }
  if (!whole.pages && nextCursorIn(whole) !== undefined && all.length < sizeOf(id))
    return brokenBy({ path: '$.nextCursor', expected: 'none after a whole list', got: nextCursorIn(whole) }, whole)
  if (positionOf(id) === 'cursor' && keys.length < 2 * limit && next && nextCursorIn(next) !== undefined)
    return brokenBy({ path: '$.nextCursor', expected: 'none after the last page', got: nextCursorIn(next) }, next)
  for (const [index, item] of all.entries()) {
    const finding = differenceOf(resource, item, shown[index]!)
    const hasChanged = listedAgain && differenceOf(resource, item, listedAgain[index]!)
    if (finding && !hasChanged)
      return brokenBy({ ...finding, expected: `${finding.expected}, as in the whole list` }, last, whole)
  }
  return held([last])
}

function differenceOf(resource: string, one: JsonObject, other: JsonObject): Finding | undefined {
  const names = stableFieldNames(resource, one, other)
  return findMismatch(pick(one, names), pick(other, names), '$', isNestedAndVolatile)
}

/** The greatest number of records that a list without a limit shows. */
const sizeOf = (id: OperationId) => operations[id].page?.size ?? Number.POSITIVE_INFINITY

function judgeSelection(selection: Selection, find: (line: string) => Exchange | undefined) {
  const { id, line, whole, selects } = selection
  const resource = resourceOf(id)
  const [all, selected] = [find(whole), find(line)]
  // A list that requires a window of time was read in one.
  for (const one of isWindow(selection) ? [all, selected] : [selected]) {
    const query = one && queryOf(one)
    const stray = query?.size ? listIn(one, resource)?.find(item => selects(item, query) === false) : undefined
    if (stray) return brokenBy({ path: '$.result', expected: `only records of ${query}`, got: stray }, one!)
  }
  const [records, list] = [listIn(all, resource), listIn(selected, resource)]
  if (!all || !selected || !records || !list) return undefined
  const query = queryOf(selected)
  if (list.length >= Number(query.get('limit') ?? sizeOf(id))) return held([selected])
  const known = new Set(list.map(one => keyOf(one, resource)))
  const missing = records.find(one => selects(one, query) && !known.has(keyOf(one, resource)))
  return missing
    ? brokenBy({ path: '$.result', expected: keyOf(missing, resource), got: `a list without it` }, selected, all)
    : held([selected])
}

const isWindow = ({ line }: Selection) => line.endsWith('.list-of-window')
/** Selections that have a rule of their own. */
const ruleOf: Readonly<Record<string, string>> = {
  'cloud:notification.list-of-severity': 'notification/filter-holds',
  'cloud:activity.list-of-window': 'activity/dates-limit-the-list',
  'cloud:postgresLog.list-of-window': 'postgresLog/window-is-kept',
}
const judgeSelections = (rule: string): Check => {
  const selectionsIn = (form: Form) =>
    selectionsOf(form).filter(
      one => rule === (ruleOf[one.line] ?? (isWindow(one) ? 'list/window-is-kept' : 'list/filter-selects')),
    )
  return judgeLists(
    form => selectionsIn(form).flatMap(({ line, whole }) => [line, whole]),
    selectionsIn,
    judgeSelection,
  )
}

/** An id that no other record in the world has. */
const isUnique = (id: string | undefined): id is string => /^[0-9a-f]{8}-[0-9a-f-]{27}$|^[0-9a-f]{24}$/i.test(id ?? '')
/** Organizations may share people and predefined roles. */
const mayBeShared = (resource: string) => /^(?:member|role|stackRole)$/.test(resource)

/** A record that names another place than the one that was asked for. */
function findForeign({ operation, form, request, json, isProbe }: Exchange): readonly Finding[] | undefined {
  if (operation === undefined || isProbe || operations[operation]?.result.type !== 'array') return undefined
  const list = findList(json, resourceOf(operation))
  const values = valuesIn(pathTemplateOf(operation, form) ?? '', request.path)
  if (!list || !values) return undefined
  for (const [index, item] of list.entries())
    for (const name of ['organizationId', 'serviceId'])
      if (typeof item[name] === 'string' && values[name] !== undefined && !sameId(item[name], values[name]))
        return [{ path: `$.result[${index}].${name}`, expected: values[name], got: item[name] }]
  return []
}

/** True if a place that does not exist was answered, which another rule reports: all places may look alike. */
const isAnsweredAnywhere = ({ exchanges, target: { cloud } }: Evidence) =>
  exchanges.some(one => {
    const { path } = one.request
    const isOfOther = (id = '') => !path.includes(id)
    const isElsewhere =
      isOfOther(cloud?.organizationId) || (/\/services\/[^/?]+\//.test(path) && isOfOther(cloud?.serviceId))
    return one.isProbe && one.as === 'key' && isElsewhere && isSuccess(one)
  })

const judgeElsewhere = judgeLists(
  form => elsewhereOf(form).flatMap(({ id, line }) => [line, wholeStep(id, form)]),
  elsewhereOf,
  ({ id, line }, find, evidence) => {
    const { form } = evidence
    const resource = resourceOf(id)
    const [here, there] = [find(wholeStep(id, form)), find(line)]
    const [own, others] = [here, there].map(one =>
      listIn(one, resource)
        ?.map(item => idOf(item, resource))
        .filter(isUnique),
    )
    if (!here || !there || !own || !others || mayBeShared(resource) || own.length === 0) return undefined
    const shared = others.find(one => own.some(other => sameId(one, other)))
    return shared === undefined
      ? held([here])
      : brokenBy({ path: '$', expected: 'no record of another place', got: shared }, here, there)
  },
)

export const checks = {
  'page/limit-is-kept': eachSuccess(
    form => linesOfPages(form, [pageLines.first, pageLines.next]),
    (exchange, { history: { contract } }) => {
      // A document may have lists without a limit that have one in the contract.
      const listing = findOperation(`${resourceIn(exchange)}.list`, contract)
      if (listing && !listing.query?.limit) return undefined
      const list = findList(exchange.json, resourceIn(exchange))
      const shown = isObject(exchange.json) ? exchange.json.limit : undefined
      const limit = Number(queryOf(exchange).get('limit'))
      if (!list) return undefined
      if (shown !== undefined && shown !== limit)
        return [{ path: '$.limit', expected: `${limit}, as it was asked for`, got: shown }]
      const hasPages = shown !== undefined || !isByCursor(resourceIn(exchange))
      if (!hasPages) return undefined
      return list.length <= limit ? [] : [{ path: '$', expected: `at most ${limit} records`, got: list.length }]
    },
  ),
  'page/cursor-leads-on': judgeLists(
    form => pagedLists(form).flatMap(id => [wholeOf(id, form), ...linesOfPages(form, Object.values(pageLines))]),
    pagedLists,
    judgePages,
  ),
  'page/unknown-cursor': observePage(unknownCursor, 'first page'),
  'page/limit-above-maximum': observePage(highLimit, 'capped'),
  'list/each-record-stands-once': everyExchange(exchange => {
    const { operation, json, isProbe } = exchange
    // Rules of members judge these.
    if (!operation || isProbe || operation === 'member.list' || !isSuccess(exchange)) return undefined
    if (exchange.request.method !== 'GET' || operations[operation]?.result.type !== 'array') return undefined
    const resource = resourceOf(operation)
    const ids = findList(json, resource)?.map(one => idOf(one, resource))
    // Records without an id stand once, too, unless they say what happened, which may happen again.
    const isOfRecords = ids?.includes(undefined) === false
    const keys = isOfRecords ? ids : findList(json, resource)?.map(one => JSON.stringify(one))
    if (!keys || (!isOfRecords && momentFieldOf(operation) !== undefined)) return undefined
    const at = keys.findIndex((key, index) => keys.indexOf(key) < index)
    return at < 0 ? [] : [{ path: `$.result[${at}]`, expected: 'a record that did not come before', got: keys[at] }]
  }, 'the list could not be recognised'),
  'list/unsteady-order': observeAll(exchanges => {
    const last = new Map<string, readonly string[]>()
    const unsteady = exchanges.flatMap(exchange => {
      const { operation, request, isProbe } = exchange
      if (!operation?.endsWith('.list') || isProbe || request.path.includes('?')) return []
      const resource = resourceOf(operation)
      const ids = listIn(exchange, resource)?.map(one => keyOf(one, resource))
      if (!ids) return []
      const place = `${exchange.as} ${request.path}`
      const known = last.get(place) ?? []
      last.set(place, ids)
      const [before, after] = [known.filter(id => ids.includes(id)), ids.filter(id => known.includes(id))]
      return before.join() === after.join() ? [] : [resource]
    })
    return unsteady.length === 0 ? 'none' : [...new Set(unsteady)].sort().join(', ')
  }),
  'list/filter-selects': judgeSelections('list/filter-selects'),
  'list/window-is-kept': judgeSelections('list/window-is-kept'),
  'notification/filter-holds': judgeSelections('notification/filter-holds'),
  'activity/dates-limit-the-list': judgeSelections('activity/dates-limit-the-list'),
  'postgresLog/window-is-kept': judgeSelections('postgresLog/window-is-kept'),
  'list/order-is-kept': judgeLists(
    form => ordersOf(form).map(({ line }) => line),
    ordersOf,
    ({ id, line, field }, find) => {
      const sorted = find(line)
      const values = listIn(sorted, resourceOf(id))?.map(one =>
        isDateTime(one[field]) ? momentOf(one[field]) : Number(one[field]),
      )
      if (!sorted || !values || values.length < 2) return undefined
      const at = values.findIndex((value, index) => value < values[index - 1]!)
      const path = `$.result[${at}].${field}`
      return at < 0
        ? held([sorted])
        : brokenBy({ path, expected: `at least ${values[at - 1]}`, got: values[at] }, sorted)
    },
  ),
  'isolation/lists-show-own-records': {
    ...judgeElsewhere,
    judge: evidence => {
      if (isAnsweredAnywhere(evidence)) return notJudged('a probe that should have been refused has already succeeded')
      const verdict = judgeElsewhere.judge(evidence)
      const own = everyExchange(
        one => (isSuccess(one) ? findForeign(one) : undefined),
        'no list shows the id of a record',
      )
      const named = own.judge(evidence)
      return (
        [verdict, named].find(({ outcome }) => outcome === 'broken') ?? (verdict.outcome === 'held' ? verdict : named)
      )
    },
  },
} as const satisfies Record<string, Check>
