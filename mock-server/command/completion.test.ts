import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cli } from '../testing/start-command.ts'

const run = (...args: string[]) => spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8' })
const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0

describe.skipIf(!has('bash'))('completion in bash', () => {
  const script = run('completion', 'bash').stdout

  /** What is offered for the last word of a line, cut into words as bash cuts it. */
  const complete = (...words: string[]): string[] => {
    const line = `COMP_WORDS=(stack-parity ${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}`
    const asked = `compopt() { COMPREPLY=("compopt $*"); }\n${script}\n${line}\n_stack_parity; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', asked], { encoding: 'utf8' }).trim().split('\n')
  }

  it.each([
    [['ver'], ['verify']],
    [['mock', '--self'], ['--self-hosted-port']],
    [['mock', '--as', 'self-hosted-2.2'], ['self-hosted-2.24']],
    [['mock', '--fault', 'envelope/request-id-is-u'], ['envelope/request-id-is-uuid-v4']],
    [
      ['verify', '--drift', ''],
      ['warn', 'error', 'strict'],
    ],
    [
      ['verify', '--drift', '='],
      ['warn', 'error', 'strict'],
    ],
    [['verify', '--drift', '=', 's'], ['strict']],
    [['verify', '--target', ''], ['compopt -o default']],
    [['mock', '--seed', ''], ['']],
    [['sweep', '--l'], ['--ledger']],
    [['compare', '--target', 'a.json', '--h'], ['--help']],
    [['completion', 'f'], ['fish']],
  ])('of %j offers %j', (words, offered) => {
    expect(complete(...words)).toEqual(offered)
  })

  it('offers every option that the manual has', () => {
    for (const command of ['mock', 'verify', 'sweep', 'compare']) {
      const manual = [...run(command, '--help').stdout.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, name]) => name!)
      expect(complete(command, '--').sort()).toEqual([...manual, '--help'].sort())
    }
  })
})

describe.each(['zsh', 'fish'])('completion in %s', shell => {
  const { stdout } = run('completion', shell)

  it('knows the options of all commands, and their values', () => {
    for (const word of ['self-hosted-port', 'known-broken', 'ledger', 'self-hosted-2.24', 'warn error strict']) {
      expect(stdout).toContain(word)
    }
  })

  it.skipIf(!has(shell))(`is read by the shell${has(shell) ? '' : ' (which is not installed here)'}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'completion-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'script')
    writeFileSync(file, stdout)
    expect(spawnSync(shell, ['-n', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  })
})

describe.skipIf(!has('fish'))('completion in fish', () => {
  const script = run('completion', 'fish').stdout

  it.each([
    ['ver', ['verify']],
    ['mock --self', ['--self-hosted-port']],
    ['mock --as self-hosted-2.2', ['self-hosted-2.24']],
    ['mock --fault envelope/request-id-is-u', ['envelope/request-id-is-uuid-v4']],
    ['verify --drift ', ['error', 'strict', 'warn']],
    ['mock --seed ', []],
    ['sweep --l', ['--ledger']],
  ])('of %j offers %j', (line, offered) => {
    const asked = `${script}\ncomplete -C 'stack-parity ${line}'`
    const lines = execFileSync('fish', ['-c', asked], { encoding: 'utf8' }).split('\n').filter(Boolean)
    expect(lines.map(said => said.split('\t')[0])).toEqual(offered)
  })
})

describe('stack-parity completion', () => {
  it('says how it is used, and what was probably meant', () => {
    expect(run('completion', '--help').stdout).toContain('source <(stack-parity completion bash)')
    expect(run('completion', 'fihs')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Did you mean fish?'),
    })
    expect(run('completion', 'zzzz').stderr).toBe(
      'stack-parity completion takes one shell of bash, zsh, fish, not "zzzz".\n',
    )
    expect(run('completion')).toMatchObject({ status: 2, stderr: expect.stringContaining('bash, zsh, fish') })
  })
})
