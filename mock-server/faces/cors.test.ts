import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { startMock } from './serve.ts'

const page = 'http://localhost:3000'

/** What comes back for these bytes, to the last. */
async function send(base: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  socket.end(bytes)
  return text(socket)
}

it.each([
  ['a request without a host', `GET / HTTP/1.1\r\nOrigin: ${page}\r\n\r\n`, page],
  ['what cannot be read, so that nobody knows who asked', 'GET / HTTP/7\r\n\r\n', '*'],
])('a page may read the refusal of %s by the APIs, not by the control plane', async (_, bytes, allowed) => {
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
