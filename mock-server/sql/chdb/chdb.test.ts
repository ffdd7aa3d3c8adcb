import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { type SqlEngine, textOf } from '../../words/sql.ts'
import { startChdb } from './engine.ts'
import { dataOffset, insertFrom, isStreamable, preparingStatements, revertingStatements } from './statement.ts'

const libraryPath = fileURLToPath(new URL('../../testing/stand-in-chdb.cjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'chdb-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let engine: SqlEngine
afterEach(() => engine.close())

async function ask(service: string, body: string, address = '', headers: Record<string, string> = {}) {
  const call = { method: 'POST', query: new URLSearchParams(address), headers, body }
  const answer = await engine.run(service, call)
  return { status: answer.status, text: await textOf(answer.body) }
}
const pidOf = async (service: string) => Number((await ask(service, 'SELECT pid')).text)
const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a service with chdb', () => {
  it('has its own process and its own rows, which outlive the process', async () => {
    engine = startChdb({ maxProcesses: 1, folder, libraryPath })
    const address = 'query=INSERT INTO t FORMAT CSV'
    expect(await ask('one', '7\n', address, { 'content-length': '2' })).toMatchObject({ status: 200 })
    const pid = await pidOf('one')
    expect(pid).not.toBe(process.pid)
    engine.suspend('one')
    await expect.poll(() => isRunning(pid)).toBe(false)
    expect((await ask('one', 'SELECT * FROM t')).text).toBe('7\n')
    // maxProcesses is 1: a call to the other service ends this process.
    const again = await pidOf('one')
    expect((await ask('two', 'SELECT * FROM t')).text).toBe('')
    await expect.poll(() => isRunning(again)).toBe(false)
    expect([...engine.listServices()].sort()).toEqual(['one', 'two'])
    await engine.drop('one')
    expect(existsSync(join(folder, 'one'))).toBe(false)
    expect((await ask('one', 'SELECT * FROM t')).text).toBe('')
  })

  it('answers 503 when its process dies, and starts another', async () => {
    engine = startChdb({ maxProcesses: 2, libraryPath: libraryPath })
    await ask('one', 'INSERT INTO t VALUES (1)')
    await expect(ask('one', 'SYSTEM KILL')).rejects.toMatchObject({ status: 503, code: 210 })
    expect((await ask('one', 'SELECT * FROM t')).text).toBe('1\n')
    const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': '1' }
    expect(await ask('one', 'x', 'query=SELECT 1&m_format=CSV', headers)).toMatchObject({
      status: 501,
      text: expect.stringContaining('External tables are not taken here'),
    })
    const { text } = await ask('one', 'SELECT number FROM numbers(100000)')
    expect(text).toHaveLength(588_890)
    const pid = await pidOf('one')
    await engine.close()
    expect(isRunning(pid)).toBe(false)
  })

  it('that hangs does not block other services, and can still be ended', async () => {
    engine = startChdb({ maxProcesses: 3, libraryPath: libraryPath })
    const pids = await Promise.all(['one', 'two'].map(pidOf))
    const caller = new AbortController()
    const pending = [
      ['one', 'SYSTEM HANG'],
      ['two', 'SYSTEM BLOCK'],
    ].map(([service, body]) =>
      engine.run(service!, {
        method: 'POST',
        query: new URLSearchParams(),
        headers: {},
        body: body!,
        signal: caller.signal,
      }),
    )
    const outcomes = Promise.allSettled(pending)
    expect((await ask('three', 'SELECT 3')).text).toBe('3\n')
    // A process with a pending call is not suspended.
    engine.suspend('two')
    expect(isRunning(pids[1]!)).toBe(true)
    caller.abort()
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    engine.suspend('two')
    await expect.poll(() => isRunning(pids[1]!)).toBe(false)
    await engine.close()
    expect(isRunning(pids[0]!)).toBe(false)
  })
})

describe('a statement of the HTTP interface', () => {
  it('is streamed only if its format is certain and has no header', () => {
    expect(isStreamable('SELECT 1', 'TabSeparated')).toBe(true)
    expect(isStreamable('SELECT 1', 'JSON')).toBe(false)
    expect(isStreamable('SELECT 1 FORMAT JSONEachRow;', 'JSON')).toBe(true)
    expect(isStreamable('SELECT 1 FORMAT JSON -- FORMAT CSV', 'CSV')).toBe(false)
  })

  it('gets the clause that reads its data from a file before its settings and its format', () => {
    const from = "FROM INFILE '/f' COMPRESSION 'gzip'"
    expect(insertFrom('INSERT INTO t FORMAT CSV', '/f', 'gzip')).toBe(`INSERT INTO t ${from} FORMAT CSV`)
    expect(insertFrom('INSERT INTO t (a) SETTINGS x = 1 FORMAT Native', '/f', 'gzip')).toBe(
      `INSERT INTO t (a) ${from} SETTINGS x = 1 FORMAT Native`,
    )
    expect(insertFrom('INSERT INTO t VALUES', '/f', 'gzip')).toBe(`INSERT INTO t ${from} FORMAT Values`)
    expect(insertFrom('INSERT INTO t SELECT 1', '/f', 'gzip')).toBeUndefined()
    expect(dataOffset('INSERT INTO t (a) FORMAT Native\n\u0001')).toBe(32)
    expect(dataOffset('INSERT INTO t VALUES (1)')).toBeUndefined()
  })

  it('sets its database, parameters and settings first, with readonly last', () => {
    const query = new URLSearchParams("readonly=2&database=a`b&param_x=it's&max_threads=1&user=u&session_id=s&x-y=1")
    const set = "SET param_x = 'it\\'s', max_threads = '1'"
    expect(preparingStatements(query, false)).toEqual(['USE `a\\`b`', `${set}, readonly = '2'`])
    expect(preparingStatements(query, true)).toEqual(['USE `a\\`b`', set])
    expect(revertingStatements(query)).toEqual(['USE default', 'SET max_threads = DEFAULT'])
  })
})
