import { EventEmitter, once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { trackConnections } from './drain.ts'
import { startMock } from './serve.ts'

/** A connection that collects what it receives. */
async function open(port: string) {
  const socket: Socket = connect(Number(port), '127.0.0.1')
  let received = ''
  socket.on('data', chunk => {
    received += chunk
  })
  await once(socket, 'connect')
  return {
    send: (text: string) => void socket.write(text),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    async waitFor(text: string) {
      while (!received.includes(text)) await once(socket, 'data')
    },
    /** All that was received until the server ended the connection. */
    async readToEnd() {
      if (!socket.readableEnded) await once(socket, 'end')
      socket.destroy()
      return received
    },
  }
}

it('a closing mock answers the calls in progress, refuses connections, and is not ready by its probe', async () => {
  const running = await startMock({ drainMs: 10_000 })
  const { selfHosted, control } = running.target()
  const { port } = new URL(selfHosted.baseUrl)
  const readProbe = async () => {
    const answer = await fetch(`${control!.baseUrl}/ready`)
    return [answer.status, await answer.json()]
  }
  expect(await readProbe()).toEqual([200, { status: 'ready' }])

  const [idle, underWay] = [await open(port), await open(port)]
  idle.send('GET /health HTTP/1.1\r\nhost: a\r\n\r\n')
  await idle.waitFor('200 OK')
  const body = '{"name":"Under way","tiles":[]}'
  const headers = `host: a\r\nauthorization: Bearer ${selfHosted.apiKey}\r\ncontent-type: application/json\r\n`
  underWay.send(
    `POST /api/v2/dashboards HTTP/1.1\r\n${headers}expect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n`,
  )
  await underWay.waitFor('100 Continue')

  const closing = running.close()
  expect(await idle.readToEnd()).not.toContain('connection: close')
  expect(await readProbe()).toEqual([503, { status: 'draining' }])
  expect((await fetch(`${control!.baseUrl}/health`)).status).toBe(200)
  await expect(open(port)).rejects.toThrow('ECONNREFUSED')
  underWay.send(body)
  const answer = await underWay.readToEnd()
  expect(answer).toMatch(/HTTP\/1\.1 200 OK\r\n(.+\r\n)*connection: close\r\n/i)
  expect(answer).toContain('Under way')
  await closing
  await expect(readProbe()).rejects.toThrow('fetch failed')
})

it('a closing mock answers all pipelined calls of a connection, and closes the connection after the last', async () => {
  const running = await startMock({ drainMs: 60_000 })
  running.mock.stub({ when: {}, answer: { delayMs: 100 } })
  const pipelining = await open(new URL(running.target().selfHosted.baseUrl).port)
  pipelining.send('GET /1 HTTP/1.1\r\nhost: a\r\n\r\nGET /2 HTTP/1.1\r\nhost: a\r\n\r\n')
  await expect.poll(() => running.mock.calls().length).toBe(1)
  const closing = running.close()
  const heads = (await pipelining.readToEnd()).match(/HTTP\/1\.1 \d+|^connection: [a-z-]+/gim)
  expect(heads).toEqual(['HTTP/1.1 200', 'Connection: keep-alive', 'HTTP/1.1 200', 'connection: close'])
  await closing
})

it('a closing mock finishes an answer whose headers are sent, and closes the connection', async () => {
  const running = await startMock({ drainMs: 60_000 })
  // More than the socket buffers of the system can hold.
  const body = 'x'.repeat(32 * 1024 * 1024)
  running.mock.stub({ when: {}, answer: { body } })
  const slow = await open(new URL(running.target().selfHosted.baseUrl).port)
  slow.send('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await slow.waitFor('200 OK')
  slow.pause()
  const closing = running.close()
  slow.resume()
  const received = await slow.readToEnd()
  expect(received.slice(0, 1000)).toContain('Connection: keep-alive')
  expect(received.endsWith(`\r\n\r\n${body}`)).toBe(true)
  await closing
})

it('a closing mock breaks off a call that is not answered in time', async () => {
  const running = await startMock({ drainMs: 0 })
  const { port } = new URL(running.target().cloud.baseUrl)
  const late = await open(port)
  late.send('POST /v1/x HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 9\r\n\r\n')
  await late.waitFor('100 Continue')
  await running.close()
  expect(await late.readToEnd().catch(() => 'broken off')).not.toContain('HTTP/1.1 4')
})

it('a server that is no net server, as in Bun, is closed by its own close()', async () => {
  let isClosed = false
  const server = Object.assign(new EventEmitter(), {
    closeIdleConnections() {},
    close(closed?: () => void) {
      isClosed = true
      closed?.()
    },
  })
  await trackConnections(server as Server)(1000)
  expect(isClosed).toBe(true)
})
