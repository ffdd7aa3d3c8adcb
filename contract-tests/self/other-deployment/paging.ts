/** Lists in pages of two items, in each usual way of paging. */

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
  'hasMore only',
] as const
export type Paging = (typeof pagings)[number]

interface PageRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly origin: string
}

export interface Page {
  readonly items: readonly unknown[]
  /** The fields beside the items. */
  readonly beside: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
}

/** The index of the first item on the requested page. */
const startOf: Readonly<Record<Paging, (query: URLSearchParams, ids: readonly unknown[]) => number>> = {
  Link: query => Number(query.get('from') ?? 0),
  totalPages: query => (Number(query.get('page') ?? 1) - 1) * size,
  'zero-based pages': query => Number(query.get('page') ?? 0) * size,
  // An unknown cursor leads to the first page.
  nextCursor: query => Number(/^cursor-(\d+)$/.exec(query.get('cursor') ?? '')?.[1] ?? 0),
  nextPageToken: query => Number(query.get('pageToken') ?? 0),
  next: query => Number(query.get('cursor') ?? 0),
  links: query => Number(query.get('from') ?? 0),
  '@odata.nextLink': query => Number(query.get('$skip') ?? 0),
  total: query => Number(query.get('offset') ?? 0),
  hasMore: (query, ids) => ids.indexOf(query.get('starting_after')) + 1,
  // Says that there is more, but ignores every query.
  'hasMore only': () => 0,
}

export function pageOf(
  paging: Paging,
  list: readonly unknown[],
  ids: readonly unknown[],
  { path, query, origin }: PageRequest,
): Page {
  const start = startOf[paging](query, ids)
  const items = list.slice(start, start + size)
  const end = start + size
  const hasMore = end < list.length
  const next = `${path}?from=${end}`
  const page = { items, beside: {}, headers: {} }
  switch (paging) {
    case 'Link':
      return { ...page, headers: hasMore ? { Link: `<${path}?from=0>; rel="first", <${next}>; rel="next"` } : {} }
    case 'totalPages':
      return { ...page, beside: { page: start / size + 1, totalPages: Math.ceil(list.length / size) } }
    case 'zero-based pages':
      return {
        ...page,
        beside: { page: { number: start / size, totalPages: Math.ceil(list.length / size) } },
      }
    case 'nextCursor':
      return { ...page, beside: { nextCursor: hasMore ? `cursor-${end}` : null } }
    case 'nextPageToken':
      return { ...page, beside: { nextPageToken: hasMore ? String(end) : '' } }
    case 'next':
      return { ...page, beside: { pagination: { next: hasMore ? String(end) : null } } }
    case 'links':
      return { ...page, beside: { links: hasMore ? { next: { href: next } } : {} } }
    case '@odata.nextLink':
      return { ...page, beside: hasMore ? { '@odata.nextLink': `${origin}${path}?$skip=${end}` } : {} }
    case 'total':
      return { ...page, beside: { total: list.length } }
    case 'hasMore':
    case 'hasMore only':
      return { ...page, beside: { hasMore } }
  }
}
