import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { RuleId } from '../../../fixtures/contract/index.ts'
import { reporters } from '../../report/index.ts'
import type { Report } from '../../report/report.ts'
import { withControl } from '../control.ts'
import { startOtherDeployment } from '../other-deployment/index.ts'
import { startMock } from '../start-mock.ts'
import { cli, createFolder, runCommand } from './run-command.ts'

async function mockWith(...faults: RuleId[]) {
  const running = await startMock({ faults })
  onTestFinished(running.close)
  return running
}

/**
 * Method and path pattern of each request, sorted. Reads and deletions count once for each object, because a run repeats them
 * until an operation is complete; requests with a body count each time.
 */
function patternsOf(requests: readonly string[]): string[] {
  const paths = requests.map(one => decodeURIComponent(one).replace(/ +/, ' ').replace(/\?.*/, ''))
  const isRepeated = (one: string) => /^(?:GET|HEAD|DELETE)/.test(one)
  const counted = [...new Set(paths.filter(isRepeated)), ...paths.filter(one => !isRepeated(one))]
  // Replaces ids, and the placeholders of ids in a plan; user-defined functions have names as ids.
  return counted
    .map(one =>
      one.replace(/\{[^}]*\}|[\da-f]{8}-[\da-f-]{27}|[\da-f]{24}|(?<=\/(?:udfs|slowQueryPatterns)\/)[^/]+/g, '*'),
    )
    .toSorted()
}

describe('stack-parity verify', () => {
  it('starts a mock when no target is given, finds no broken rule, and exits with 0', async () => {
    const { status, stdout } = await runCommand('verify')
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /^mock, \d+ rules in 3 forms: \d+ held.*, 0 broken, \d+ observed, \d+ not applicable, 0 drifted · \d+ requests in/m,
    )
    expect(stdout).toContain('§5 Authentication')
  })

  it('exits with 1 on a broken must rule, and prints both values, their place and a curl line', async () => {
    const { target } = await mockWith('member/role-is-admin-or-developer')
    const file = createFolder().write('target.json', target)
    const { status, stdout } = await runCommand('verify', '--target', file, '--rule', 'member/')
    expect(status).toBe(1)
    expect(stdout).toMatch(/✗ member\/role-is-admin-or-developer/)
    expect(stdout).toMatch(/expected one of admin, developer, got .* at \$\.result\[\d+\]\.role/)
    expect(stdout).toContain('curl -sS -i -u "$CLOUD_KEY_ID:$CLOUD_KEY_SECRET"')
  })

  it('passes when only a documented rule is broken, and fails with --strict', async () => {
    const { target } = await mockWith('key/secret-is-shown-once')
    const documented = createFolder().write('target.json', target)
    const [usual, should, strict] = await Promise.all(
      [[], ['--fail-on', 'should'], ['--strict']].map(more =>
        runCommand('verify', '--target', documented, '--rule', 'key/', ...more),
      ),
    )
    expect([usual!.status, should!.status]).toEqual([0, 0])
    expect(usual!.stdout.trimEnd()).toMatch(/ · green: 1 documented rule is broken; --fail-on documented fails on it$/)
    expect(strict!.status).toBe(1)
    expect(strict!.stdout).not.toContain('green:')
  })

  it('exits with 1 when reading alerts answers 500, and names the broken rule', async () => {
    const { target, mock } = await mockWith()
    for (const path of ['/api/v2/alerts', '/api/v2/alerts/*'])
      mock.stub({ when: { method: 'GET', path }, answer: { status: 500, body: { message: 'down' } } })
    const file = createFolder().write('target.json', target)
    const given = ['verify', '--target', file, '--forms', 'selfHosted', '--rule', 'alert/']
    const { status, stdout } = await runCommand(...given)
    expect(status).toBe(1)
    expect(stdout).toContain('✗ alert/list-answers should')
    expect((await runCommand(...given, '--fail-on', 'must')).status).toBe(0)
  })

  it('passes with a rule that is known to be broken, and fails when the rule holds again', async () => {
    const folder = createFolder()
    const list = folder.write('known.txt', 'member/name-is-a-string # they know\n\n')
    const broken = await mockWith('member/name-is-a-string')
    const whole = await mockWith()
    const given = ['verify', '--rule', 'member/', '--known-broken', list, '--target']
    const good = await runCommand(...given, folder.write('broken.json', broken.target))
    expect([good.status, good.stdout.includes('1 known broken')]).toEqual([0, true])
    const stale = await runCommand(...given, folder.write('whole.json', whole.target))
    expect([stale.status, stale.stdout.includes('take it off the list')]).toEqual([1, true])
  })

  it('sends only GET and HEAD with --read-only', async () => {
    const { target, mock } = await mockWith()
    const { status, stdout } = await runCommand(
      'verify',
      '--read-only',
      '--target',
      createFolder().write('target.json', target),
    )
    expect(status).toBe(0)
    const methods = new Set(mock.calls(1000).map(call => call.request.method))
    expect([...methods].sort()).toEqual(['GET', 'HEAD'])
    expect(stdout).toContain('it writes, and this run is read-only')
  })

  it.each([[[]], [['--read-only']]])(
    'prints with --plan %j the requests that a run on a mock then sends, and sends nothing itself',
    async args => {
      const { target, mock } = await mockWith()
      const file = createFolder().write('target.json', target)
      const { status, stdout } = await runCommand('verify', '--plan', '--target', file, ...args)
      expect([status, mock.calls(10)]).toEqual([0, []])
      expect(stdout).toMatch(/^\d+ requests.* Nothing was sent\.$/m)
      for (const secret of [target.cloud!.keySecret, target.selfHosted!.apiKey]) expect(stdout).not.toContain(secret)
      if (args.length === 0) {
        expect(stdout).toContain('POST    /api/v2/charts/series')
        expect(stdout).toContain('creates an alert with the nine fields of the sample')
        expect(stdout).toMatch(
          /, \d+ of them reads that are repeated .*; the last delete what the run creates\. Nothing/,
        )
      }
      const lines = stdout.match(/^[A-Z]+ +\/.*$/gm) ?? []
      const planned = lines.filter(line => !line.includes('/control/calls'))
      await runCommand('verify', '--target', file, ...args)
      const sent = mock
        .calls(10_000)
        .flatMap(({ host, request: { method, path } }) => (host === 'webhook' ? [] : `${method} ${path}`))
      expect(patternsOf(planned).toSorted()).toEqual(patternsOf(sent).toSorted())
      // How often the journal is read for notifications depends on how soon the next minute begins.
      const journalReads = Number(/^(\d+) requests/m.exec(stdout)![1]) - sent.length
      expect(journalReads).toBeGreaterThanOrEqual(lines.length - planned.length)
      expect(journalReads).toBeLessThan(60)
    },
  )

  it.each(['--plan', '--report json=-'])('writes the whole output of %s to a slow reader', async args => {
    // The reader starts late, when the pipe is full: a process that exits without waiting would lose the rest.
    const script = `"$0" "$1" verify ${args} | { sleep 1; cat; }`
    const run = () => promisify(execFile)('bash', ['-c', script, process.execPath, cli], { maxBuffer: 2 ** 24 })
    const { stdout } = await run()
    expect(stdout.length).toBeGreaterThan(64 * 1024)
    expect(stdout).toMatch(args === '--plan' ? /^\d+ requests.*Nothing was sent\.$/m : /\n\}\n$/)
  })

  it('prints a read-only plan without deletions, and at once even for a remote deployment', async () => {
    const selfHosted = { baseUrl: 'https://observability.invalid', apiKey: 'secret' }
    const file = createFolder().write('target.json', { selfHosted })
    const { stdout } = await runCommand('verify', '--plan', '--read-only', '--target', file)
    expect(stdout).toMatch(
      /^About \d+ requests, \d\.\d for each of \d+ operations that are read\. Nothing was sent\.$/m,
    )
    expect(stdout).toContain('It may be more or fewer: how many items and pages the lists have shows only in a run.')
    expect(stdout).not.toMatch(/^DELETE/m)
  })

  it('sends no more than --max-requests requests, and leaves nothing behind', async () => {
    const { target, mock } = await mockWith()
    const { stdout } = await runCommand(
      'verify',
      '--max-requests',
      '30',
      '--target',
      createFolder().write('target.json', target),
    )
    expect(mock.calls(1000).length).toBeLessThanOrEqual(30)
    expect(mock.calls(1000).length).toBeGreaterThan(20)
    expect(stdout).not.toContain('Left behind')
    expect(stdout).toContain('--max-requests 30 was reached')
  })

  it('keeps to --rate, and announces the number of requests and the duration', async () => {
    const { target } = await mockWith()
    const file = createFolder().write('target.json', target)
    const { stdout, stderr } = await runCommand(
      'verify',
      '--section',
      '2.2',
      '--rate',
      '10',
      '--report',
      'json=-',
      '--target',
      file,
    )
    const report = JSON.parse(stdout)
    const [, count, seconds] = /^About (\d+) requests at 10 a second: about (\d+) s\.\n/.exec(stderr) ?? []
    expect(Number(count)).toBe(report.requests)
    expect(Number(seconds)).toBe(Math.ceil(report.requests / 10))
    expect(report.requests).toBeGreaterThan(2)
    expect(report.durationMs).toBeGreaterThanOrEqual((report.requests - 1) * 100 - 20)
  })

  it('writes only the json report to stdout, and the text for a person to stderr', async () => {
    const { stdout, stderr } = await runCommand('verify', '--section', '2.2', '--report', 'json=-')
    expect(JSON.parse(stdout).tool.name).toBe('stack-parity')
    expect(stderr).toContain('§2.2 Member')
  })

  it('reports a target as unreachable, not as broken, when nothing answers', async () => {
    const { target, close } = await startMock()
    await close()
    const { status, stdout } = await runCommand('verify', '--target', createFolder().write('target.json', target))
    expect(status).toBe(2)
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(
        /^cloud, managed not judged \(\d+ must rules\): http:\S+ cannot be reached \(ECONNREFUSED: .*\): check cloud\.baseUrl, and that it is up$/,
      ),
      expect.stringMatching(/^self-hosted not judged .*ECONNREFUSED.*: check selfHosted\.baseUrl, and that it is up$/),
      expect.stringContaining(' 0 held, 0 broken'),
    ])
  })

  it('suggests http: when a port does not speak TLS', async () => {
    const { target } = await mockWith()
    const https = { ...target.selfHosted, baseUrl: target.selfHosted!.baseUrl.replace('http:', 'https:') }
    const file = createFolder().write('target.json', { selfHosted: https })
    const { status, stdout } = await runCommand('verify', '--target', file)
    expect(status).toBe(2)
    expect(stdout).toMatch(
      /^self-hosted not judged .* cannot be reached \(it speaks no TLS: is http: meant\?\): check /m,
    )
    expect(stdout).not.toMatch(/Left behind|openssl/)
  })

  it('refuses to send credentials over http: beyond loopback without --insecure', async () => {
    const { status, stderr } = await runCommand(
      'verify',
      '--target',
      createFolder().write('target.json', { selfHosted: { baseUrl: 'http://api.example.test', apiKey: 'k' } }),
    )
    expect(status).toBe(2)
    expect(stderr).toContain('http://api.example.test would get the credentials unencrypted')
  })

  it('does not count 127.0.0.1.evil.example as loopback', async () => {
    const target = { selfHosted: { baseUrl: 'http://127.0.0.1.evil.example', apiKey: 'k' } }
    const { status, stderr } = await runCommand('verify', '--target', createFolder().write('target.json', target))
    expect([status, stderr]).toEqual([2, expect.stringContaining('unencrypted')])
  })

  it('reports a broken must rule for a success without a body', async () => {
    const server = createServer((request, response) => {
      response.statusCode = request.url?.endsWith('/members') && request.headers.authorization ? 200 : 401
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const target = { cloud: { baseUrl, keyId: 'id', keySecret: 'secret', organizationId: crypto.randomUUID() } }
    const file = createFolder().write('target.json', await withControl(target))
    const { status, stdout } = await runCommand('verify', '--target', file)
    expect([status, stdout]).toEqual([1, expect.stringMatching(/✗ service\/answers-are-json/)])
  })

  it('keeps secrets out of the report even when a target echoes slightly wrong credentials', async () => {
    const server = createServer((request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ status: 401, error: `bad header ${request.headers.authorization}` }))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const [keySecret, apiKey] = ['a-secret-that-must-not-show', crypto.randomUUID()]
    const target = {
      cloud: { baseUrl, keyId: 'key-id', keySecret, organizationId: crypto.randomUUID() },
      selfHosted: { baseUrl, apiKey },
    }
    const { stdout } = await runCommand(
      'verify',
      '--report',
      'json=-',
      '--target',
      createFolder().write('target.json', target),
    )
    const words = stdout.match(/[\w+/=-]{8,}/g) ?? []
    const forms = words.flatMap(word => [word, Buffer.from(word, 'base64').toString('latin1')]).join(' ')
    for (const part of [keySecret.slice(0, 12), keySecret.slice(-12), apiKey.slice(0, 12)])
      expect(forms).not.toContain(part)
  })

  it('passes on a mock of the real cloud with --known-broken clickhouse-cloud, the list of what breaks there', async () => {
    const { close, target } = await startMock({ as: 'clickhouse-cloud', segment: 'clickstack' })
    onTestFinished(close)
    // The control plane lets the run advance the clock over the lags of the real cloud.
    const { cloud, control } = target
    const file = createFolder().write('target.json', { cloud, control })
    const given = ['--target', file, '--known-broken', 'clickhouse-cloud', '--report', 'json=-']
    const { status, stdout, stderr } = await runCommand('verify', '--strict', ...given)
    expect(stderr).toMatch(/ 0 broken, .* 2 known broken/)
    expect(status).toBe(0)
    const known = (JSON.parse(stdout) as Report).rules.filter(({ outcome }) => outcome === 'known-broken')
    const ids = ['envelope/delete-carries-a-result', 'webhook/absent-in-managed-form']
    expect([...new Set(known.map(({ id }) => id))].sort()).toEqual(ids)
  })

  it('does not report a known-broken rule as stale when it is broken on one form only', async () => {
    const { target } = await mockWith('path/malformed-service-id-is-refused')
    const { cloud, control } = target
    const folder = createFolder()
    const list = folder.write('known.txt', 'path/malformed-service-id-is-refused')
    const file = folder.write('target.json', { cloud, control })
    expect(
      (await runCommand('verify', '--strict', '--rule', 'path/', '--target', file, '--known-broken', list)).status,
    ).toBe(0)
  })

  it.each([
    [['verify', '--drift', 'error'], '--drift gates what --baseline FILE or --document FILE finds'],
    [['verify', '--targte', 'x'], 'Did you mean --target?'],
    [['verify', '--target'], '--target needs a value'],
    [['verify', '--target', '/no/such/file.json'], '--target /no/such/file.json: there is no such file'],
    [['verify', '--zzzz'], 'there is no option --zzzz. stack-parity verify --help lists them.'],
    [['verify', '--rule', 'zzzz'], '--rule zzzz: no such id or prefix. stack-parity verify --list prints them all.'],
    [
      ['verify', '--rule', 'alert/list-answer5'],
      '--rule alert/list-answer5: no such id or prefix. Did you mean alert/list-answers?',
    ],
    [
      ['verify', '--section', '2.2', '--section', '99'],
      '--section 99: there is no rule of this section, only of 1, 2.1,',
    ],
    [['verify', '--section', '2.2', '--rule', 'alert/'], '--section 2.2 and --rule alert/ have no rule in common'],
    [
      ['verify', '--baseline', 'self-hosted-2.23'],
      '--baseline self-hosted-2.23: there is no such file, and no baseline of this name. Did you mean self-hosted-2.24?',
    ],
    [
      ['verify', '--known-broken', '/no/such'],
      '--known-broken /no/such: there is no such file, and no list of this name. The package ships clickhouse-cloud.',
    ],
    [['verify', '--har', import.meta.filename], `--har ${import.meta.filename}: it is not JSON`],
    [['verify', '--document', '/'], '--document /: the file cannot be read (EISDIR)'],
    [
      ['verify', '--har', import.meta.filename, '--document', import.meta.filename],
      `--document ${import.meta.filename}: it is neither JSON nor YAML`,
    ],
    [
      ['verify', '--report', 'json=/no/such/report.json'],
      '--report /no/such/report.json: there is no folder /no/such.',
    ],
    [['verify', '--update-baseline', '/no/such.json'], '--update-baseline /no/such.json: there is no folder /no.'],
    [['verify', '--max-requests', '1.5'], '--max-requests takes a whole number above 0, not "1.5"'],
    [['verify', '--rate', '0'], '--rate takes a number above 0, at least 0.000001, not "0"'],
    [['verify', '--timeout', '1e99'], '--timeout takes a number of milliseconds above 0, up to 2147483647, not "1e99"'],
    [['verify', '--report', 'pdf=x'], '--report takes KIND=FILE'],
    [['verify', '--drift', 'some', '--baseline', 'self-hosted-2.24'], '--drift takes warn, error, strict'],
    [['verify', '--read-only', '--allow-writes'], 'exclude each other'],
    [['verify', '--timeout', 'soon'], '--timeout takes a number of milliseconds above 0'],
    [['compare', '--target', 'x'], 'two targets are needed'],
    [['sweep', '--target', 'x'], 'both --target FILE and --ledger FILE are needed'],
  ])('refuses %j with a reason and exit status 2', async (args, sentence) => {
    const { status, stderr } = await runCommand(...args)
    expect([status, stderr]).toEqual([2, expect.stringContaining(sentence)])
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  it('reads secrets from environment variables, and names one that is not set', async () => {
    const file = createFolder().write('target.json', {
      selfHosted: { baseUrl: 'http://127.0.0.1:9', apiKey: '$NO_SUCH_KEY' },
    })
    const { status, stderr } = await runCommand('verify', '--target', file)
    expect([status, stderr]).toEqual([2, expect.stringContaining('NO_SUCH_KEY is not set')])
  })

  it('shows no secret in any output, even when rules are broken', async () => {
    const { target } = await startOtherDeployment()
    const folder = createFolder()
    const known = await mockWith(
      'auth/no-credentials-are-refused',
      'member/email-is-an-address',
      'envelope/status-equals-http',
    )
    for (const one of [target, known.target]) {
      const kinds = Object.keys(reporters)
      const reports = kinds.flatMap(kind => ['--report', `${kind}=${folder.path(`report.${kind}`)}`])
      const { stdout, stderr } = await runCommand(
        'verify',
        '--target',
        folder.write('target.json', one),
        '--ledger',
        folder.path('ledger'),
        ...reports,
      )
      const outputs = [
        stdout,
        stderr,
        ...[...kinds.map(kind => `report.${kind}`), 'ledger'].map(name => readFileSync(folder.path(name), 'utf8')),
      ]
      const { cloud, selfHosted } = one
      const secrets = [
        cloud!.keySecret,
        cloud!.secondKeySecret,
        selfHosted!.apiKey,
        selfHosted!.ingestionKey,
        btoa(`${cloud!.keyId}:${cloud!.keySecret}`),
      ]
      for (const output of outputs) for (const secret of secrets) expect(output).not.toContain(secret)
    }
  })
})
