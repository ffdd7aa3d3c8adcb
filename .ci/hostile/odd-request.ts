import fc from 'fast-check'
import { oddBody, oddChart } from './odd-values.ts'
import type { Listener, SampleRequest } from './sample-requests.ts'

/** A request with some unusual parts. */
export interface OddRequest {
  readonly listener: Listener
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const long = (size: number) => 'x'.repeat(size)

const oddMethod = fc.constantFrom(
  ...'HEAD OPTIONS PATCH POST PUT DELETE TRACE PROPFIND M-SEARCH QUERY PURGE'.split(' '),
)

const oddSegment = fc.oneof(
  fc.constantFrom(
    ...'%ZZ % %00 %ff %F0%9F%92%A9 %2e%2e .. . * __proto__ constructor toString abcdefghijkl ; : @ ~'.split(' '),
  ),
  fc.constantFrom('', long(12), long(5000), '%41'.repeat(3000), 'charts', 'webhooks', 'validate', 'series'),
  fc.uuid(),
  fc.webSegment(),
)

const oddQuery = fc.oneof(
  fc.webQueryParameters(),
  fc.constantFrom('limit=-1', 'limit=1e9&offset=x', 'limit=1&limit=2', '%ZZ', '__proto__=1', '?', `a=${long(9000)}`),
)

const oddAuthorization = fc.oneof(
  fc.constantFrom('', 'Basic', 'Basic =', 'Basic !!!', 'Basic gIGC', 'Bearer', 'Bearer ', 'Bearer Bearer ', 'Digest x'),
  fc.constantFrom(`Basic ${long(40_000)}`, `Bearer ${long(40_000)}`, '\u00ff\u0080', `Basic ${btoa(':'.repeat(99))}`),
  fc.tuple(fc.uuid(), fc.uuid()).map(([id, secret]) => `Basic ${btoa(`${id}:${secret}`)}`),
)

const oddHeaders = fc.record(
  {
    authorization: oddAuthorization,
    'content-type': fc.constantFrom(
      ...['', 'application/json; charset=utf-16', 'application/json;charset="UTF8', 'text/plain', 'text/html', ';;;'],
      ...[
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'APPLICATION/JSON',
        'application/json, text/plain',
      ],
    ),
    'content-encoding': fc.constantFrom('identity', 'gzip, gzip', 'zstd', 'compress', 'x-gzip,', ' BR'),
    'if-none-match': fc.constantFrom('*', 'W/"x"', ',,,', long(3000)),
    accept: fc.constantFrom('text/xml', '*/*;q=0', long(3000)),
    'access-control-request-headers': fc.constantFrom('x-a, x-b', '\u00e9', '<script>', long(3000)),
    'accept-encoding': fc.constantFrom('br', 'gzip;q=0, *;q=0'),
    range: fc.constant('bytes=0-0'),
    origin: fc.constantFrom('http://evil.test', 'null'),
    'x-http-method-override': fc.constant('DELETE'),
  },
  { requiredKeys: [] },
)

/** A valid request in which some parts, most often the body, are replaced by unusual ones. */
export function oddRequest(samples: readonly SampleRequest[]): fc.Arbitrary<OddRequest> {
  const often = <T>(usual: T, odd: fc.Arbitrary<T>, weight = 8) =>
    fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: odd })
  return fc.constantFrom(...samples).chain(({ listener, method, path, authorization, body, query = '' }) =>
    fc
      .record({
        method: often(method, oddMethod),
        path: often(path, oddPath(path), 6),
        query: often(query, fc.oneof(oddQuery, nearQuery(query))),
        odd: often({}, oddHeaders, 3),
        body: isChart(body) ? fc.oneof(oddBody(body), oddChart(body, body.series[0]!)) : oddBody(body),
      })
      .map(({ odd, ...request }) => ({
        listener,
        ...request,
        headers: { ...(authorization && { authorization }), 'content-type': 'application/json', ...odd },
      })),
  )
}

const isChart = (body: unknown): body is { readonly series: readonly object[] } =>
  typeof body === 'object' && body !== null && 'series' in body

/** Words that are nearly right: a letter more, less or other, another case or number, or the name of another thing. */
function nearWord(word: string): fc.Arbitrary<string> {
  const at = fc.nat({ max: Math.max(0, word.length - 1) })
  return fc.oneof(
    at.map(at => word.slice(0, at) + word.slice(at + 1)),
    fc
      .tuple(at, fc.constantFrom('s', 'x', '-', '0', ' '))
      .map(([at, letter]) => word.slice(0, at) + letter + word.slice(at)),
    fc.tuple(at, fc.constantFrom('a', '1', '_')).map(([at, letter]) => word.slice(0, at) + letter + word.slice(at + 1)),
    fc.constantFrom(`${word}s`, word.replace(/s$/, ''), word.toUpperCase(), `${word}/`, encodeURIComponent(`${word} `)),
    fc.constantFrom(
      ...'members services backups organization dashboards keys stub-1 world-1 self-hosted log'.split(' '),
    ),
    fc.constantFrom('__proto__', 'constructor', 'hasOwnProperty', 'toString', 'UNKNOWN', 'undefined', 'null', '0'),
  )
}

function nearQuery(query: string): fc.Arbitrary<string> {
  const [name = '', value = ''] = query.split('=')
  return fc.oneof(
    nearWord(value).map(near => `${name}=${near}`),
    nearWord(name).map(near => `${near}=${value}`),
    fc.constantFrom(`${name}=`, `${name}=${value}&${name}=${value}`, `${name}=-1`, `${name}=1e9`, `${name}=%00`),
  )
}

function oddPath(path: string): fc.Arbitrary<string> {
  const segments = path.split('/')
  return fc.oneof(
    fc
      .nat({ max: segments.length - 1 })
      .chain(at => nearWord(segments[at]!).map(near => segments.with(at, near).join('/') || '/')),
    fc
      .tuple(fc.nat({ max: segments.length - 1 }), oddSegment)
      .map(([at, odd]) => segments.with(at, odd).join('/') || '/'),
    oddSegment.map(odd => `${path}/${odd}`),
    fc.constantFrom(
      `${path}/`,
      `${path}//`,
      `/${path}`,
      path.toUpperCase(),
      '/',
      '//',
      '/..',
      '/%2e%2e/%2e%2e/etc/passwd',
    ),
  )
}
