import { Agent, createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, vi } from 'vitest'
import { trackConnections } from './drain.ts'
import { readBody } from './read-body.ts'

setFlagsFromString('--expose_gc')
const collectGarbage: () => void = runInNewContext('gc')

it('a body that was read is not kept with its connection', async () => {
  const server = createServer(async (request, response) => {
    await readBody(request, 16e6)
    response.end('{}')
  })
  trackConnections(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true })
  const post = () =>
    new Promise<void>((resolve, reject) => {
      const options = { port, host: '127.0.0.1', method: 'POST', agent }
      const request = send(options, response => response.resume().once('end', resolve)).once('error', reject)
      for (let i = 0; i < 8; i++) request.write('x'.repeat(1e6))
      request.end()
    })
  const bytesInUse = () => {
    collectGarbage()
    return process.memoryUsage().arrayBuffers
  }
  const before = bytesInUse()
  await Promise.all([post(), post(), post(), post()])
  // The last of the bodies are collected some turns of the event loop after their answers.
  await vi.waitFor(() => expect(bytesInUse() - before).toBeLessThan(8e6), 30_000)
  agent.destroy()
  await new Promise(resolve => server.close(resolve))
})
