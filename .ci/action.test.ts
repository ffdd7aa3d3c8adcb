import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const action = readFileSync(join(root, 'action.yml'), 'utf8')
const [head = '', script = ''] = action.split(/^ {6}run: \|\n/m)

/** A stand-in for the command: records its arguments, writes the requested report unless it FAILS, and exits with STATUS. */
const command = `
  const { writeFileSync } = require('node:fs')
  writeFileSync('args.txt', process.argv.slice(2).join('\\n'))
  const json = process.argv.find(argument => argument.startsWith('json='))
  if (!process.env.FAILS) writeFileSync(json.slice('json='.length), '{"summary":{"broken":3}}')
  process.exit(Number(process.env.STATUS))
`

/** A stand-in for npm: records its arguments and, unless it fails, what the checkout needs for its build. */
const npm = `#!/usr/bin/env bash
echo "$@" >> npm.txt
[ -n "$NPM_FAILS" ] && exit 1
mkdir -p .ci dist
cat > .ci/build.mjs << end
import { copyFileSync, writeFileSync } from 'node:fs'
copyFileSync('command.cjs', 'dist/cli.js')
writeFileSync('build.txt', process.argv.slice(2).join())
end
`

describe('the GitHub action', () => {
  let folder: string
  let checkout: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stack-parity-action-'))
    checkout = join(folder, 'check out')
    mkdirSync(join(folder, 'bin'))
    mkdirSync(checkout)
    writeFileSync(join(folder, 'bin/npm'), npm, { mode: 0o755 })
    writeFileSync(join(checkout, 'command.cjs'), command)
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const read = (file: string) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '')

  /** Runs the step as a runner does, in a checkout with stand-ins for npm and the command. */
  const run = (inputs: Record<string, string> = {}, status = 0) => {
    const env = {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      STATUS: String(status),
      GITHUB_ACTION_PATH: checkout,
      GITHUB_OUTPUT: join(folder, 'output'),
      INPUT_TARGET: '',
      INPUT_ARGS: '',
      INPUT_REPORT: 'reports',
      ...inputs,
    }
    const bash = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script.replaceAll(/^ {8}/gm, '')]
    const { status: exitStatus, stderr } = spawnSync('bash', bash, { cwd: folder, env, encoding: 'utf8' })
    return { status: exitStatus, stderr, output: read('output'), args: read('args.txt').split('\n') }
  }

  it('builds the code of its own checkout, once, and writes every report that a job needs', () => {
    const { status, args, stderr } = run()
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect([read('check out/npm.txt'), read('check out/build.txt')]).toEqual(['ci --ignore-scripts\n', '--bundles'])
    expect(args[0]).toBe('verify')
    expect(args.filter(argument => argument.includes('='))).toEqual([
      'github=-',
      'json=reports/report.json',
      'junit=reports/junit.xml',
      'sarif=reports/report.sarif',
      'markdown=reports/report.md',
      'html=reports/report.html',
    ])
    expect(run().status).toBe(0)
    expect(read('check out/npm.txt')).toBe('ci --ignore-scripts\n')
  })

  it('passes on the target and each line of the arguments unchanged', () => {
    const { args } = run({ INPUT_TARGET: 'my target.json', INPUT_ARGS: '--strict\r\n\n--section=5\n' })
    expect(args.slice(1, 4)).toEqual(['--target=my target.json', '--strict', '--section=5'])
  })

  it('ends with 2 if no report was written, whatever failed', () => {
    const noReport = { status: 2, output: 'status=2\nbroken=\nreport=reports\n' }
    expect(run({ NPM_FAILS: '1' })).toMatchObject({ ...noReport, args: [''] })
    rmSync(join(folder, 'output'))
    // The report of an earlier run proves nothing.
    mkdirSync(join(folder, 'reports'), { recursive: true })
    writeFileSync(join(folder, 'reports/report.json'), '{"summary":{"broken":3}}')
    expect(run({ FAILS: '1' }, 1)).toMatchObject(noReport)
  })

  it('exits with the status of the run, and sets it as an output', () => {
    expect(run({}, 1)).toMatchObject({ status: 1, output: 'status=1\nbroken=3\nreport=reports\n' })
    expect(run({}, 2).status).toBe(2)
  })

  it('never executes the text of an input', () => {
    const evil = '$(touch owned) `touch owned`; touch owned #"\''
    const { args } = run({
      INPUT_TARGET: evil,
      INPUT_ARGS: evil,
      INPUT_REPORT: 'a b;touch owned',
    })
    expect(args).toEqual(expect.arrayContaining([`--target=${evil}`, evil]))
    expect(existsSync(join(folder, 'owned'))).toBe(false)
    expect(script).not.toContain('${{')
    expect(head).toMatch(/INPUT_TARGET: \$\{\{ inputs\.target }}/)
  })

  it('has a guide whose upload of SARIF asks whether the run wrote one', () => {
    const guide = readFileSync(join(root, 'contract-tests/guides/a-gate-on-staging.md'), 'utf8')
    expect(guide).toMatch(/if: .*hashFiles\(.*report\.sarif.*\n +uses: .*upload-sarif/)
  })

  it('does not let an input set an output', () => {
    expect(
      run({ INPUT_REPORT: 'x\nstatus=0' }, 1)
        .output.split('\n')
        .filter(line => line.startsWith('status=')),
    ).toEqual(['status=1'])
  })
})
