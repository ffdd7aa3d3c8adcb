import { readFileSync } from 'node:fs'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import supertest from 'supertest'
import { answerTooLargeError, type Client, type Incoming, MAX_ANSWER_BYTES, type Outgoing } from './client.ts'

/** Distinguishes the calls of the suite from others, in logs and in the journal of the mock. */
const userAgent = 'stack-parity verify'

/** Sends through supertest over kept-alive sockets. `timeout` is in milliseconds and covers a whole exchange. */
export function createSupertestClient({ timeout = 10_000 }: { timeout?: number } = {}): Client {
  const agents = new Map<string, HttpAgent>()
  function agentOf(base: string, ca = ''): HttpAgent {
    const isSecure = base.startsWith('https:')
    const key = `${isSecure} ${ca}`
    const known = agents.get(key)
    if (known) return known
    const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, ...(ca && { ca: readFileSync(ca) }) })
    agents.set(key, agent)
    return agent
  }
  return {
    async send({ baseUrl, method, path, headers, body, ca }: Outgoing): Promise<Incoming> {
      const base = baseUrl.replace(/\/+$/, '')
      const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options'
      const client = supertest(base)
      const request = client[verb](path)
        .agent(agentOf(base, ca))
        .redirects(0)
        .timeout({ response: timeout, deadline: timeout })
        .buffer(true)
        .maxResponseSize(MAX_ANSWER_BYTES)
        .parse(collect)
        .set({ 'user-agent': userAgent, ...headers })
      const response = await (body === undefined ? request : request.send(body)).catch(error => {
        throw error?.code === 'ETOOLARGE' ? answerTooLargeError() : error
      })
      return { status: response.status, headers: joinHeaderValues(response.headers), text: textOf(response.body) }
    },
    close() {
      for (const agent of agents.values()) agent.destroy()
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
