import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Report } from '../../report/report.ts'
import { startMock } from '../start-mock.ts'
import { createFolder, runCommand, startCommand } from './run-command.ts'

/** The output of `verify` for a person, a shell and a program. */

async function mockWith(...faults: RuleId[]) {
  const running = await startMock({ faults })
  onTestFinished(running.close)
  return running
}

const run = promisify(execFile)
const hasCurl = spawnSync('bash', ['-c', 'curl --version']).status === 0
const statusOf = (answer: string) => Number(/^HTTP\/[\d.]+ (\d+)/.exec(answer)?.[1])

describe('the counts of a run', () => {
  it('are the same on the terminal and in every report, and count each rule once', async () => {
    const { target } = await mockWith('auth/no-credentials-are-refused', 'source/list-answers')
    const folder = createFolder()
    const kinds = ['json', 'markdown', 'html', 'junit', 'ctrf', 'github']
    const { stdout } = await runCommand(
      'verify',
      '--target',
      folder.write('target.json', target),
      ...['--rule', 'auth/', '--rule', 'source/'],
      ...kinds.flatMap(kind => ['--report', `${kind}=${folder.path(kind)}`]),
    )
    const read = (kind: string) => readFileSync(folder.path(kind), 'utf8')
    const { summary, rules }: Report = JSON.parse(read('json'))
    const { held, broken, observed, notApplicable } = summary
    const all = new Set(rules.map(({ id }) => id)).size
    expect(broken).toBe(new Set(rules.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id)).size)
    expect(rules.filter(({ outcome }) => outcome === 'broken').length).toBeGreaterThan(broken)
    expect(held + broken + observed + notApplicable).toBe(all)

    expect(stdout).toMatch(
      new RegExp(
        `^mock, ${all} rules in 3 forms: ${held} held.*, ${broken} broken, ${observed} observed, ${notApplicable} not applicable`,
        'm',
      ),
    )
    expect(stdout).toContain(`\n${broken} rules are broken\n`)
    expect(read('markdown')).toContain(`| **All** | ${broken} |  |  |  | ${held} | ${observed} | ${notApplicable} |`)
    expect(read('markdown')).toContain(`${all} rules in 3 forms`)
    expect(read('html')).toMatch(new RegExp(`<dt>broken</dt><dd class="broken">${broken}</dd>`))
    expect(read('html')).toMatch(new RegExp(`<dt>held</dt><dd class="held">${held}</dd>`))
    expect(read('html')).toContain(`<li>${all} rules in 3 forms</li>`)
    expect(read('junit')).toMatch(new RegExp(`<testsuites [^>]*tests="${all}" failures="${broken}" errors="0"`))
    expect(JSON.parse(read('ctrf')).results.summary).toMatchObject({ tests: all, passed: held, failed: broken })
    expect(read('github').match(/^::(?:error|warning) /gm)).toHaveLength(broken)
  })
})

describe.runIf(hasCurl)('the curl lines of a run', () => {
  const faults: RuleId[] = [
    'member/role-is-admin-or-developer',
    'auth/no-credentials-are-refused',
    'auth/empty-secret-is-refused',
    'auth/wrong-scheme-is-refused',
    'auth/malformed-credentials-are-refused',
    'auth/other-forms-credentials-are-refused',
    'auth/ingestion-key-is-refused',
    'path/malformed-service-id-is-refused',
    'chart/other-methods-never-succeed',
    'error/malformed-json-is-refused',
  ]

  /** Runs verify and each curl line that it prints; returns these lines, their answers, and the rules of the report. */
  async function runCurlLines(
    file: string,
    chosen: readonly RuleId[],
    env: Record<string, string>,
    values: Record<string, string>,
    report: string,
  ) {
    const given = ['--target', file, '--report', `json=${report}`, ...chosen.flatMap(id => ['--rule', id])]
    const { finished } = startCommand(['verify', ...given], env)
    const { stdout } = await finished
    const lines = stdout.split('\n').map(line => line.trim())
    const exported = lines.find(line => line.startsWith('export ')) ?? ''
    const filled = exported.replace(/'<([\w.]+) of the target file>'/g, (_, place: string) => `'${values[place]}'`)
    expect(filled).not.toContain('<')
    const curls = lines.filter(line => line.startsWith('curl '))
    // One after the other and asynchronously, because the mock answers from this process.
    const answers: string[] = []
    for (const line of curls) {
      const { stdout } = await run('bash', ['-u', '-c', `${filled}\n${line}`], {
        env: { PATH: process.env.PATH ?? '', ...env },
        timeout: 10_000,
      })
      answers.push(stdout)
    }
    const { rules }: Report = JSON.parse(readFileSync(report, 'utf8'))
    return { stdout, exported, curls, answers, rules }
  }

  it('get the same statuses as the run, with the secrets that the export line above them sets', async () => {
    const { target } = await mockWith(...faults)
    const folder = createFolder()
    const values = Object.fromEntries(
      (['cloud', 'selfHosted'] as const).flatMap(part =>
        Object.entries(target[part]!).map(([key, value]) => [`${part}.${key}`, String(value)]),
      ),
    )
    const file = folder.write('target.json', target)
    const { stdout, curls, answers, rules } = await runCurlLines(file, faults, {}, values, folder.path('report.json'))
    for (const secret of [target.cloud!.keySecret, target.selfHosted!.apiKey]) expect(stdout).not.toContain(secret)
    expect(curls.length).toBeGreaterThan(faults.length)
    const printed = rules
      .filter(({ outcome, exchanges: [first] }) => outcome === 'broken' && first && !first.gone)
      .map(({ exchanges }) => exchanges[0]!.response.status)
    expect(answers.map(statusOf).sort()).toEqual(printed.sort())
    expect(answers.map(statusOf)).toContain(200)
    for (const line of curls)
      expect(line).toMatch(new RegExp(`'(?:${target.cloud!.baseUrl}|${target.selfHosted!.baseUrl})/`))
  })

  it('use the variables that the target file names, without an export line', async () => {
    const faults: RuleId[] = ['member/role-is-admin-or-developer', 'auth/ingestion-key-is-refused-elsewhere']
    const { target } = await mockWith(...faults)
    const folder = createFolder()
    const { cloud, selfHosted } = target
    const env = { MY_KEY: cloud!.keyId, MY_SECRET: cloud!.keySecret, MY_INGESTION: selfHosted!.ingestionKey! }
    const file = folder.write('target.json', {
      ...target,
      cloud: { ...cloud, keyId: '$MY_KEY', keySecret: '$MY_SECRET' },
      selfHosted: { ...selfHosted, ingestionKey: '$MY_INGESTION' },
    })
    const { exported, curls, answers } = await runCurlLines(file, faults, env, {}, folder.path('report.json'))
    expect(exported).toBe('')
    expect(curls.some(line => line.includes('-u "$MY_KEY:$MY_SECRET"'))).toBe(true)
    expect(curls.some(line => line.includes('Bearer $MY_INGESTION"'))).toBe(true)
    expect(new Set(answers.map(statusOf))).toEqual(new Set([200]))
  })

  it('are replaced by a --rule option for objects that the run has deleted', async () => {
    const { target } = await mockWith('dashboard/updated-is-got')
    const folder = createFolder()
    const report = folder.path('report.json')
    const { stdout, rules } = await runCurlLines(
      folder.write('target.json', target),
      ['dashboard/updated-is-got'],
      {},
      {},
      report,
    )
    const broken = rules.filter(({ outcome }) => outcome === 'broken')
    expect(broken.map(({ exchanges }) => exchanges[0]?.gone)).toEqual([true, true])
    expect(stdout).not.toContain('curl -sS')
    expect(stdout).toContain('--rule dashboard/updated-is-got sends it again')
  })
})

describe('a quiet run', () => {
  it.each([
    [['--quiet'], {}],
    [[], { CI: 'true' }],
  ])('with options %j and environment %j prints one line when everything holds', async (args, env) => {
    const { target } = await mockWith()
    const file = createFolder().write('target.json', target)
    const { status, stdout } = await startCommand(['verify', '--target', file, '--rule', 'auth/', ...args], env)
      .finished
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^mock, \d+ rules in 3 forms: [^\n]*\n$/)])
  })

  it('prints each failure in full', async () => {
    const { target } = await mockWith('member/role-is-admin-or-developer')
    const file = createFolder().write('target.json', target)
    const { stdout } = await runCommand('verify', '--target', file, '--quiet', '--section', '2.2')
    expect(stdout).toMatch(
      /^1 rule is broken\n\n✗ member\/role-is-admin-or-developer must, §2\.2 Member\n {2}The `role` [^\n]*\n {2}cloud: expected one of admin, developer/,
    )
    expect(stdout).not.toContain('✓')
  })
})

describe('a target that does not answer', () => {
  it('is reported in a few lines, not in one for each rule', async () => {
    const { target, close } = await startMock()
    await close()
    const { status, stdout } = await runCommand('verify', '--target', createFolder().write('target.json', target))
    expect(status).toBe(2)
    expect(stdout.split('\n').filter(Boolean).length).toBeLessThan(8)
  })
})
