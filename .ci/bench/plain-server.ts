/**
 * A server in its own process that gives one answer to every request, with node:http or Koa. The parent process sends it the
 * answer.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'

export interface PlainAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

let answer: PlainAnswer = { status: 204, headers: {}, body: '' }

const servers = {
  node: () =>
    createServer(async (request, response) => {
      if (hasBody(request)) await readWhole(request)
      const { status, headers, body } = answer
      response.writeHead(status, headers).end(body)
    }),
  koa() {
    const app = new Koa()
    app.use(async ctx => {
      if (hasBody(ctx.req)) await readWhole(ctx.req)
      ctx.status = answer.status
      ctx.body = answer.body
      ctx.set(answer.headers)
    })
    return createServer(app.callback())
  },
}

const hasBody = ({ headers }: IncomingMessage) => (headers['content-length'] ?? '0') !== '0'

function readWhole(request: IncomingMessage): Promise<string> {
  return new Promise(resolve => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', chunk => {
      text += chunk
    })
    request.on('end', () => resolve(text))
  })
}

process.on('message', (next: PlainAnswer) => {
  answer = next
  process.send?.('taken')
})
process.on('disconnect', () => process.exit())

const server = servers[process.argv[2] as keyof typeof servers]()
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
