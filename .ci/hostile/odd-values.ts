import fc from 'fast-check'

/** Words of both filter languages, SQL and Lucene. Sequences of them are nearly valid filters. */
const filterWords =
  `( ) [ ] { } " ' : * ? ! - + , . % _ = != > <= ^ ~ \\ / || && AND OR NOT IN LIKE BETWEEN IS NULL TO level Body error
  ServiceName Duration LogAttributes 250 -1 1e400 x 'a' ['k'] match( lower( toInt64( http:// €`.split(/\s+/)

/** Filters, most of them nearly valid. On some, a backtracking parser would run for ever. */
export const oddFilter = fc.oneof(
  fc.array(fc.constantFrom(...filterWords, ' '), { maxLength: 40 }).map(words => words.join(' ')),
  fc.array(fc.constantFrom(...filterWords), { maxLength: 40 }).map(words => words.join('')),
  fc.constantFrom(
    '('.repeat(50_000),
    `${'('.repeat(150)}a${')'.repeat(150)}`,
    `${'NOT '.repeat(5000)}x`,
    'a OR '.repeat(5000),
    `Body:"${'\\'.repeat(9999)}`,
    `Body:${'*a'.repeat(5000)}`,
    `Body LIKE '${'%a'.repeat(3000)}'`,
    "match(Body, '^(\\\\w+\\\\s?)*$')",
    "match(Body, '(a|a)*b(.*.*.*.*.*)*x')",
    "match(Body, '((((.{1,500}){1,500}){1,500}){1,500})')",
    'LogAttributes.'.repeat(2000),
    'x'.repeat(1_000_000),
  ),
)

/** Texts to put where a JSON value is expected; not all are valid JSON. */
export const oddJsonValue: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 4, arbitrary: oddFilter.map(filter => JSON.stringify(filter)) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary' }).map(text => JSON.stringify(text)) },
  { weight: 2, arbitrary: fc.double().map(number => JSON.stringify(number)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...'null true -0 1e400 -1e400 1E-400 01 1. NaN undefined [] {} "" [[]]'.split(' ')),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '12345678901234567890',
      '9223372036854775807',
      '"\\ud800"',
      '"\\u0000"',
      '"\u2028"',
      '"\\x"',
      "'x'",
      '{"__proto__":{"polluted":1}}',
      '{"constructor":{"prototype":{"polluted":1}}}',
      '{"toString":1,"hasOwnProperty":2,"valueOf":3,"length":1e9}',
      // Ends the value early, and begins others.
      '1,"name":2,"tiles":3',
      '1}],"x":[{"a":1',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '['.repeat(100_000),
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
      `${'["\\u0061",'.repeat(50_000)}1${']'.repeat(50_000)}`,
      `[${'0,'.repeat(50_000)}0]`,
      `[${'{},'.repeat(20_000)}{}]`,
      `"${'y'.repeat(200_000)}"`,
      `"${'€'.repeat(50_000)}"`,
    ),
  },
)

/** A valid chart query with unusual expressions, because most of the query code runs only for valid bodies. */
export function oddChart(chart: object, series: object): fc.Arbitrary<string> {
  const oddSeries = fc.record(
    {
      where: oddFilter,
      whereLanguage: fc.constantFrom('sql', 'lucene'),
      field: fc.oneof(oddFilter, fc.constantFrom('Body', 'Duration', 'Timestamp', 'LogAttributes')),
      groupBy: fc.array(fc.oneof(oddFilter, fc.constantFrom('Body', 'Timestamp', 'LogAttributes')), { maxLength: 3 }),
      aggFn: fc.constantFrom('count', 'count_distinct', 'any', 'sum', 'quantile', 'last_value', 'none'),
      level: fc.constantFrom(0, 0.5, 1),
    },
    { requiredKeys: [] },
  )
  const times = fc.record(
    {
      startTime: fc.constantFrom(1e12, 9_223_372_036_854, 8.64e15, 1e21),
      endTime: fc.constantFrom(1e12, 9_223_372_036_854, 8.64e15, 1.7e308),
      granularity: fc.constantFrom('30s', '30d', 'auto'),
      seriesReturnType: fc.constantFrom('ratio', 'column'),
    },
    { requiredKeys: [] },
  )
  return fc
    .tuple(oddSeries, times)
    .map(([oddSeries, times]) => JSON.stringify({ ...chart, ...times, series: [{ ...series, ...oddSeries }] }))
}

/** Bodies: a valid one as it is, with one odd value, cut off, or before other text; or any odd value. */
export function oddBody(body: unknown): fc.Arbitrary<string> {
  const valid = body === undefined ? '' : JSON.stringify(body)
  const paths = [...pathsIn(body)]
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(valid) },
    {
      weight: 8,
      arbitrary: fc.tuple(fc.nat(), oddJsonValue).map(([at, odd]) => replaceAt(body, paths[at % paths.length]!, odd)),
    },
    { weight: 1, arbitrary: oddJsonValue },
    { weight: 1, arbitrary: fc.nat({ max: valid.length }).map(length => valid.slice(0, length)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map(rest => `\u{feff}${valid}${rest}`) },
  )
}

type Path = readonly (string | number)[]

function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  yield path
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) yield* pathsIn(inner, [...path, Array.isArray(value) ? +key : key])
}

const placeholder = '\u0001odd\u0001'

/** The JSON text of a value in which one part is replaced by another text. */
function replaceAt(value: unknown, path: Path, odd: string): string {
  const marked = (inner: unknown, [key, ...rest]: Path): unknown => {
    if (key === undefined) return placeholder
    if (Array.isArray(inner)) return inner.map((one, at) => (at === key ? marked(one, rest) : one))
    return { ...(inner as object), [key]: marked((inner as Record<string, unknown>)[key], rest) }
  }
  return JSON.stringify(marked(value, path)).replace(JSON.stringify(placeholder), () => odd)
}
