import type { Agent } from 'node:http'
import supertest from 'supertest'
import { receiverScheme } from '../receiver.ts'
import type { Tls } from '../target/target.ts'
import { createAgent, readCertificates, routeTo } from './agents.ts'
import { answerTooLargeError, type Client, type Incoming, MAX_ANSWER_BYTES, type Outgoing } from './client.ts'
import { createReceivers } from './receivers.ts'

/** Distinguishes the calls of the suite from others, in logs and in the journal of the mock. */
const userAgent = 'stack-parity verify'

type Certificates = ReturnType<typeof readCertificates>

/** Sends through supertest over kept-alive sockets. `timeout` is in milliseconds and covers a whole exchange. */
export function createSupertestClient({ timeout = 10_000 }: { timeout?: number } = {}): Client {
  const connections = new Map<string, { readonly agent: Agent; readonly certificates: Certificates }>()
  function connectionTo(base: string, tls: Tls | undefined) {
    const key = `${new URL(base).origin} ${JSON.stringify(tls)}`
    const known = connections.get(key)
    if (known) return known
    const connection = { agent: createAgent(base, { keepAlive: true }), certificates: readCertificates(tls) }
    connections.set(key, connection)
    return connection
  }
  const receivers = createReceivers()
  return {
    async send({ baseUrl, method, path, headers, body, tls }: Outgoing): Promise<Incoming> {
      if (baseUrl.startsWith(receiverScheme)) return receivers.read(baseUrl.slice(receiverScheme.length))
      const base = baseUrl.replace(/\/+$/, '')
      const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options'
      const { agent, certificates } = connectionTo(base, tls)
      const client = supertest(base)
      const request = client[verb](path)
        .agent(agent)
        .redirects(0)
        .timeout({ response: timeout, deadline: timeout })
        .buffer(true)
        .maxResponseSize(MAX_ANSWER_BYTES)
        .parse(collect)
        .set({ 'user-agent': userAgent, ...headers })
      const { ca, cert, key } = certificates
      if (ca) request.ca(ca)
      if (cert) request.cert(cert)
      if (key) request.key(key)
      const response = await (body === undefined ? request : request.send(body)).catch(error => {
        throw error?.code === 'ETOOLARGE' ? answerTooLargeError() : Object.assign(error, { route: routeTo(base) })
      })
      return { status: response.status, headers: joinHeaderValues(response.headers), text: textOf(response.body) }
    },
    close() {
      for (const { agent } of connections.values()) agent.destroy()
      receivers.close()
    },
  }
}

/** Keeps the bytes: superagent would parse JSON, and lose a body that is invalid. */
function collect(response: unknown, done: (error: Error | null, body: unknown) => void): void {
  const stream = response as NodeJS.ReadableStream
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  stream.on('end', () => done(null, Buffer.concat(chunks)))
}

const textOf = (body: unknown): string => (Buffer.isBuffer(body) ? body.toString('utf8') : '')

const joinHeaderValues = (headers: Readonly<Record<string, string | string[]>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, [values].flat().join(', ')]))
