import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMock } from '../../../mock-server/index.ts'
import { parseBaseline } from '../../run/baseline.ts'
import { verify } from '../../run/verify.ts'
import { createDirectClient, directTarget } from '../direct-client.ts'
import { startOtherDeployment } from '../other-deployment/index.ts'
import { startMock } from '../start-mock.ts'
import { createFolder, runCommand } from './run-command.ts'

/** The loop: what was observed of a deployment, the mock answers when it is started as that deployment. */

const shipped = (name: string) =>
  readFileSync(new URL(`../../../fixtures/baselines/${name}.json`, import.meta.url), 'utf8')

/** Drift in the choices of a mock that is started with a baseline, and judged by the same. */
async function driftOfChoices(text: string) {
  const baseline = parseBaseline(text)
  const mock = createMock({ choices: { ...baseline.choices, segment: baseline.segment } })
  const report = await verify({ target: directTarget(mock), client: createDirectClient(mock), baseline })
  return report.drift.filter(({ part }) => part === 'choices')
}

const madeByHand = JSON.stringify({
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
  it('of the mock as it is shows no drift in a second run', async () => {
    const { target, close } = await startMock()
    onTestFinished(close)
    const folder = createFolder()
    const file = folder.write('target.json', target)
    // What a run does stands in the activities, so that the first run finds others than those after it.
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
    // Infrastructure of the run before is being deleted for hours, so that a later run reads more records.
    const read = (name: string) => readFileSync(folder.path(name), 'utf8').replaceAll(/,\s*"records": \d+/g, '')
    expect(read('two.json')).toBe(read('one.json'))
    expect(await driftOfChoices(readFileSync(folder.path('one.json'), 'utf8'))).toEqual([])
  })

  it('of the different deployment is what a mock answers that is started with it', async () => {
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
    expect(await driftOfChoices(readFileSync(folder.path('other.json'), 'utf8'))).toEqual([])
  })

  it.each(['self-hosted-2.24', 'self-hosted-2.36', 'clickhouse-cloud'])(
    'that is shipped, %s, is what a mock answers that is started with it',
    async name => {
      expect(await driftOfChoices(shipped(name))).toEqual([])
    },
  )

  it('that is made by hand is what a mock answers that is started with it', async () => {
    expect(await driftOfChoices(madeByHand)).toEqual([])
  })

  it('gates: a breaking difference fails with --drift error, and is named', async () => {
    const { target, close } = await startMock()
    onTestFinished(close)
    const folder = createFolder()
    const file = folder.write('target.json', target)
    const args = ['verify', '--rule', 'path/', '--target', file, '--baseline', folder.write('hand.json', madeByHand)]
    expect((await runCommand(...args)).status).toBe(0)
    const gated = await runCommand(...args, '--drift', 'error')
    expect([gated.status, gated.stdout]).toEqual([
      1,
      expect.stringMatching(/breaking\s+cloud path\/unknown-path .*404 html → 404 json/),
    ])
  })

  it('is found by the name of one that the package ships', async () => {
    const { stdout } = await runCommand('verify', '--baseline', 'self-hosted-2.24', '--section', '7')
    expect(stdout).toContain('Drift')
  })
})
