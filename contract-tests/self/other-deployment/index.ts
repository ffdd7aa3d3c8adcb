import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Call, deploy, type Variant } from './deployment.ts'
import { mutants } from './mutants.ts'
import { describeTarget, type Target } from './target.ts'
import type { Answer } from './wire.ts'
import * as world from './world.ts'

export interface OtherDeploymentOptions extends Variant {
  /** The id of a mutant: the deployment then breaks the one rule that the mutant is about. */
  readonly mutant?: string
}

export interface JournalEntry {
  readonly method: string
  readonly url: string
  readonly status: number
}

export interface OtherDeployment {
  /** The target file of this deployment, with its credentials written out. */
  readonly target: Target
  /** Every answer so far, in order. */
  readonly journal: readonly JournalEntry[]
  close(): Promise<void>
}

/** Starts a deployment that keeps every rule of the contract and chooses differently wherever the specification is silent. */
export async function startOtherDeployment(options: OtherDeploymentOptions = {}): Promise<OtherDeployment> {
  const mutant = mutants.find(({ id }) => id === options.mutant)
  if (options.mutant !== undefined && !mutant) throw new Error(`There is no mutant ${options.mutant}.`)
  const answer = deploy(mutant, options)
  const journal: JournalEntry[] = []
  const start = async (form: 'cloud' | 'selfHosted') => {
    const server = createServer(async (request, response) => {
      const call = await readCall(request)
      if (call.path === '/control/target') return void response.end(JSON.stringify(target))
      const answered = answer(call, form)
      journal.push({
        method: call.method,
        url: `http://${request.headers.host}${request.url}`,
        status: answered.status,
      })
      send(response, answered)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return server
  }
  const servers = [await start('cloud'), await start('selfHosted')] as const
  const [cloud, selfHosted] = servers.map(server => `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const close = async () => {
    for (const server of servers) {
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await closed
    }
  }
  const target = describeTarget(`${cloud}/${world.prefix}`, selfHosted!, options.apiKey)
  return { target, journal, close }
}

const mebibyte = 2 ** 20

async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= mebibyte) chunks.push(chunk)
  }
  return {
    method: request.method ?? '',
    path: (request.url ?? '').replace(/\?.*$/s, ''),
    query: /\?(.*)$/s.exec(request.url ?? '')?.[1],
    origin: `http://${request.headers.host}`,
    authorization: request.headers.authorization,
    contentType: request.headers['content-type'],
    body: size > mebibyte ? undefined : Buffer.concat(chunks).toString(),
  }
}

function send(response: ServerResponse, { status, headers, json, text }: Answer): void {
  response.writeHead(status, headers)
  response.end(text ?? (json === undefined ? undefined : JSON.stringify(json)))
}
