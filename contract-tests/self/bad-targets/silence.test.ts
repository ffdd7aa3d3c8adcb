import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { exitStatus } from '../../report/exit-status.ts'
import { createFolder, startCommand } from '../command/run-command.ts'
import { withControl } from '../control.ts'
import { clients, expectFailure, judge } from './judge.ts'
import { secrets, startHttpTarget, startSocketTarget, targetAt } from './start-target.ts'

/** No answer, or an incomplete one, is an error of the run, not a broken rule. */

describe.each(clients)('a target that gives no complete answer (client: %s)', (_, createClient) => {
  it('gets no more requests after a few timeouts when it hangs', async () => {
    const bad = await startSocketTarget(() => {})
    const report = await judge(bad, createClient, { timeout: 300 })
    expectFailure(report, /got no answer: .*(?:timeout|Timeout|ETIMEDOUT)/i)
    expect(report.requests).toBeLessThan(20)
    expect(exitStatus(report)).toBe(2)
  })

  it.each([
    ['a status line', 'H'],
    ['header fields', 'HTTP/1.1 200 OK\r\nx-a: '],
    ['a body', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n'],
  ])('counts as silent when it sends %s byte by byte without end', async (_, beginning) => {
    const bad = await startSocketTarget(socket => {
      socket.write(beginning)
      const dripping = setInterval(() => socket.write(beginning === 'H' ? 'T' : 'a'), 50)
      socket.on('close', () => clearInterval(dripping))
    })
    expectFailure(await judge(bad, createClient, { timeout: 300 }), /got no answer/)
  })

  it.each([
    ['resets the connection', ''],
    ['closes the connection within the header fields', 'HTTP/1.1 200 OK\r\ncontent-le'],
    [
      'closes the connection within a body of known length',
      'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"status": 200',
    ],
    [
      'closes the connection within a chunk',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\n{"status": 200',
    ],
    ['does not speak HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['sends two different content-lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'],
    ['sends a content-length that is not a number', 'HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n{}'],
    ['sends chunks without sizes', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{}\r\n'],
    ['labels plain text as gzip', 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}'],
    ['sends 100 Continue and no answer', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('breaks no rule when it %s', async (_, bytes) => {
    const bad = await startSocketTarget(socket => {
      if (bytes === '') socket.resetAndDestroy()
      else socket.end(bytes)
    })
    expectFailure(await judge(bad, createClient, { timeout: 1000 }), /got no answer/)
    await expect.poll(() => bad.sockets.size).toBe(0)
  })

  it('is reported with ECONNREFUSED when nothing listens at its address', async () => {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    await new Promise(resolve => server.close(resolve))
    const report = await judge({ target: targetAt(`http://127.0.0.1:${port}`) }, createClient)
    expectFailure(report, /ECONNREFUSED/)
    expect(report.requests).toBeLessThan(20)
  })

  it('does not prolong the run when only its writes hang', async () => {
    const bad = await startHttpTarget((request, response) => {
      if (request.method === 'GET' || request.method === 'HEAD') response.end('[]')
    })
    const report = await judge(bad, createClient, { timeout: 100 })
    expect(report.rules.filter(({ id }) => id === 'dashboard/create-answers').map(({ outcome }) => outcome)).toEqual([
      'errored',
      'errored',
    ])
  })

  it('does not keep the form at another address from being judged', async () => {
    const [silent, speaking] = [
      await startSocketTarget(() => {}),
      await startHttpTarget((_, response) => response.end('[]')),
    ]
    const { cloud } = silent.target
    const report = await judge(
      { target: { ...silent.target, cloud, selfHosted: speaking.target.selfHosted } },
      createClient,
      {
        timeout: 300,
      },
    )
    const judged = report.rules.filter(({ outcome }) => outcome === 'held' || outcome === 'broken')
    expect([...new Set(judged.map(({ form }) => form))]).toEqual(['selfHosted'])
  })
})

describe('stack-parity verify on a target that hangs', () => {
  it('reports the timeout, exits with 2 and leaves no files behind', async () => {
    const bad = await startSocketTarget(() => {})
    const folder = createFolder()
    const report = folder.path('report.json')
    const args = [
      '--target',
      folder.write('target.json', await withControl(bad.target)),
      '--timeout',
      '300',
      '--report',
      `json=${report}`,
    ]
    const { finished } = startCommand(['verify', ...args], { TMPDIR: folder.path('') })
    const { status, stdout, stderr } = await finished
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^\S+ records what this run creates\. .+\n$/)])
    expect(stdout).toMatch(
      /^cloud, managed not judged \(\d+ must rules\): http:\S+ did not answer in time \(GET \S+ got no answer: Timeout of 300ms exceeded\): verify --timeout MS waits longer$/m,
    )
    for (const secret of Object.values(secrets)) expect(stdout).not.toContain(secret)
    expect(readdirSync(folder.path('')).sort()).toEqual(['report.json', 'target.json'])
  })
})
