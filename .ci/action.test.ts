import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { version } from '../package.json'

const root = fileURLToPath(new URL('..', import.meta.url))
const action = readFileSync(join(root, 'action.yml'), 'utf8')
const [head = '', script = ''] = action.split(/^ {6}run: \|\n/m)

/** A stand-in for npx: records its arguments, writes the requested report, and exits with the status NPX_STATUS. */
const npx = `#!/usr/bin/env bash
printf '%s\\n' "$@" > args.txt
for argument; do
  case "$argument" in json=*) printf '{"summary":{"broken":3}}' > "\${argument#json=}" ;; esac
done
exit "\${NPX_STATUS:-0}"
`

describe('the GitHub action', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stack-parity-action-'))
    mkdirSync(join(folder, 'bin'))
    writeFileSync(join(folder, 'bin/npx'), npx)
    chmodSync(join(folder, 'bin/npx'), 0o755)
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Runs the step as a runner does, with a stand-in for npx. */
  const run = (inputs: Record<string, string> = {}, status = 0) => {
    const env = {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      NPX_STATUS: String(status),
      GITHUB_ACTION_PATH: root,
      GITHUB_OUTPUT: join(folder, 'output'),
      INPUT_TARGET: '',
      INPUT_ARGS: '',
      INPUT_REPORT: 'reports',
      INPUT_VERSION: '',
      ...inputs,
    }
    const bash = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script.replaceAll(/^ {8}/gm, '')]
    const { status: exitStatus, stderr } = spawnSync('bash', bash, { cwd: folder, env, encoding: 'utf8' })
    const output = existsSync(env.GITHUB_OUTPUT) ? readFileSync(env.GITHUB_OUTPUT, 'utf8') : ''
    return {
      status: exitStatus,
      stderr,
      output,
      args: readFileSync(join(folder, 'args.txt'), 'utf8').trimEnd().split('\n'),
    }
  }

  it('runs the version of stack-parity that the action belongs to, and writes every report that a job needs', () => {
    const { status, args, stderr } = run()
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(args.slice(0, 3)).toEqual(['--yes', `stack-parity@${version}`, 'verify'])
    expect(args.filter(argument => argument.includes('='))).toEqual([
      'github=-',
      'json=reports/report.json',
      'junit=reports/junit.xml',
      'sarif=reports/report.sarif',
      'markdown=reports/report.md',
      'html=reports/report.html',
    ])
  })

  it('passes on the target, the version and each line of the arguments unchanged', () => {
    const { args } = run({
      INPUT_TARGET: 'my target.json',
      INPUT_ARGS: '--strict\r\n\n--section=5\n',
      INPUT_VERSION: '1.2.3',
    })
    expect(args[1]).toBe('stack-parity@1.2.3')
    expect(args.slice(3, 6)).toEqual(['--target=my target.json', '--strict', '--section=5'])
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
      INPUT_VERSION: evil,
    })
    expect(args).toEqual(expect.arrayContaining([`stack-parity@${evil}`, `--target=${evil}`, evil]))
    expect(existsSync(join(folder, 'owned'))).toBe(false)
    expect(script).not.toContain('${{')
    expect(head).toMatch(/INPUT_TARGET: \$\{\{ inputs\.target }}/)
  })

  it('does not let an input set an output', () => {
    expect(
      run({ INPUT_REPORT: 'x\nstatus=0' }, 1)
        .output.split('\n')
        .filter(line => line.startsWith('status=')),
    ).toEqual(['status=1'])
  })
})
