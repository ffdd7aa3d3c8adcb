import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { startMock } from './serve.ts'

const page = 'http://localhost:3000'

/** Sends bytes, and returns the whole answer. */
async function send(base: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  socket.end(bytes)
  return text(socket)
}

it.each([
  ['a request without a Host header', `GET / HTTP/1.1\r\nOrigin: ${page}\r\n\r\n`, page],
  ['an unreadable request, whose origin is unknown', 'GET / HTTP/7\r\n\r\n', '*'],
])('a page can read how the APIs refuse %s, but not how the control plane does', async (_, bytes, allowed) => {
  const running = await startMock()
  onTestFinished(() => running.close())
  const { cloud, selfHosted, control } = running.target()
  for (const { baseUrl } of [cloud, selfHosted]) {
    const answer = await send(baseUrl, bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain(`access-control-allow-origin: ${allowed}\r\n`)
  }
  expect(await send(control!.baseUrl, bytes)).not.toContain('access-control')
})
