import { type Exchange, isSuccess } from './exchange.ts'
import { findList, idOf, isObject, type JsonObject } from './recognise.ts'

/**
 * Paging of lists. The specification does not describe it, so the usual ways are recognised: a link in a header or in
 * the body, a cursor or token, page numbers, a total, a flag. A list that was not read to its end does not prove that
 * an object is absent.
 */

/** A request that may get the next page; `by` is its query parameter, or `link`. */
interface Candidate {
  readonly by: string
  readonly path: string
}

/** The maximum number of pages read of a list, including the first. */
const MAX_PAGES = 20
/** The maximum number of requests tried for one page where the answer does not say how to request it. */
const MAX_TRIES = 4
/** Levels of objects below the body that are searched for paging fields. */
const MAX_DEPTH = 3

/** The items of all pages that were read; undefined for an answer without a list. */
export function listIn(exchange: Exchange | undefined, resource: string): readonly JsonObject[] | undefined {
  if (!isSuccess(exchange)) return undefined
  const first = findList(exchange.json, resource)
  return first && [...first, ...(exchange.pages ?? []).flatMap(page => findList(page.json, resource) ?? [])]
}

/** True when the list was read to its end. */
export function isReadToEnd(exchange: Exchange, resource: string): boolean {
  const list = listIn(exchange, resource)
  const last = exchange.pages?.at(-1) ?? exchange
  // Without a base address a link gives no candidates, but still shows that a page follows.
  return (
    list !== undefined && nextPageCandidates(last, '', list, 1 + (exchange.pages?.length ?? 0), resource) === undefined
  )
}

/** A list of this length may be a first page, although nothing says so. */
const pageLengths = [10, 20, 25, 30, 50, 100, 200, 250, 500, 1000]

/** The items of a list that was read to its end and does not look like a page: only this proves an absence. */
export function completeListIn(exchange: Exchange | undefined, resource: string): readonly JsonObject[] | undefined {
  const list = listIn(exchange, resource)
  return list && isReadToEnd(exchange!, resource) && !pageLengths.includes(list.length) ? list : undefined
}

/**
 * Reads the further pages, as long as they bring new items; an empty page without a next one ends the list. `get` returns
 * undefined when it may send no more.
 */
export async function readPages(
  first: Exchange,
  resource: string,
  baseUrl: string,
  get: (path: string, number: number) => Promise<Exchange | undefined>,
): Promise<Exchange> {
  const asking = askForPages(first, resource, baseUrl)
  let asked = asking.next()
  while (!asked.done) asked = asking.next(await get(asked.value.path, asked.value.number))
  return asked.value
}

/** True for a request for a whole list, or for pages of which the last is not full. */
export function asksForWhole(exchange: Exchange, resource: string): boolean {
  const [, query] = exchange.request.path.split('?')
  const [size, ...more] = new URLSearchParams(query)
  if (query === undefined || !size || more.length > 0) return query === undefined
  const items = findList((exchange.pages?.at(-1) ?? exchange).json, resource) ?? []
  return /^(?:limit|page_?size|per_?page)$/i.test(size[0]) && items.length < Number(size[1])
}

/** Gives a recorded page the further pages that its client requested after it, so that it lasts until the end of the last. */
export function joinPages(first: Exchange, recorded: readonly Exchange[]): Exchange {
  const resource = first.operation?.replace(/\.list$/, '') ?? ''
  if (first.operation !== `${resource}.list` || !isSuccess(first) || first.sentAt === undefined) return first
  const placeOf = ({ operation, origin, request }: Exchange) =>
    [operation, origin, request.path.replace(/\?.*/s, '')].join(' ')
  let later: readonly Exchange[] | undefined
  const queryOf = (path: string) => [...new URLSearchParams(path.split('?')[1])].sort().join('&')
  const asking = askForPages(first, resource, first.origin ?? '')
  let asked = asking.next()
  while (!asked.done) {
    const query = queryOf(asked.value.path)
    later ??= recorded.filter(one => one.sentAt! >= first.sentAt! + first.ms && placeOf(one) === placeOf(first))
    asked = asking.next(later.find(({ request }) => queryOf(request.path) === query))
  }
  const last = asked.value.pages?.at(-1)
  return last ? { ...asked.value, ms: last.sentAt! + last.ms - first.sentAt } : first
}

/** Yields the path of each request that may get the next page, and takes its answer; returns the list with its pages. */
function* askForPages(
  first: Exchange,
  resource: string,
  baseUrl: string,
): Generator<{ readonly path: string; readonly number: number }, Exchange, Exchange | undefined> {
  const pages: Exchange[] = []
  let known = [...(listIn(first, resource) ?? [])]
  if (known.length === 0) return first
  let lastUsedBy: string | undefined
  while (pages.length < MAX_PAGES - 1) {
    const last = pages.at(-1) ?? first
    const candidates = nextPageCandidates(last, baseUrl, known, 1 + pages.length, resource) ?? []
    const ordered = [...candidates].sort((a, b) => Number(b.by === lastUsedBy) - Number(a.by === lastUsedBy))
    let found: Exchange | undefined
    for (const { by, path } of ordered.slice(0, MAX_TRIES)) {
      const page = yield { path, number: pages.length + 2 }
      const items = listIn(page, resource)
      if (!page || !items) continue
      const keys = new Set(known.map(item => keyOf(item, resource)))
      const isNew = items.some(item => !keys.has(keyOf(item, resource)))
      const isEmptyEnd = items.length === 0 && !nextPageCandidates(page, baseUrl, known, pages.length + 2, resource)
      if (!isNew && !isEmptyEnd) continue
      found = page
      lastUsedBy = by
      known = [...known, ...items]
      break
    }
    if (!found) break
    pages.push(found)
  }
  return pages.length > 0 ? { ...first, pages } : first
}

const keyOf = (item: JsonObject, resource: string) => idOf(item, resource) ?? JSON.stringify(item)

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
const inBothSpellings = (...names: string[]) => names.flatMap(name => [...new Set([name, toSnakeCase(name)])])

const linkFields = ['@odata.nextLink', 'odata.nextLink', ...inBothSpellings('nextLink', 'nextPageUrl', 'nextUrl')]

/** Fields with a cursor, and the query parameters that may take it, the most usual first; also in snake case. */
const cursorFields = Object.entries({
  nextCursor: ['cursor', 'nextCursor', 'after'],
  nextPageToken: ['pageToken', 'nextPageToken'],
  nextToken: ['nextToken', 'token'],
  continuationToken: ['continuationToken', 'continuation'],
  nextPage: ['page', 'nextPage'],
  nextOffset: ['offset', 'skip'],
  next: ['cursor', 'next', 'page', 'after'],
  cursor: ['cursor', 'after'],
}).flatMap(([name, parameters]) =>
  inBothSpellings(name).map(field => [field, field === name ? parameters : parameters.map(toSnakeCase)] as const),
)
const pageNumberFields = inBothSpellings('page', 'currentPage', 'pageNumber', 'number')
const pageCountFields = inBothSpellings('totalPages', 'pageCount', 'pages', 'lastPage')
const itemCountFields = [...inBothSpellings('total', 'totalCount', 'totalItems', 'totalResults'), '@odata.count']
const moreFlags = inBothSpellings('hasMore', 'hasNext', 'hasNextPage')

/**
 * The requests that may get the page after `exchange`: undefined at the end of the list, empty when a page follows but
 * none of its addresses may be requested. `known` are the items of the first `pagesRead` pages.
 */
function nextPageCandidates(
  { json, request, response }: Exchange,
  baseUrl: string,
  known: readonly JsonObject[],
  pagesRead: number,
  resource: string,
): readonly Candidate[] | undefined {
  const holders = holdersOf(json)
  const link = nextInLinkHeader(response.headers.link) ?? textOf(holders, linkFields) ?? nextInBody(holders)
  if (link !== undefined) return candidatesFromLink(link, baseUrl, request.path)
  const candidatesFor = (values: Readonly<Record<string, string | number | undefined>>): Candidate[] =>
    Object.entries(values).flatMap(([by, value]) =>
      value === undefined ? [] : [{ by, path: withQuery(request.path, by, String(value)) }],
    )
  for (const [field, parameters] of cursorFields) {
    const value = find(holders, [field], isCursor)
    // A numeric `cursor` may be the position of this page.
    if (value === undefined || (field === 'cursor' && typeof value === 'number')) continue
    return candidatesFor(Object.fromEntries(parameters.map(parameter => [parameter, value as string])))
  }
  const numberInHeader = response.headers['x-next-page']
  if (numberInHeader) return candidatesFor({ page: numberInHeader })
  const totalPages = numberOf(holders, pageCountFields)
  const current = numberOf(holders, pageNumberFields)
  // A current page below the number of pages read means that pages count from 0.
  const isFromZero = current !== undefined && current < pagesRead
  const page = isFromZero ? pagesRead : pagesRead + 1
  if (totalPages !== undefined && pagesRead < totalPages) return candidatesFor({ page, pageNumber: page })
  const total = numberOf(holders, itemCountFields) ?? countIn(response.headers)
  const hasMore = find(holders, moreFlags, value => value === true) !== undefined
  if (!hasMore && (total ?? 0) <= known.length) return undefined
  const lastId = idOf(known.at(-1), resource)
  const endCursor = textOf(holders, ['endCursor', 'end_cursor'])
  if (endCursor !== undefined) return candidatesFor({ after: endCursor, cursor: endCursor })
  // The most usual first.
  return candidatesFor({ offset: known.length, page, skip: known.length, starting_after: lastId })
}

/** The body and the objects inside it, but none inside arrays. */
function holdersOf(json: unknown): readonly JsonObject[] {
  const holders: JsonObject[] = []
  const collect = (value: unknown, depth: number) => {
    if (!isObject(value)) return
    holders.push(value)
    if (depth > 0) for (const part of Object.values(value)) collect(part, depth - 1)
  }
  collect(json, MAX_DEPTH)
  return holders
}

const isCursor = (value: unknown) =>
  (typeof value === 'string' && value !== '') || (typeof value === 'number' && value > 0)

/** The first value that fits, of the first field that has one. */
function find(holders: readonly JsonObject[], fields: readonly string[], fits: (value: unknown) => boolean): unknown {
  for (const field of fields) for (const holder of holders) if (fits(holder[field])) return holder[field]
  return undefined
}

const textOf = (holders: readonly JsonObject[], fields: readonly string[]) =>
  find(holders, fields, value => typeof value === 'string' && value !== '') as string | undefined

const numberOf = (holders: readonly JsonObject[], fields: readonly string[]) =>
  find(holders, fields, Number.isFinite) as number | undefined

/** The address in `next`, or in the `href` of an object `next`. Any other text in `next` is a cursor. */
function nextInBody(holders: readonly JsonObject[]): string | undefined {
  for (const { next } of holders) {
    const value = isObject(next) ? next.href : next
    if (typeof value === 'string' && (isObject(next) || /^(?:https?:\/\/|\/|\?)/.test(value))) return value
  }
  return undefined
}

/** The address of `rel="next"` in a Link header (RFC 8288). */
function nextInLinkHeader(header = ''): string | undefined {
  for (const [, address, parameters = ''] of header.matchAll(/<([^>]*)>([^<]*)/g))
    if (/;\s*rel\s*=\s*(?:"[^"]*\bnext\b[^"]*"|next\b)/i.test(parameters)) return address
  return undefined
}

function countIn(headers: Readonly<Record<string, string>>): number | undefined {
  const text = headers['x-total-count'] ?? /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1]
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
}

/** The path of a link below the base address. No other link is followed, since the request carries credentials. */
function candidatesFromLink(link: string, baseUrl: string, path: string): readonly Candidate[] {
  const base = baseUrl.replace(/\/+$/, '')
  if (!URL.canParse(base + path) || !URL.canParse(link, base + path)) return []
  const url = new URL(link, base + path)
  const { origin, pathname } = new URL(base)
  const prefix = pathname.replace(/\/+$/, '')
  if (url.origin !== origin || !url.pathname.startsWith(`${prefix}/`)) return []
  return [{ by: 'link', path: url.pathname.slice(prefix.length) + url.search }]
}

function withQuery(path: string, name: string, value: string): string {
  const [plain = '', query = ''] = path.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set(name, value)
  return `${plain}?${parameters}`
}
