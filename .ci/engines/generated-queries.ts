import fc from 'fast-check'
import { sqlFunctions } from '../../mock-server/telemetry/columns/functions/sql-functions.ts'
import type { EngineQuery } from './both.ts'
import { end, hour, oddTexts, start } from './rows.ts'

const oddText = fc.constantFrom(...oddTexts)
const word = fc.oneof(
  fc.constantFrom('api', 'web', 'error', 'warn', 'Timeout', 'cart', '17', '9', '30', 'u1', 'h2'),
  oddText,
)
const literal = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`
const texts = word.map(literal)
const number = fc.oneof(
  fc.constantFrom(0, 1, -1, 2, 9, 13, 17, 100, 0.5, -7.25, 1e10),
  fc.integer({ min: -300, max: 70_000 }),
)
const numbers = number.map(String)

const columns = fc.constantFrom(
  'ServiceName',
  'SeverityText',
  'SeverityNumber',
  'Body',
  'TraceId',
  'Timestamp',
  'TimestampTime',
  "LogAttributes['dur']",
  "LogAttributes['user.id']",
  "LogAttributes['method']",
  "ResourceAttributes['host.name']",
  'LogAttributes',
)

/** The functions of the columns, without those of random values and the current time. */
const functionNames = Object.keys(sqlFunctions).filter(name => !/^(?:now|today|yesterday|rand|generate)/i.test(name))

/** A call of one of the functions. */
const calling = (names: readonly string[], ...args: fc.Arbitrary<string>[]) =>
  fc.tuple(fc.constantFrom(...names), fc.tuple(...args)).map(([name, values]) => `${name}(${values.join(', ')})`)

const joined = (between: string, ...parts: fc.Arbitrary<string>[]) =>
  fc.tuple(...parts).map(texts => texts.join(between))
const likePattern = joined('%', word, word).map(literal)

const patterns = fc.constantFrom("'[A-Za-z]+'", "'(\\\\w)(\\\\w)?'", "'a|e'", "'[0-9]{2}'", "'$'")

/** SQL expressions with matching types. */
const typed = fc.letrec<{ text: string; number: string; time: string; truth: string; list: string }>(tie => ({
  text: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom('ServiceName', 'SeverityText', 'Body', "LogAttributes['dur']", "LogAttributes['user.id']"),
    texts,
    calling(['lower', 'upper', 'trim', 'reverse', 'toString', 'lowerUTF8', 'upperUTF8'], tie('text')),
    calling(['toString'], fc.oneof(tie('number'), tie('time'))),
    calling(['concat', 'ifNull', 'coalesce'], tie('text'), tie('text')),
    calling(['substring'], tie('text'), fc.constantFrom('1', '2', '-3'), fc.constantFrom('1', '4')),
    calling(['replaceAll', 'replaceOne'], tie('text'), fc.constantFrom("'a'", "'e'", "' '"), texts),
    calling(['if'], tie('truth'), tie('text'), tie('text')),
    calling(['JSONExtractString'], fc.constant('Body'), fc.constant("'user'"), fc.constant("'name'")),
    calling(['extract'], tie('text'), patterns),
    calling(['replaceRegexpAll', 'replaceRegexpOne'], tie('text'), patterns, fc.constantFrom("'<\\\\0>'", "''")),
    calling(['arrayStringConcat'], tie('list'), fc.constantFrom("'-'", "''")),
    fc.tuple(tie('list'), fc.constantFrom('1', '-1', '2', '9')).map(([list, at]) => `${list}[${at}]`),
    fc
      .tuple(tie('truth'), tie('text'), tie('text'))
      .map(([when, then, otherwise]) => `CASE WHEN ${when} THEN ${then} ELSE ${otherwise} END`),
    calling(['formatDateTime'], tie('time'), fc.constantFrom("'%Y-%m-%d'", "'%H:%i:%S'", "'%j %V %u'")),
  ),
  number: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constant('SeverityNumber'),
    numbers,
    calling(
      ['length', 'empty', 'notEmpty', 'lengthUTF8', 'toFloat64OrZero', 'toUInt32OrZero', 'toInt64OrNull'],
      tie('text'),
    ),
    calling(['position', 'positionCaseInsensitive', 'startsWith', 'endsWith', 'countSubstrings'], tie('text'), texts),
    calling(['abs', 'floor', 'ceil', 'round', 'negate', 'toFloat64', 'sign'], tie('number')),
    calling(['plus', 'minus', 'multiply', 'divide', 'nullIf', 'least', 'greatest'], tie('number'), tie('number')),
    calling(['modulo', 'intDiv'], tie('number'), fc.constantFrom('7', '2')),
    calling(['countMatches'], tie('text'), patterns),
    calling(['arrayUniq', 'length'], tie('list')),
    calling(
      ['dateDiff'],
      fc.constantFrom("'minute'", "'hour'", "'day'", "'week'", "'month'"),
      tie('time'),
      tie('time'),
    ),
    calling(['toHour', 'toMinute', 'toDayOfWeek', 'toUnixTimestamp', 'toDayOfMonth'], tie('time')),
    calling(['if'], tie('truth'), tie('number'), tie('number')),
  ),
  time: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.constantFrom('Timestamp', 'TimestampTime'),
    calling(['toStartOfHour', 'toStartOfMinute', 'toStartOfDay', 'toDateTime', 'toStartOfFiveMinutes'], tie('time')),
    calling(['addHours', 'subtractMinutes', 'addDays'], tie('time'), fc.constantFrom('1', '-3', '30')),
    fc
      .tuple(tie('time'), fc.constantFrom('+', '-'), fc.constantFrom('1 DAY', '3 MONTH', '90 MINUTE', '1 YEAR'))
      .map(([time, sign, interval]) => `(${time} ${sign} INTERVAL ${interval})`),
    fc
      .tuple(tie('time'), fc.constantFrom('7 MINUTE', '6 HOUR', '1 DAY', '2 WEEK', '1 QUARTER'))
      .map(([time, interval]) => `toStartOfInterval(${time}, INTERVAL ${interval})`),
  ),
  list: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.constantFrom('mapKeys(LogAttributes)', 'mapValues(LogAttributes)', "['a', 'b', 'a']"),
    calling(['splitByChar'], fc.constantFrom("'-'", "' '", "'/'"), tie('text')),
    calling(['extractAll'], tie('text'), patterns),
    calling(['arrayMap'], fc.constantFrom('x -> upper(x)', "x -> concat(x, '!')"), tie('list')),
    calling(['arrayFilter'], fc.constantFrom("x -> x != ''", 'x -> length(x) > 2'), tie('list')),
    calling(['arraySort', 'arrayReverse', 'arrayDistinct'], tie('list')),
  ),
  truth: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    calling(['equals', 'notEquals', 'less', 'greaterOrEquals'], tie('number'), tie('number')),
    calling(['equals', 'notEquals', 'less', 'greaterOrEquals'], tie('text'), tie('text')),
    calling(['equals', 'less'], tie('time'), tie('time')),
    calling(['and', 'or', 'xor'], tie('truth'), tie('truth')),
    calling(['not'], tie('truth')),
    calling(['isNull', 'isNotNull'], tie('number')),
    calling(['like', 'ilike', 'notLike'], tie('text'), likePattern),
    calling(['mapContains'], fc.constant('LogAttributes'), texts),
    calling(['has'], tie('list'), texts),
    calling(['arrayExists', 'arrayAll'], fc.constantFrom("x -> x LIKE '%a%'", 'x -> notEmpty(x)'), tie('list')),
    calling(['JSONHas'], fc.constant('Body'), fc.constant("'user'")),
    calling(
      ['multiSearchAny'],
      tie('text'),
      fc.tuple(texts, texts).map(parts => `[${parts.join(', ')}]`),
    ),
    calling(['match'], tie('text'), fc.constantFrom("'^[A-Z]+ /'", "'(a|b)+'", "'\\\\d{2}'", "'.'")),
  ),
}))

/** SQL expressions of arbitrary types. Both engines refuse many of them. */
const { expression, condition } = fc.letrec<{ expression: string; condition: string; leaf: string }>(tie => ({
  leaf: fc.oneof({ weight: 4, arbitrary: columns }, texts, numbers),
  expression: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    tie('leaf'),
    fc
      .tuple(fc.constantFrom(...functionNames), fc.array(tie('expression'), { minLength: 1, maxLength: 3 }))
      .map(([name, args]) => `${name}(${args.join(', ')})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('+', '-', '*', '/', '%', '||'), tie('leaf'))
      .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
    fc
      .tuple(fc.constantFrom('toFloat64OrNull', 'toUInt32OrZero', 'length', 'lower', 'toString', 'toHour'), columns)
      .map(([name, column]) => `${name}(${column})`),
  ),
  condition: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    joined(' ', tie('expression'), fc.constantFrom('=', '!=', '<', '<=', '>', '>='), tie('leaf')),
    joined(' ', columns, fc.constantFrom('LIKE', 'ILIKE', 'NOT LIKE'), likePattern),
    fc
      .tuple(columns, fc.constantFrom('IN', 'NOT IN'), fc.array(texts, { minLength: 1, maxLength: 3 }))
      .map(([column, test, list]) => `${column} ${test} (${list.join(', ')})`),
    joined(' ', tie('expression'), fc.constantFrom('IS NULL', 'IS NOT NULL')),
    fc
      .tuple(tie('condition'), fc.constantFrom('AND', 'OR'), tie('condition'))
      .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
    tie('condition').map(inner => `NOT (${inner})`),
  ),
}))

const fields = fc.constantFrom(
  ...['ServiceName', 'SeverityText', 'SeverityNumber', 'Body', 'TraceId', 'LogAttributes.dur', 'LogAttributes.user.id'],
  ...['ResourceAttributes.host.name', 'Timestamp', 'LogAttributes', 'nope', 'Body.user.name'],
)
const quoted = word.map(text => `"${text.replace(/["\\]/g, '\\$&')}"`)
const searchValue = fc.oneof(
  word,
  quoted,
  joined('', fc.constantFrom('>', '>=', '<', '<='), numbers),
  fc.tuple(numbers, numbers).map(([low, high]) => `[${low} TO ${high}]`),
  fc.tuple(word, word).map(([low, high]) => `{${low} TO ${high}}`),
  fc.constantFrom('*', '*a*', 'a*', '?'),
)

/** Filters of the search dialect. */
const { clauses } = fc.letrec<{ clauses: string; leaf: string }>(tie => ({
  leaf: fc.oneof(
    fc
      .tuple(fc.constantFrom('', '-', 'NOT '), fields, searchValue)
      .map(([sign, field, value]) => `${sign}${field}:${value}`),
    word,
    quoted,
  ),
  clauses: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    tie('leaf'),
    fc
      .tuple(
        fc.constantFrom(' ', ' AND ', ' OR ', ' NOT ', ' && ', ' || '),
        fc.array(tie('clauses'), { minLength: 2, maxLength: 3 }),
      )
      .map(([operator, parts]) => parts.join(operator)),
    tie('clauses').map(inner => `(${inner})`),
    fc.tuple(fields, tie('clauses')).map(([field, inner]) => `${field}:(${inner})`),
  ),
}))

const where = fc.oneof(
  { weight: 3, arbitrary: clauses.map(text => ({ where: text })) },
  {
    weight: 4,
    arbitrary: fc.oneof(condition, typed.truth, typed.truth).map(text => ({ where: text, whereLanguage: 'sql' })),
  },
  fc.constant({ where: '' }),
)
const groupBy = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  fc.array(columns, { minLength: 1, maxLength: 2 }),
  fc.array(fc.oneof(expression, typed.text, typed.number, typed.time), { minLength: 1, maxLength: 2 }),
)
const aggregate = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ aggFn: 'count' }) },
  fc.record({
    aggFn: fc.constantFrom('avg', 'sum', 'min', 'max', 'count_distinct', 'quantile', 'last_value'),
    field: fc.oneof(columns, expression, typed.number, typed.number, typed.text),
    level: fc.constantFrom(undefined, 0, 0.25, 0.5, 0.9, 0.99, 1),
  }),
)

/** Chart queries on logs. */
export const generatedQuery: fc.Arbitrary<EngineQuery> = fc.record({
  kind: fc.constant('log' as const),
  series: fc.tuple(where, groupBy, aggregate).map(([filter, groupBy, rest]) => ({ ...filter, groupBy, ...rest })),
  granularity: fc.constantFrom('30s', '5m', '10m', '1h', '6h', '1d', '7d', 'auto'),
  startTime: fc.integer({ min: start - hour, max: start + 2 * hour }),
  endTime: fc.integer({ min: start + 3 * hour, max: end + hour }),
})
