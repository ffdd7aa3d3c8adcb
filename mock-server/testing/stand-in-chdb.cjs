/**
 * A stand-in for the package `chdb` (566 MB), with which tests can start, suspend and crash the processes of `--sql chdb`.
 * It is not a database: it knows a few statements, some only for tests (SYSTEM KILL, HANG and BLOCK, SELECT pid), and a
 * session keeps all rows in one file of its folder.
 */
const { existsSync, readFileSync, appendFileSync } = require('node:fs')
const { join } = require('node:path')

class Session {
  constructor(path) {
    this.rows = join(path, 'rows')
  }
  run(sql) {
    if (/^SELECT version\(\)/.test(sql)) return 'stand-in\tUTC\n'
    if (/^(?:SET|USE) /.test(sql)) return ''
    if (sql === 'SYSTEM KILL') process.exit(1)
    if (sql === 'SELECT pid') return `${process.pid}\n`
    const file = /^INSERT INTO t FROM INFILE '([^']+)'/.exec(sql)
    if (file) return this.keep(readFileSync(file[1], 'utf8'))
    const row = /^INSERT INTO t VALUES \((\d+)\)/.exec(sql)
    if (row) return this.keep(`${row[1]}\n`)
    if (sql === 'SELECT * FROM t') return existsSync(this.rows) ? readFileSync(this.rows, 'utf8') : ''
    if (/^SELECT \d+$/.test(sql)) return `${sql.slice(7)}\n`
    throw new Error(`Code: 62. DB::Exception: The stand-in does not support ${sql}. (SYNTAX_ERROR)`)
  }
  keep(rows) {
    appendFileSync(this.rows, rows)
    return ''
  }
  async queryAsync(sql) {
    if (sql === 'SYSTEM HANG') await new Promise(() => {})
    // Blocks the process, as native code may.
    if (sql === 'SYSTEM BLOCK') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    const text = this.run(sql)
    return { bytes: () => Buffer.from(text), rowsRead: 1, bytesRead: text.length }
  }
  async *queryStream(sql) {
    const numbersQuery = /^SELECT number FROM numbers\((\d+)\)$/.exec(sql)
    if (!numbersQuery) {
      if (!/^SELECT/.test(sql)) throw new Error('Streaming query is not supported for query')
      yield { raw: () => Buffer.from(this.run(sql)) }
      return
    }
    // In chunks of 1000 rows, the last one too.
    const count = Number(numbersQuery[1])
    for (let from = 0; from < count; from += 1000) {
      const rows = Array.from({ length: 1000 }, (_, i) => `${from + i}\n`).join('')
      yield { raw: () => Buffer.from(rows) }
    }
  }
  close() {}
}

module.exports = { Session }
