/** Lists that come two items at a time, in each of the ways in use. */

const size = 2

export const pagings = [
  'Link',
  'totalPages',
  'zero-based pages',
  'nextCursor',
  'nextPageToken',
  'next',
  'links',
  '@odata.nextLink',
  'total',
  'hasMore',
  'nothing more is said than that there is more',
] as const
export type Paging = (typeof pagings)[number]

interface PageRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly origin: string
}

export interface Page {
  readonly items: readonly unknown[]
  /** What stands beside the items. */
  readonly beside: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
}

/** Where a page begins: at a number of items, in the words of the paging. */
const starts: Readonly<Record<Paging, (query: URLSearchParams, ids: readonly unknown[]) => number>> = {
  Link: query => Number(query.get('from') ?? 0),
  totalPages: query => (Number(query.get('page') ?? 1) - 1) * size,
  'zero-based pages': query => Number(query.get('page') ?? 0) * size,
  // A cursor that no answer had leads to the first page.
  nextCursor: query => Number(/^cursor-(\d+)$/.exec(query.get('cursor') ?? '')?.[1] ?? 0),
  nextPageToken: query => Number(query.get('pageToken') ?? 0),
  next: query => Number(query.get('cursor') ?? 0),
  links: query => Number(query.get('from') ?? 0),
  '@odata.nextLink': query => Number(query.get('$skip') ?? 0),
  total: query => Number(query.get('offset') ?? 0),
  hasMore: (query, ids) => ids.indexOf(query.get('starting_after')) + 1,
  'nothing more is said than that there is more': () => 0,
}

export function pageOf(
  paging: Paging,
  list: readonly unknown[],
  ids: readonly unknown[],
  { path, query, origin }: PageRequest,
): Page {
  const start = starts[paging](query, ids)
  const items = list.slice(start, start + size)
  const end = start + size
  const more = end < list.length
  const next = `${path}?from=${end}`
  const page = { items, beside: {}, headers: {} }
  switch (paging) {
    case 'Link':
      return { ...page, headers: more ? { Link: `<${path}?from=0>; rel="first", <${next}>; rel="next"` } : {} }
    case 'totalPages':
      return { ...page, beside: { page: start / size + 1, totalPages: Math.ceil(list.length / size) } }
    case 'zero-based pages':
      return { ...page, beside: { page: { number: start / size, totalPages: Math.ceil(list.length / size) } } }
    case 'nextCursor':
      return { ...page, beside: { nextCursor: more ? `cursor-${end}` : null } }
    case 'nextPageToken':
      return { ...page, beside: { nextPageToken: more ? String(end) : '' } }
    case 'next':
      return { ...page, beside: { pagination: { next: more ? String(end) : null } } }
    case 'links':
      return { ...page, beside: { links: more ? { next: { href: next } } : {} } }
    case '@odata.nextLink':
      return { ...page, beside: more ? { '@odata.nextLink': `${origin}${path}?$skip=${end}` } : {} }
    case 'total':
      return { ...page, beside: { total: list.length } }
    case 'hasMore':
      return { ...page, beside: { hasMore: more } }
    default:
      return { ...page, beside: { hasMore: list.length > size } }
  }
}
