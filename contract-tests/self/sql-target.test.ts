import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { connectSql, createMock, startMock } from '../../mock-server/index.ts'
import { startStandIn } from '../../mock-server/testing/stand-in-clickhouse.ts'
import { verify } from '../index.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

/** The rules about SQL, judged over TLS with a stand-in for ClickHouse. */

const rules = ['service/answers-sql', 'service/wrong-password-gets-no-sql', 'service/stopped-gets-no-sql']

it('the SQL of services is judged with the certificate of the target file, and the report has no password', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sql-target-'))
  const standIn = await startStandIn()
  const sql = await connectSql(standIn.url)
  const running = await startMock({ sql, logs: 1, sqlCa: join(folder, 'ca.pem'), consolePort: 0 })
  onTestFinished(async () => {
    await running.close()
    await sql.close()
    await standIn.close()
    rmSync(folder, { recursive: true })
  })
  const judge = () => verify({ target: running.target(), rules, allowEffects: ['costs'] })
  const report = await judge()
  expect(report.rules.map(({ id, outcome }) => [id, outcome])).toEqual(rules.map(id => [id, 'held']))
  // One query with the password of the creation, and one with the renewed password.
  expect(standIn.queries.filter(({ sql }) => sql === 'SELECT 1')).toHaveLength(2)
  expect(running.mock.calls(undefined, { form: 'sql' }).map(({ response }) => response.status)).toEqual([
    503, 403, 200, 403, 403, 401, 200,
  ])
  const basics = report.rules.flatMap(({ exchanges }) => exchanges.map(({ request }) => request.headers.authorization))
  expect([...new Set(basics)]).toEqual(['[redacted]', undefined])
  running.mock.setFaults(['service/wrong-password-gets-no-sql'])
  expect((await judge()).rules.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id)).toEqual([rules[1]])
})

it('the SQL of services is not judged when the target file has no address for it', async () => {
  const mock = createMock({ logs: 1 })
  const report = await verify({ target: directTarget(mock), client: createDirectClient(mock), rules })
  expect(report.rules.map(({ outcome }) => outcome)).toEqual(rules.map(() => 'not-applicable'))
  expect(report.rules[0]!.detail).toContain('`sql`')
})
