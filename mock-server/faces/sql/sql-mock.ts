import { type ConnectSqlOptions, connectSql } from '../../sql/connect.ts'
import { hash } from '../../words/hash.ts'
import { startMock } from '../serve.ts'

/** A service that runs, and how its HTTP interface is reached. */
export interface SqlService {
  readonly id: string
  /** Its address, over plain HTTP: the password says which service is meant. */
  readonly url: string
  readonly username: 'default'
  readonly password: string
  readonly database: 'default'
}

/** A mock with an engine, which gives each test a service in a world of its own. */
export interface SqlMock {
  open(): { readonly service: SqlService; drop(): Promise<void> }
  close(): Promise<void>
}

export async function startSqlMock(
  wanted: string | (ConnectSqlOptions & { readonly engine: string }),
): Promise<SqlMock> {
  const { engine: name, ...options } = typeof wanted === 'string' ? { engine: wanted } : wanted
  const engine = await connectSql(name, { env: process.env, ...options })
  const running = await startMock({ sql: engine, consolePort: false, logs: 1 })
  const { host, port } = running.target().sql!
  return {
    open() {
      const { id: worldId, world } = running.mock.worlds.open({ scenario: 'empty' })
      const { cloud } = world.target()
      const password = crypto.randomUUID()
      const within = cloud!.organizationId
      const { id } = world.create(
        'service',
        { name: 'test', state: 'running', passwordHash: hash(password) },
        { within },
      )
      const url = `http://${host}:${port}`
      return {
        service: { id, url, username: 'default', password, database: 'default' },
        async drop() {
          running.mock.worlds.close(worldId)
          await engine.drop(id)
        },
      }
    },
    async close() {
      await running.close()
      await engine.close()
    },
  }
}
