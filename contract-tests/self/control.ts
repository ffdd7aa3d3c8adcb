import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Client } from '../engine/clients/client.ts'
import type { TargetFile } from '../engine/target/target.ts'

/** Control planes that list a stub or a proxy, so that runs on it are as fast and as thorough as on a mock of ours. */

/** Answers as the control plane that a target names. */
export const answerControl = (target: TargetFile, client: Client): Client => ({
  ...client,
  send: request =>
    request.baseUrl === target.control?.baseUrl && request.path === '/control/target'
      ? Promise.resolve({ status: 200, headers: {}, text: JSON.stringify(target) })
      : client.send(request),
})

/** Starts a control plane that lists the addresses of a target. Its clock is that of a mock, if one is given. */
export async function withControl<Target extends TargetFile>(target: Target, mock?: TargetFile) {
  const server = createServer(async (request, response) => {
    if (request.url === '/control/target') return void response.end(JSON.stringify(listed))
    if (!mock?.control) return void response.end()
    const { method = '', headers, url } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const type = headers['content-type'] ?? ''
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined
    const init = { method, headers: { 'content-type': type }, body }
    const answer = await fetch(mock.control.baseUrl + url, init)
    response.writeHead(answer.status).end(await answer.text())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const listed = { ...target, control: { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } }
  return listed
}
