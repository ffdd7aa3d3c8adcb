import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startHttpTarget } from '../bad-targets/start-target.ts'
import { withControl } from '../control.ts'
import { startOtherDeployment } from '../other-deployment/index.ts'
import { startMock } from '../start-mock.ts'
import { createFolder, runCommand, startCommand } from './run-command.ts'

/** A run deletes what it created at its end and after a signal; after a kill, sweep deletes it. */

async function startSlowRun() {
  const running = await startMock()
  onTestFinished(running.close)
  const folder = createFolder()
  const target = folder.write('target.json', running.target)
  const ledger = folder.path('ledger')
  const findLeft = async () => {
    const { selfHosted } = running.target
    const lists = await Promise.all(
      ['dashboards', 'alerts'].map(resource =>
        fetch(`${selfHosted!.baseUrl}/api/v2/${resource}`, {
          headers: { authorization: `Bearer ${selfHosted!.apiKey}` },
        }),
      ),
    )
    return (
      (await Promise.all(lists.map(list => list.text()))).join('').match(/stack-parity \w+ \w+ (?:alert|dashboard)/g) ??
      []
    )
  }
  const rules = ['--rule', 'dashboard/', '--rule', 'alert/']
  const run = startCommand(['verify', '--target', target, '--ledger', ledger, '--rate', '30', ...rules])
  // Waits until the run has created an object.
  while ((await findLeft()).length === 0) await new Promise(resolve => setTimeout(resolve, 20))
  return { ...run, target, ledger, findLeft }
}

describe('an object that a run created', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('is deleted after %s', async signal => {
    const { child, finished, findLeft, ledger } = await startSlowRun()
    expect((await findLeft()).length).toBeGreaterThan(0)
    child.kill(signal)
    const { status, stdout, stderr } = await finished
    expect(await findLeft()).toEqual([])
    expect(stderr).toMatch(
      /^Interrupted: the run waits for .*, then deletes what it created\. A second signal stops it/m,
    )
    expect(stdout).toContain('the run was interrupted')
    expect(status).toBe(2)
    expect(readFileSync(ledger, 'utf8')).toContain('"what":"deleted"')
  })

  it('is printed after a second signal, with the command that deletes it', async () => {
    const { child, finished, findLeft, ledger, target } = await startSlowRun()
    let output = ''
    child.stderr!.on('data', text => {
      output += text
    })
    child.kill('SIGINT')
    await expect.poll(() => output).toContain('Interrupted')
    child.kill('SIGTERM')
    const { status, stderr } = await finished
    expect(status).toBe(130)
    expect((await findLeft()).length).toBeGreaterThan(0)
    expect(stderr).toMatch(
      /Stopped at once\. This may be left behind:\n {2}[a-z-]+: (?:alert|dashboard) \S+ "stack-parity /,
    )
    const line = `stack-parity sweep --target ${target} --ledger ${ledger}`
    expect(stderr).toContain(`\nDelete what is left with: ${line}\n`)
    expect((await runCommand(...line.split(' ').slice(1))).status).toBe(0)
    expect(await findLeft()).toEqual([])
  })

  it('is printed with its control characters escaped', async () => {
    const bad = await startHttpTarget((_, response) => response.writeHead(500).end())
    const folder = createFolder()
    const entry = { form: 'selfHosted', resource: 'dashboard', name: 'n\u202e' }
    const lines = [
      { what: 'run', bases: [bad.baseUrl] },
      { what: 'intended', ...entry },
      { what: 'created', ...entry, id: '\u001b]0;title\u0007\n::error::id' },
    ]
    const ledger = folder.write('ledger', lines.map(line => `${JSON.stringify(line)}\n`).join(''))
    const { status, stdout } = await runCommand(
      'sweep',
      '--target',
      folder.write('t.json', await withControl(bad.target)),
      '--ledger',
      ledger,
    )
    expect(status).toBe(1)
    expect(stdout).toContain(String.raw`  left in selfHosted: dashboard \u{1b}]0;title\u{7}\n::error::id "n\u{202e}"`)
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|^::/mu)
  })

  it('is deleted by sweep after kill -9', async () => {
    const { child, finished, findLeft, ledger, target } = await startSlowRun()
    child.kill('SIGKILL')
    await finished
    expect((await findLeft()).length).toBeGreaterThan(0)
    const { status, stdout, stderr } = await runCommand('sweep', '--target', target, '--ledger', ledger, '--rate', '50')
    expect([status, stdout]).toEqual([0, expect.stringMatching(/(\d+) of \1 entries of .* are gone/)])
    expect(await findLeft()).toEqual([])
    expect(stderr).toMatch(/^\d+ entries to look for and delete at 50 requests a second: at least \d+ s\.\n/)
    expect(stderr).toMatch(/^gone: self-hosted dashboard \w{24} "stack-parity \w+ \w dashboard"$/m)
    expect((await runCommand('sweep', '--target', target, '--ledger', ledger)).stdout).toContain('0 of 0 entries')
  })

  it('is not searched for on another deployment', async () => {
    const { child, finished, ledger } = await startSlowRun()
    child.kill('SIGKILL')
    await finished
    const other = createFolder().write('target.json', { selfHosted: { baseUrl: 'http://127.0.0.1:9', apiKey: 'k' } })
    const { status, stderr } = await runCommand('sweep', '--target', other, '--ledger', ledger)
    expect([status, stderr]).toEqual([2, expect.stringContaining('nothing was deleted')])
    const strange = createFolder().write('notes.txt', 'no ledger\n')
    const { stderr: sentence } = await runCommand('sweep', '--target', other, '--ledger', strange)
    expect(sentence).toContain(`--ledger ${strange}: it is no ledger of a run`)
  })

  it('is recorded in a ledger, which a run that writes announces with the command of the sweep', async () => {
    const { target, close } = await startMock()
    onTestFinished(close)
    const folder = createFolder()
    const given = ['--target', folder.write('target.json', target), '--ledger', folder.path('ledger')]
    const run = (...more: string[]) => runCommand('verify', ...given, '--section', '2.2', ...more)
    const [writing, reading] = await Promise.all([run('--quiet'), run('--read-only')])
    expect(writing.stderr.split('\n')[0]).toBe(
      `${folder.path('ledger')} records what this run creates. If the run is killed, delete that with: stack-parity sweep ${given.join(' ')}`,
    )
    expect(reading.stderr).not.toContain('sweep')
  })

  it('is in the ledger as intended before it is there as created', async () => {
    const { child, finished, ledger } = await startSlowRun()
    child.kill('SIGKILL')
    await finished
    const lines = readFileSync(ledger, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    const created = lines.filter(({ what }) => what === 'created')
    expect(created.length).toBeGreaterThan(0)
    const isIntendedBefore = (line: { name: string }) =>
      lines.slice(0, lines.indexOf(line)).some(({ what, name }) => what === 'intended' && name === line.name)
    expect(created.filter(line => !isIntendedBefore(line))).toEqual([])
  })

  it('is reported with the answers about it when deletions succeed but delete nothing', async () => {
    const deployment = await startOtherDeployment({ quirk: { id: 'keeps all', deletesNothing: true } })
    onTestFinished(deployment.close)
    const folder = createFolder()
    const target = folder.write('target.json', deployment.target)
    const ledger = folder.path('ledger')
    const verify = ['verify', '--target', target, '--ledger', ledger, '--rule', 'dashboard/']
    const { status, stdout } = await runCommand(...verify, '--strict')
    expect(status).toBe(1)
    expect(stdout).toMatch(
      /Left behind in self-hosted: dashboard dash_\S+ "stack-parity \w+ c dashboard"\n {2}DELETE \S+ was answered with 204, and the list still shows it\n {2}created by \/api\/v2\/dashboards, answered with 201 \{"data":/,
    )
    const line = `stack-parity sweep --target ${target} --ledger ${ledger}`
    expect(stdout).toContain(`Delete what is left with: ${line}\n`)
    // The exit status is due to this should rule: an object that is left does not change it.
    expect(stdout).toMatch(/dashboard\/deleted-is-gone/)
    const swept = await runCommand(...line.split(' ').slice(1))
    expect(swept.status).toBe(1)
    expect(swept.stdout).toMatch(/^0 of \d+ entries/)
    expect(swept.stdout).toContain('and the list still shows it')
  })
})
