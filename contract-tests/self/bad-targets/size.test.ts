import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createFolder, startCommand } from '../command/run-command.ts'
import { withControl } from '../control.ts'
import { clients, expectFailure, judge } from './judge.ts'
import { startHttpTarget, startSocketTarget } from './start-target.ts'

/** A target that sends too much: reading stops, and memory stays bounded. */

const mebibyte = 1024 * 1024
const zeros = Buffer.alloc(mebibyte)
const bomb = gzipSync(Buffer.alloc(100 * mebibyte))

/** Writes up to `bytes` zeros at the pace of the reader. */
function pour(into: NodeJS.WritableStream, bytes: number): void {
  let left = bytes
  const more = () => {
    while (left > 0) {
      left -= zeros.length
      if (!into.write(zeros)) return void into.once('drain', more)
    }
    into.end()
  }
  more()
}

describe.each(clients)('a target that sends too much (client: %s)', (_, createClient) => {
  it.each<[string, (response: ServerResponse) => void]>([
    ['a hundred megabytes', response => pour(response, 100 * mebibyte)],
    ['an endless body', response => pour(response, Number.POSITIVE_INFINITY)],
    ['a gzip bomb', response => response.setHeader('content-encoding', 'gzip').end(bomb)],
  ])('is read no further than 8 MiB when it sends %s', async (_, send) => {
    let [sent, open] = [0, 0]
    const bad = await startHttpTarget((_, response) => {
      open++
      response.on('close', () => {
        open--
        sent = Math.max(sent, response.socket?.bytesWritten ?? 0)
      })
      send(response)
    })
    const report = await judge(bad, createClient, { timeout: 5000 })
    expectFailure(report, /got no answer: the answer is over 8 MiB/)
    await expect.poll(() => open).toBe(0)
    expect(sent).toBeLessThan(32 * mebibyte)
  })

  it('breaks no rule when it sends 100 000 header fields', async () => {
    const fields = Array.from({ length: 100_000 }, (_, index) => `x-${index}: a\r\n`).join('')
    const bad = await startSocketTarget(socket => socket.end(`HTTP/1.1 200 OK\r\n${fields}\r\n`))
    expectFailure(await judge(bad, createClient, { timeout: 5000 }), /got no answer: .*(?:header|overflow)/i)
  })

  it('breaks no rule when it sends 100 000 nested arrays', async () => {
    const bad = await startHttpTarget((_, response) => response.end('['.repeat(100_000) + ']'.repeat(100_000)))
    expectFailure(await judge(bad, createClient, { timeout: 5000 }), /is nested deeper than 100 levels/)
  })
})

describe('the memory of a run', () => {
  it.each([
    ['objects', `{"status":200,"result":[${'{},'.repeat(1_000_000)}{}]}`],
    [
      'long names',
      `{"${'k'.repeat(3_000_000)}":{"id":"1"},"a":${'{"a":'.repeat(90)}{"${'k'.repeat(3_000_000)}":0}${'}'.repeat(90)}}`,
    ],
  ])(
    'stays bounded when every answer is megabytes of %s',
    async (_, body) => {
      const bad = await startHttpTarget((_, response) => {
        response.setHeader('content-type', 'application/json')
        response.end(body)
      })
      const folder = createFolder()
      const { finished } = startCommand(
        [
          'verify',
          '--target',
          folder.write('target.json', await withControl(bad.target)),
          '--ledger',
          folder.path('ledger'),
        ],
        { NODE_OPTIONS: '--max-old-space-size=1024' },
      )
      const { status, stdout, stderr } = await finished
      expect(stderr).toMatch(/^.+ records what this run creates\. .+\n$/)
      expect(status).toBeLessThanOrEqual(2)
      // On a slow machine the run may end because it loses the connection instead.
      expect(stdout).toMatch(/its answers took up more than 256 MiB of memory|the target does not answer/)
    },
    60_000,
  )
})
