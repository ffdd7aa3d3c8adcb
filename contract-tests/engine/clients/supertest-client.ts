import { readFileSync } from 'node:fs'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import supertest from 'supertest'
import { type Client, type Incoming, LARGEST_ANSWER, type Outgoing, tooLarge } from './client.ts'

/** Tells the suite's calls from others, in logs and in the journal of the mock. */
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
      const request = supertest(base)
        [verb](path)
        .agent(agentOf(base, ca))
        .redirects(0)
        .timeout({ response: timeout, deadline: timeout })
        .buffer(true)
        .maxResponseSize(LARGEST_ANSWER)
        .parse(collect)
        .set({ 'user-agent': userAgent, ...headers })
      const response = await (body === undefined ? request : request.send(body)).catch(error => {
        throw error?.code === 'ETOOLARGE' ? tooLarge() : error
      })
      return { status: response.status, headers: joinValues(response.headers), text: textOf(response.body) }
    },
    close() {
      for (const agent of agents.values()) agent.destroy()
    },
  }
}

/** Keeps the bytes: superagent would parse JSON, and hide what cannot be parsed. */
function collect(response: unknown, done: (error: Error | null, body: unknown) => void): void {
  const stream = response as NodeJS.ReadableStream
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  stream.on('end', () => done(null, Buffer.concat(chunks)))
}

const textOf = (body: unknown): string => (Buffer.isBuffer(body) ? body.toString('utf8') : '')

const joinValues = (headers: Readonly<Record<string, string | string[]>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, [values].flat().join(', ')]))
