import { describe, expect, it, onTestFinished } from 'vitest'
import { startHttpTarget } from '../bad-targets/start-target.ts'
import { startMock } from '../start-mock.ts'
import { createFolder, runCommand } from './run-command.ts'

async function start(options: Parameters<typeof startMock>[0]) {
  const running = await startMock(options)
  onTestFinished(running.close)
  return running
}

describe('stack-parity compare', () => {
  it('finds no difference between two deployments of the same world', async () => {
    const now = Date.parse('2026-01-05T10:00:00Z')
    const [one, other] = [await start({ now, freeze: true }), await start({ now, freeze: true })]
    const folder = createFolder()
    const { status, stdout } = await runCommand(
      'compare',
      '--target',
      folder.write('a.json', one.target),
      '--target',
      folder.write('b.json', other.target),
    )
    const at = (mock: typeof one) => `mock at ${mock.target.selfHosted!.baseUrl}`
    expect(stdout).toMatch(/^nothing differs between .+, \d+ requests each\n$/)
    expect(stdout).toContain(`between ${at(one)} and ${at(other)}, `)
    expect(status).toBe(0)
  })

  it('finds no difference of backups, snapshots and dates between equal worlds that started at other times', async () => {
    // The second is six weeks later, to the hour of a day of the week.
    const starts = ['2026-01-05T10:00:00Z', '2026-02-16T10:00:00Z'].map(now =>
      start({ now: Date.parse(now), logs: 1000 }),
    )
    const folder = createFolder()
    const files = (await Promise.all(starts)).map(({ target }, index) => folder.write(`${index}.json`, target))
    const { stdout } = await runCommand('compare', '--target', files[0]!, '--target', files[1]!)
    expect(stdout).not.toMatch(/sizeInBytes|backupName|description/)
  })

  it('ignores values that change with the clock, and reports those that change their type', async () => {
    const { target, mock } = await start({ logs: 1000 })
    const folder = createFolder()
    const file = folder.write('a.json', target)
    const compareWithItself = () => runCommand('compare', '--target', file, '--target', file)
    expect((await compareWithItself()).stdout).toMatch(/^nothing differs between .+\n$/)

    // Only the first request gets a number.
    let requests = 0
    mock.stub({
      when: { operation: 'creditBalances.get' },
      change: answer => {
        if (++requests > 1) answer.body.result.totalRemainingCredits = 'much'
      },
    })
    expect((await compareWithItself()).stdout).toMatch(/^ {2}\$\.result\.totalRemainingCredits: "<number>" \| "much"$/m)
  })

  it('prints equal differences once, and shortens long lists of rules', async () => {
    const [one, other] = [
      await start({}),
      await start({
        choices: { selfHosted: { 'auth/missing-credentials': '401 text' } },
        faults: ['source/list-answers', 'member/name-is-a-string'],
      }),
    ]
    const folder = createFolder()
    const files = [folder.write('a.json', one.target), folder.write('b.json', other.target)]
    const { status, stdout } = await runCommand('compare', '--target', files[0]!, '--target', files[1]!)
    expect(status).toBe(1)
    const [first] = stdout.split('\n')
    expect(first).toBe(`mock at ${one.target.selfHosted!.baseUrl} | mock at ${other.target.selfHosted!.baseUrl}`)
    expect(stdout).toMatch(
      / as none and \d+ more requests auth\/no-credentials-are-refused-elsewhere\n {2}content type: /,
    )
    expect(stdout.match(/auth\/no-credentials-are-refused-elsewhere\n/g)).toHaveLength(1)
    expect(stdout).toMatch(/^cloud:member\.list member\/user-id-is-a-string, .*, and \d+ more rules\n/m)
    expect(stdout).toMatch(/^source\/list-answers managed, selfHosted\n {2}outcome: "held" \| "broken"$/m)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThan(220)
  })

  it('reports a deployment that cannot be read as an error with its reason, not as different', async () => {
    const { target } = await start({})
    const folder = createFolder()
    const wrong = {
      ...target,
      cloud: { ...target.cloud, keySecret: 'wrong' },
      selfHosted: { ...target.selfHosted, apiKey: 'wrong' },
    }
    const files = [folder.write('a.json', target), folder.write('wrong.json', wrong)]
    const { status, stdout, stderr } = await runCommand('compare', '--target', files[0]!, '--target', files[1]!)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toBe(
      `stack-parity compare: mock of ${files[1]} could not be read: the credentials were refused (401 to GET /v1/organizations/${target.cloud!.organizationId}/members): check cloud.keyId and cloud.keySecret.\n`,
    )
  })

  it('escapes control characters and workflow commands in the texts of a deployment', async () => {
    const evil = '\u001b]0;title\u0007\u001b[2J\n::error::forged\u202e'
    const bodies = ['one', 'two'].map(word => ({ data: [{ id: 'a', name: word, [evil]: `${word}\u009b31m\u202e` }] }))
    const targets = await Promise.all(
      bodies.map(body =>
        startHttpTarget((_, response) =>
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
        ),
      ),
    )
    const folder = createFolder()
    const files = targets.map(({ target: { selfHosted } }, index) =>
      folder.write(`${index}.json`, { name: `${index}`, selfHosted }),
    )
    const { status, stdout } = await runCommand(
      'compare',
      '--rate',
      '1000',
      '--target',
      files[0]!,
      '--target',
      files[1]!,
    )
    expect(status).toBe(1)
    expect(stdout).toContain(String.raw`\u{1b}]0;title\u{7}\u{1b}[2J\n::error::forged\u{202e}: "one\u{9b}31m`)
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|^::/mu)
  })

  it('prints each difference with its rule and both values, and sends only GET and HEAD', async () => {
    const [one, other] = [
      await start({}),
      await start({ choices: { selfHosted: { 'path/wrong-method': '404 html' } } }),
    ]
    const folder = createFolder()
    const { status, stdout } = await runCommand(
      'compare',
      '--target',
      folder.write('a.json', one.target),
      '--target',
      folder.write('b.json', other.target),
    )
    expect(status).toBe(1)
    expect(stdout).toMatch(/selfHosted:chart\.get .*path\/wrong-method\n {2}status: 405 \| 404/)
    expect(one.mock.calls(1000).every(call => ['GET', 'HEAD'].includes(call.request.method))).toBe(true)
  })
})
