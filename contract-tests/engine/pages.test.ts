import { describe, expect, it } from 'vitest'
import type { Exchange } from './exchange.ts'
import { isReadToEnd, listIn, readPages } from './pages.ts'

const base = 'https://api.example.test/gateway'
const exchange = (json: unknown, headers: Record<string, string> = {}, path = '/v1/alerts') =>
  ({ request: { method: 'GET', path }, response: { status: 200, headers, text: '' }, json }) as Exchange

/** The paths that are requested after a first page if no answer has a new item. */
async function requestedPathsAfter(json: unknown, headers?: Record<string, string>) {
  const requested: string[] = []
  const first = exchange(json, headers)
  const list = await readPages(first, 'alert', base, async path => {
    requested.push(path)
    return exchange(json, headers, path)
  })
  expect(list).toBe(first)
  return requested
}

const data = [{ id: 'a' }, { id: 'b' }]

describe('the next page of a list', () => {
  it.each<[object, string[]]>([
    [{ next: 'https://api.example.test/gateway/v1/alerts?p=2' }, ['/v1/alerts?p=2']],
    [{ next: '/gateway/v1/alerts?p=2' }, ['/v1/alerts?p=2']],
    [{ next: '?p=2' }, ['/v1/alerts?p=2']],
    [{ '@odata.nextLink': 'alerts?$skip=2' }, ['/v1/alerts?$skip=2']],
    [{ links: { next: '/gateway/v1/alerts/page/2' } }, ['/v1/alerts/page/2']],
    [{ _links: { next: { href: '?p=2' } } }, ['/v1/alerts?p=2']],
    [{ nextCursor: 'a b' }, ['cursor', 'nextCursor', 'after'].map(name => `/v1/alerts?${name}=a+b`)],
    [{ meta: { next_cursor: 'c' } }, ['cursor', 'next_cursor', 'after'].map(name => `/v1/alerts?${name}=c`)],
    [{ pagination: { nextPage: 2 } }, ['/v1/alerts?page=2', '/v1/alerts?nextPage=2']],
    [{ page: 1, totalPages: 2 }, ['/v1/alerts?page=2', '/v1/alerts?pageNumber=2']],
    [{ page: 0, totalPages: 2 }, ['/v1/alerts?page=1', '/v1/alerts?pageNumber=1']],
    [{ total: 3 }, ['offset=2', 'page=2', 'skip=2', 'starting_after=b'].map(query => `/v1/alerts?${query}`)],
    [{ pageInfo: { hasNextPage: true, endCursor: 'e' } }, ['/v1/alerts?after=e', '/v1/alerts?cursor=e']],
  ])('is found by the fields %j at %j', async (beside, paths) => {
    expect(await requestedPathsAfter({ data, ...beside })).toEqual(paths)
    expect(isReadToEnd(exchange({ data, ...beside }), 'alert')).toBe(false)
  })

  it.each<[Record<string, string>, string[]]>([
    [{ link: '<?p=1>; rel="prev", <?p=2>; rel="next"' }, ['/v1/alerts?p=2']],
    [{ link: '<?p=2>; title="x"; rel=next' }, ['/v1/alerts?p=2']],
    [{ 'x-next-page': '2' }, ['/v1/alerts?page=2']],
    [
      { 'x-total-count': '3' },
      ['offset=2', 'page=2', 'skip=2', 'starting_after=b'].map(query => `/v1/alerts?${query}`),
    ],
    [
      { 'content-range': 'items 0-1/3' },
      ['offset=2', 'page=2', 'skip=2', 'starting_after=b'].map(query => `/v1/alerts?${query}`),
    ],
  ])('is found by the headers %j at %j', async (headers, paths) => {
    expect(await requestedPathsAfter({ data }, headers)).toEqual(paths)
    expect(isReadToEnd(exchange({ data }, headers), 'alert')).toBe(false)
  })

  it.each([
    'https://elsewhere.example.test/gateway/v1/alerts?p=2',
    'http://api.example.test/gateway/v1/alerts?p=2',
    'https://api.example.test/other/v1/alerts?p=2',
    '//elsewhere.example.test/gateway/v1/alerts',
    'http://[',
  ])('is not requested from %s, and the list is not read to its end', async next => {
    expect(await requestedPathsAfter({ data, nextLink: next })).toEqual([])
    expect(isReadToEnd(exchange({ data, nextLink: next }), 'alert')).toBe(false)
  })

  it.each([
    {},
    { next: null },
    { nextCursor: '' },
    { nextPage: 0 },
    { hasMore: false },
    { hasMore: 'true' },
    { total: 2 },
    { total: '3' },
    { page: 2, totalPages: 1 },
    { links: { prev: '?p=1', last: '?p=1' } },
    { meta: null },
  ])('does not exist with the fields %j', async beside => {
    expect(await requestedPathsAfter({ data, ...beside })).toEqual([])
    expect(isReadToEnd(exchange({ data, ...beside }), 'alert')).toBe(true)
  })

  it('is not taken from a cursor inside an item', () => {
    expect(isReadToEnd(exchange({ data: [{ id: 'a', next: 'b', cursor: 'c', total: 9 }] }), 'alert')).toBe(true)
  })
})

describe('the pages of a list', () => {
  /** Reads numbered pages of one item each from a server that knows this query parameter. */
  const readNumberedPages = (count: number, parameter: string) =>
    readPages(exchange({ data: [{ id: 0 }], next: '1' }), 'alert', base, async path => {
      const page = Number(new URLSearchParams(path.split('?')[1]).get(parameter) ?? 0)
      return exchange({ data: [{ id: page }], next: page + 1 < count ? String(page + 1) : null }, {}, path)
    })

  it('are read in order, with the query parameter that leads to new items', async () => {
    const list = await readNumberedPages(4, 'next')
    expect(listIn(list, 'alert')).toEqual([0, 1, 2, 3].map(id => ({ id })))
    expect(isReadToEnd(list, 'alert')).toBe(true)
  })

  it('are read up to the twentieth', async () => {
    const list = await readNumberedPages(1000, 'cursor')
    expect(listIn(list, 'alert')).toHaveLength(20)
    expect(isReadToEnd(list, 'alert')).toBe(false)
  })

  it('end when the run may send no more requests', async () => {
    const first = exchange({ data, nextCursor: 'c' })
    const list = await readPages(first, 'alert', base, async () => undefined)
    expect([listIn(list, 'alert'), isReadToEnd(list, 'alert')]).toEqual([data, false])
  })

  it('are complete after an empty page', async () => {
    const list = await readPages(exchange({ data, nextCursor: 'c' }), 'alert', base, async path =>
      exchange({ data: [] }, {}, path),
    )
    expect([listIn(list, 'alert'), isReadToEnd(list, 'alert')]).toEqual([data, true])
  })
})
