import { type Field, type Form, type OperationId, operations } from '../../fixtures/built-contract/index.ts'
import { fieldsOf, resourceOf } from '../engine/contract.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import { operationsOf, pathTemplateOf, valuesIn } from '../engine/paths.ts'
import { because, type Reason } from '../engine/reasons.ts'
import { findList, idOf, isDateTime, isObject, type JsonObject, momentOf } from '../engine/recognise.ts'
import type { RunContext, Step } from '../engine/step.ts'
import { editionOf, newerListsBefore } from './edition.ts'
import { idForParameter, listedParentsOf, stepOfList } from './listed-id.ts'
import { lastDay } from './samples.ts'
import type { CallOptions, Run } from './visit.ts'

/** Reads lists in pages, and as filters, windows of time and orders select them, by the query fields of the contract. */

const isList = (id: OperationId) => operations[id].method === 'GET' && operations[id].result.type === 'array'
export const listsOf = (form: Form): readonly OperationId[] => operationsOf(form).filter(isList)

/** The query field that leads to the next page. */
export const positionOf = (id: OperationId) => {
  const { cursor, offset, limit } = operations[id]?.query ?? {}
  return cursor ? 'cursor' : offset && limit ? 'offset' : undefined
}

/** True for a list that requires a window of time. */
const isInWindow = (id: OperationId) => {
  const { from_date } = operations[id].query ?? {}
  return from_date !== undefined && !from_date.optional
}

/** What the whole list is asked for with. */
const baseQuery = (id: OperationId, context: RunContext): Readonly<Record<string, string>> =>
  isInWindow(id) ? { ...lastDay(context), limit: String(operations[id].page?.maxSize ?? 100) } : {}

const lineOf = (id: OperationId, form: Form, name: string) => `${form}:${resourceOf(id)}.list-${name}`

/** The step that reads all of a list. */
export const wholeStep = (id: OperationId, form: Form): string =>
  isInWindow(id) ? lineOf(id, form, 'all') : stepOfList(id, form)

export const nextCursorIn = (exchange: Exchange | undefined): string | undefined =>
  isObject(exchange?.json) && typeof exchange.json.nextCursor === 'string' ? exchange.json.nextCursor : undefined

export const keyOf = (item: JsonObject, resource: string): string => idOf(item, resource) ?? JSON.stringify(item)

/** The names of the lines of a list in pages, without the form and the resource. */
export const pageLines = { first: 'list-page', next: 'list-next-page', again: 'list-after-pages' } as const

/** The records of a whole list and of its two pages, and whether these are the same and as many as the first page counts. */
export function readPagesOf(
  resource: string,
  whole: Exchange | undefined,
  ...pages: readonly (Exchange | undefined)[]
) {
  const all = listIn(whole, resource)
  const [first] = pages
  const shown = pages.filter(isSuccess).flatMap(page => findList(page.json, resource) ?? [])
  if (!all || !isSuccess(first)) return undefined
  const keys = all.map(one => keyOf(one, resource))
  const shownKeys = shown.map(one => keyOf(one, resource))
  const { totalCount: count = all.length } = isObject(first.json) ? first.json : {}
  const areSame = JSON.stringify(all) === JSON.stringify(shown) && count === all.length
  return { all, shown, keys, shownKeys, count, areSame }
}

/** Adds a list in two pages, and again if these do not make the whole list, which may have changed meanwhile. */
export function addPages(
  run: Pick<Run, 'form' | 'add'>,
  id: OperationId,
  whole: string,
  make: (call: CallOptions & { readonly name: string }) => Step,
): void {
  const position = positionOf(id)
  if (!position) return
  const resource = resourceOf(id)
  const { form } = run
  const nameOf = (line: string) => `${form}:${resource}.${line}`
  const sizeOf = (context: RunContext) =>
    Math.max(1, Math.ceil((listIn(context.exchange(whole), resource)?.length ?? 0) / 2))
  const add = (line: string, why: string, from: string, query: CallOptions['query'], skipReason: Reason) =>
    run.add(
      make({
        name: line,
        why,
        from: [whole, from, ...newerListsBefore(form)],
        query: context => {
          const own = query!(context)
          return own && { ...baseQuery(id, context), ...own }
        },
        skipReason,
        notJudgedByOperation: true,
        unless: context =>
          form !== 'cloud' && editionOf(context, form) === '2.24' ? 'lists have no pages in this edition' : undefined,
      }),
    )
  const { first, next, again } = pageLines
  add(
    first,
    'asks for half of the list',
    whole,
    context => (isSuccess(context.exchange(whole)) ? { limit: String(sizeOf(context)) } : undefined),
    'the list could not be read',
  )
  add(
    next,
    'asks for the next page',
    nameOf(first),
    context => {
      const page = context.exchange(nameOf(first))
      const limit = sizeOf(context)
      const at = position === 'cursor' ? nextCursorIn(page) : String(limit)
      const isFull = isSuccess(page) && (findList(page.json, resource)?.length ?? 0) >= limit
      return isFull && at !== undefined ? { limit: String(limit), [position]: at } : undefined
    },
    'there is one page',
  )
  add(
    again,
    'lists all again, since the pages were not the whole list',
    nameOf(next),
    context => {
      const pages = [first, next].map(line => context.exchange(nameOf(line)))
      return readPagesOf(resource, context.exchange(whole), ...pages)?.areSame === false ? {} : undefined
    },
    'the pages make the whole list',
  )
}

export interface Selection {
  readonly id: OperationId
  readonly line: string
  readonly whole: string
  readonly query: (all: readonly JsonObject[]) => Readonly<Record<string, string>> | undefined
  /** True for a record that the query selects; undefined if the contract leaves it open. */
  readonly selects: (item: JsonObject, query: URLSearchParams) => boolean | undefined
}

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const fieldsIn = (id: OperationId) => fieldsOf(operations[id].result.resource)
/** A value that no record has. */
const nobodys = ({ values }: Field, known: ReadonlySet<string>) =>
  values ? values.find(one => !known.has(one)) : 'stack-parity nobodys'

/** The filters of a list: query fields that are named after a field of its records. */
function* filtersOf(id: OperationId, form: Form): Generator<Selection> {
  for (const [name, own] of Object.entries(operations[id].query ?? {})) {
    const [, part] = /^(.*)_contains$/.exec(name) ?? []
    const field = camel(part ?? name)
    if (fieldsIn(id)[field]?.type !== 'string' || !own.optional) continue
    const textOf = (item: JsonObject) => (typeof item[field] === 'string' ? item[field] : undefined)
    yield {
      id,
      line: lineOf(id, form, `of-${name.replaceAll('_', '-')}`),
      whole: wholeStep(id, form),
      query(all) {
        // The id of a service may select what belongs to it, too.
        const texts = all
          .filter(one => one.resourceType !== 'service' || name !== 'resource_id')
          .flatMap(one => textOf(one) ?? [])
        const counts = new Map(texts.map(text => [text, texts.filter(one => one === text).length]))
        const [rarest] = [...counts].sort(([, a], [, b]) => a - b)
        const value = rarest && rarest[1] < all.length ? rarest[0] : nobodys(own, new Set(texts))
        return value === undefined || value === '' ? undefined : { [name]: value }
      },
      selects(item, query) {
        const [text, value = ''] = [textOf(item), query.get(name) ?? '']
        return part ? text?.includes(value) === true : text === value
      },
    }
  }
}

/** The moment of a record that a window of time selects by. */
export const momentFieldOf = (id: OperationId): string | undefined =>
  Object.keys(fieldsIn(id)).find(name => fieldsIn(id)[name]!.format === 'date-time')

function* windowsOf(id: OperationId, form: Form): Generator<Selection> {
  const field = momentFieldOf(id)
  const { from_date, to_date } = operations[id].query ?? {}
  if (!from_date || !to_date || field === undefined) return
  yield {
    id,
    line: lineOf(id, form, 'of-window'),
    whole: wholeStep(id, form),
    query(all) {
      const moments = all.flatMap(one => (isDateTime(one[field]) ? [momentOf(one[field])] : []))
      const [first, second, ...others] = [...new Set(moments)].sort((a, b) => a - b)
      if (first === undefined) return undefined
      // Without a record to exclude at each end, the window ends before the first.
      const [from, to] = others.length > 1 ? [second!, others.at(-2)!] : [first - 86_400_000, first - 1000]
      return { from_date: new Date(from).toISOString(), to_date: new Date(to).toISOString() }
    },
    selects(item, query) {
      if (!isDateTime(item[field])) return undefined
      const [from, at, to] = [query.get('from_date')!, item[field], query.get('to_date')!].map(momentOf)
      return at === from || at === to ? undefined : from! < at! && at! < to!
    },
  }
}

export const selectionsOf = (form: Form): readonly Selection[] =>
  listsOf(form).flatMap(id => [...filtersOf(id, form), ...windowsOf(id, form)])

/** A list in another order than by default, with the field that decides it. */
export function ordersOf(form: Form) {
  return listsOf(form).flatMap(id => {
    const { sort_by, sort_order } = operations[id].query ?? {}
    if (!sort_order) return []
    const names = Object.keys(fieldsIn(id))
    const fieldNamed = (value: string) => names.find(name => name.startsWith(camel(value)))
    const by = sort_by?.values?.slice(1).find(value => fieldNamed(value) !== undefined)
    const field = by === undefined ? momentFieldOf(id) : fieldNamed(by)
    const query: Readonly<Record<string, string>> = { ...(by !== undefined && { sort_by: by }), sort_order: 'asc' }
    return field === undefined ? [] : [{ id, line: lineOf(id, form, 'in-order'), field, query }]
  })
}

/** Adds the lines of a form that read lists of what the run did not create. */
export function addLists(run: Run, hasOwnPages: (id: OperationId) => boolean): void {
  const { form } = run
  const call = (id: OperationId, line: string, why: string, more: CallOptions) =>
    run.call(id, { ...more, name: line.slice(form.length + 1), why, notJudgedByOperation: true })
  for (const id of listsOf(form).filter(isInWindow))
    call(id, wholeStep(id, form), 'lists all of a day', { query: context => baseQuery(id, context) })
  for (const id of listsOf(form))
    if (!hasOwnPages(id))
      addPages(run, id, wholeStep(id, form), more => {
        const name = `${resourceOf(id)}.${more.name}`
        return run.make(id, { ...more, name })
      })
  for (const id of listsOf(form)) {
    const resource = resourceOf(id)
    const get = `${resource}.get` as OperationId
    const [parent] = operations[get]?.query || !pathTemplateOf(get, form) ? [] : listedParentsOf(get, form).slice(-1)
    // What a run creates changes the usage of quotas between the list and the get.
    if (parent?.list !== id || resource === 'quota') continue
    const list = stepOfList(id, form)
    run.call(get, {
      name: `${resource}.get-listed`,
      why: 'gets the first of the list',
      from: [list],
      values: context => {
        const [first] = listIn(context.exchange(list), resource) ?? []
        const value = first && idForParameter(first, resource, parent.name)
        const place = valuesIn(pathTemplateOf(id, form)!, context.exchange(list)?.request.path ?? '')
        return value === undefined ? undefined : { ...place, [parent.name]: value }
      },
      skipReason: because('no {resource} is known', { resource }),
    })
  }
  for (const { id, line, whole, query } of selectionsOf(form))
    call(id, line, 'asks for a part of the list', {
      from: [whole],
      query: context => {
        const own = query(listIn(context.exchange(whole), resourceOf(id)) ?? [])
        return own && { ...baseQuery(id, context), ...own }
      },
      skipReason: 'the list has too few records',
    })
  for (const { id, line, query } of ordersOf(form))
    call(id, line, 'asks for another order', { query: context => ({ ...baseQuery(id, context), ...query }) })
}

/** The lists that are read in another place, too: another organization's, with its key, or another service's. */
export function elsewhereOf(form: Form) {
  return listsOf(form).flatMap(id => {
    const [last] = (pathTemplateOf(id, form) ?? '').match(/\{(?!segment)\w+\}/g)?.slice(-1) ?? []
    const isSecond = form === 'cloud' && last === '{organizationId}' && id !== 'member.list'
    return isSecond || last === '{serviceId}' ? [{ id, isSecond, line: lineOf(id, form, 'elsewhere') }] : []
  })
}

export function addElsewhere(run: Run): void {
  const services = stepOfList('service.list', 'cloud')
  for (const { id, isSecond, line } of elsewhereOf(run.form)) {
    const common = { name: line.slice(run.form.length + 1), notJudgedByOperation: true } as const
    if (isSecond)
      run.call(id, {
        ...common,
        why: 'lists what the second organization has',
        as: 'secondKey',
        values: ({ target }) => {
          const organizationId = target.cloud?.secondOrganizationId
          return organizationId === undefined ? undefined : { organizationId }
        },
        skipReason: 'the target file does not name a second organization with a key of its own',
      })
    else
      run.call(id, {
        ...common,
        why: 'lists what another service has',
        from: [services],
        values: context => {
          const other = listIn(context.exchange(services), 'service')?.find(
            one => idOf(one, 'service') !== context.target.cloud?.serviceId,
          )
          return other && { serviceId: idOf(other, 'service') }
        },
        skipReason: 'no list shows another service',
      })
  }
}
