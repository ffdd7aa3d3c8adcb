// Asks ClickHouse itself (chdb, see below) for the type and value of every expression in
// mock-server/telemetry/columns/functions/answers-of-clickhouse.json, over the rows in that file, and writes the answers there.
// To add an expression, write it into the file with any answer and run this:
//   npm install --prefix /tmp/chdb chdb@3.4.0 @chdb/lib-linux-x64-gnu
//   node .ci/engines/ask-functions.mjs /tmp/chdb
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const file = new URL('../../mock-server/telemetry/columns/functions/answers-of-clickhouse.json', import.meta.url)
const { Session } = createRequire(join(process.argv[2] ?? '/tmp/chdb', 'package.json'))('chdb')
const book = JSON.parse(readFileSync(file, 'utf8'))
const session = new Session()
const ask = (sql, format = 'JSONCompact') => session.query(sql, format)
const quote = text => `'${String(text).replace(/[\\']/g, '\\$&')}'`
const mapOf = map => `map(${Object.entries(map).flat().map(quote).join(', ')})`

ask('CREATE DATABASE IF NOT EXISTS d ENGINE = Atomic')
ask(`CREATE TABLE d.otel_logs (n UInt8, Timestamp DateTime64(9), TimestampTime DateTime, ServiceName LowCardinality(String),
  SeverityNumber UInt8, Body String, LogAttributes Map(LowCardinality(String), String)) ENGINE = Memory`)
book.rows.forEach((row, n) => {
  const time = quote(row.Timestamp.replace('T', ' ').replace('Z', ''))
  const texts = [row.ServiceName, row.SeverityNumber, row.Body].map(quote).join(', ')
  ask(`INSERT INTO d.otel_logs SELECT ${n}, ${time}, toDateTime64(${time}, 9), ${texts}, ${mapOf(row.LogAttributes)}`)
})

/** Replaces types that the embedded engine does not have: dictionaries, wide dates, decimals, enumerations. */
const simplifyType = type =>
  type
    .replace(/LowCardinality\(((?:[^()]|\([^()]*\))*)\)/g, '$1')
    .replace(/\bDate32\b/g, 'Date')
    .replace(/DateTime64\(0, /g, 'DateTime(')
    .replace(/DateTime64\(0\)/g, 'DateTime')
    .replace(/Decimal\(18, 9\)/g, 'Float64')
    .replace(/Enum8\(.*\)/g, 'String')
const settings = "date_time_output_format = 'iso', output_format_json_quote_64bit_integers = 1"

/** Tries again, because the library sometimes returns two answers at once, which fails with an error without a code. */
function answer(expression) {
  for (let tries = 0; ; tries++) {
    const found = tryAnswer(expression)
    if (tries === 5 || !String(found).startsWith('0:')) return found
  }
}

function tryAnswer(expression) {
  try {
    const sql = `SELECT toTypeName(${expression}), ${expression} FROM d.otel_logs ORDER BY n SETTINGS ${settings}`
    // Some results contain control characters, which JSON does not allow.
    const { data } = JSON.parse(ask(sql).replace(/\p{Cc}/gu, ' '))
    const values = data.map(([, value]) => value)
    const isConstant = new Set(values.map(value => JSON.stringify(value))).size === 1
    return isConstant ? [simplifyType(data[0][0]), values[0]] : [simplifyType(data[0][0]), ...values]
  } catch ({ message }) {
    const [, code, text] = /Code: (\d+)\. DB::Exception: ([\s\S]*)/.exec(message) ?? [undefined, 0, message]
    return `${code}: ${text.replace(/[:.]? [Ii]n scope[\s\S]*|: while [\s\S]*| \([A-Z_]+\)[\s\S]*/g, '').slice(0, 160)}`
  }
}

book.version = JSON.parse(ask('SELECT version()')).data[0][0]
book.answers = Object.fromEntries(Object.keys(book.answers).map(expression => [expression, answer(expression)]))
const lines = Object.entries(book.answers).map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`)
const { answers: _, ...rest } = book
writeFileSync(file, `${JSON.stringify(rest, null, 2).slice(0, -2)},\n  "answers": {\n${lines.join(',\n')}\n  }\n}\n`)
process.exit(0)
