import { type ConnectSqlOptions, connectSql } from '../../sql/connect.ts'
import { hash } from '../../words/hash.ts'
import { startMock } from '../serve.ts'

/** A running service, and the address and credentials of its HTTP interface. */
export interface SqlService {
  readonly id: string
  /** Plain HTTP, the same for all services: the password identifies the service. */
  readonly url: string
  readonly username: 'default'
  readonly password: string
  readonly database: 'default'
}

/** A mock with an engine; `open` creates a service in a new world for each test. */
export interface SqlMock {
  open(): { readonly service: SqlService; drop(): Promise<void> }
  close(): Promise<void>
}

export async function startSqlMock(
  engineOrOptions: string | (ConnectSqlOptions & { readonly engine: string }),
): Promise<SqlMock> {
  const { engine: name, ...options } =
    typeof engineOrOptions === 'string' ? { engine: engineOrOptions } : engineOrOptions
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
