import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Engine } from './engine.ts'

/** The HTTP interface of an engine, as far as the official client uses it. */
export interface Front {
  readonly url: string
  close(): Promise<void>
}

/** Query parameters of the URL that are neither settings nor parameters of the statement. */
const known = new Set(['query', 'query_id', 'session_id', 'session_timeout', 'database', 'default_format'])

/** Serves an engine over the HTTP interface of ClickHouse: statements, parameters, settings, formats, error texts. */
export async function serveEngine(engine: Engine, port = 0): Promise<Front> {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://engine')
    if (pathname === '/ping') return response.end('Ok.\n')
    const body = await read(request)
    try {
      const format = searchParams.get('default_format') ?? 'TabSeparated'
      const statement = [searchParams.get('query') ?? '', body].filter(Boolean).join('\n')
      bind(engine, searchParams)
      response.end(engine.run(withSettings(statement, searchParams), format))
    } catch (error) {
      const { message } = error as Error
      const code = /^Code: (\d+)/.exec(message)?.[1] ?? '1'
      response.writeHead(500, { 'x-clickhouse-exception-code': code, 'content-type': 'text/plain' }).end(`${message}\n`)
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`

/** Sets the parameters of a statement in the session, where `{name:Type}` refers to them. */
function bind(engine: Engine, parameters: URLSearchParams) {
  engine.run(`USE \`${parameters.get('database') ?? 'default'}\``)
  for (const [name, value] of parameters) {
    if (/^param_\w+$/.test(name)) engine.run(`SET ${name} = ${quoted(value)}`)
  }
}

/** Adds the settings to a query. Those of an INSERT concern its transport only, and are dropped. */
function withSettings(statement: string, parameters: URLSearchParams): string {
  if (!/^\s*(SELECT|WITH)\b/i.test(statement)) return statement
  const settings = [...parameters].filter(([name]) => !known.has(name) && /^(?!param_)\w+$/.test(name))
  if (settings.length === 0) return statement
  const assignments = settings.map(([name, value]) => `${name} = ${/^\d+$/.test(value) ? value : quoted(value)}`)
  return `${statement.replace(/;\s*$/, '')}\nSETTINGS ${assignments.join(', ')}`
}
