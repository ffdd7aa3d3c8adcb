import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMock } from '../../../mock-server/index.ts'
import { parseBaseline } from '../../run/baseline.ts'
import { verify } from '../../run/verify.ts'
import { createDirectClient, directTarget } from '../direct-client.ts'
import { startOtherDeployment } from '../other-deployment/index.ts'
import { startMock } from '../start-mock.ts'
import { createFolder, runCommand } from './run-command.ts'

/** A mock that is started with the baseline of a deployment makes the same choices as that deployment. */

const shipped = (name: string) =>
  readFileSync(new URL(`../../../fixtures/baselines/${name}.json`, import.meta.url), 'utf8')

/** Finds drift in the choices of a mock that is started with a baseline and compared with the same one. */
async function findDriftOfChoices(text: string) {
  const baseline = parseBaseline(text)
  const mock = createMock({ choices: { ...baseline.choices, segment: baseline.segment } })
  const report = await verify({ target: directTarget(mock), client: createDirectClient(mock), baseline })
  return report.drift.filter(({ part }) => part === 'choices')
}

const writtenByHand = JSON.stringify({
  name: 'by hand',
  segment: 'stack',
  choices: {
    cloud: { 'path/unknown-path': '404 html', 'auth/missing-credentials': '403 text', 'backup/unknown-id': '400 json' },
    managed: { 'dashboard/create-status': '201', 'alert/unknown-id': '404 text' },
    selfHosted: {
      'path/wrong-method': '501 empty',
      'alert/update-method': 'PATCH',
      'alert/delete-answer': '204 empty',
    },
  },
})

describe('a baseline', () => {
  it('of a mock shows no drift in a second run', async () => {
    const { target, close } = await startMock()
    onTestFinished(close)
    const folder = createFolder()
    const file = folder.write('target.json', target)
    // A run adds activities, so the first run finds other activities than later runs.
    await runCommand('verify', '--target', file)
    expect((await runCommand('verify', '--target', file, '--update-baseline', folder.path('one.json'))).status).toBe(0)
    const { status, stdout } = await runCommand(
      'verify',
      '--target',
      file,
      '--baseline',
      folder.path('one.json'),
      '--drift',
      'strict',
      '--update-baseline',
      folder.path('two.json'),
    )
    expect([status, stdout]).toEqual([0, expect.stringContaining(' 0 drifted')])
    // The deletion of infrastructure takes hours, so a later run also reads the records of the run before.
    const read = (name: string) => readFileSync(folder.path(name), 'utf8').replaceAll(/,\s*"records": \d+/g, '')
    expect(read('two.json')).toBe(read('one.json'))
    expect(await findDriftOfChoices(readFileSync(folder.path('one.json'), 'utf8'))).toEqual([])
  })

  it('of the other deployment gives its choices to a mock that is started with it', async () => {
    const deployment = await startOtherDeployment()
    onTestFinished(deployment.close)
    const folder = createFolder()
    await runCommand(
      'verify',
      '--target',
      folder.write('target.json', deployment.target),
      '--update-baseline',
      folder.path('other.json'),
    )
    expect(await findDriftOfChoices(readFileSync(folder.path('other.json'), 'utf8'))).toEqual([])
  })

  it.each(['self-hosted-2.24', 'self-hosted-2.36', 'clickhouse-cloud'])(
    'that is shipped, %s, gives its choices to a mock that is started with it',
    async name => {
      expect(await findDriftOfChoices(shipped(name))).toEqual([])
    },
  )

  it('that is written by hand gives its choices to a mock that is started with it', async () => {
    expect(await findDriftOfChoices(writtenByHand)).toEqual([])
  })

  it('makes a run with --drift error fail on a breaking difference, and the output names it', async () => {
    const { target, close } = await startMock()
    onTestFinished(close)
    const folder = createFolder()
    const file = folder.write('target.json', target)
    const args = ['verify', '--rule', 'path/', '--target', file, '--baseline', folder.write('hand.json', writtenByHand)]
    expect((await runCommand(...args)).status).toBe(0)
    const gated = await runCommand(...args, '--drift', 'error')
    expect([gated.status, gated.stdout]).toEqual([
      1,
      expect.stringMatching(/breaking\s+cloud path\/unknown-path .*404 html → 404 json/),
    ])
  })

  it('can be given by its name when the package ships it', async () => {
    const { stdout } = await runCommand('verify', '--baseline', 'self-hosted-2.24', '--section', '7')
    expect(stdout).toContain('Drift')
  })
})
