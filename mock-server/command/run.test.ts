import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMock } from '../mock/mock.ts'
import { run } from './run.ts'

const ports = ['--cloud-port', '0', '--self-hosted-port', '0', '--no-console']

it.each([
  ['status 0 when the world was saved', () => {}, 0, ''],
  [
    'status 1 when the world could not be saved',
    (folder: string) => rmSync(folder, { recursive: true }),
    1,
    'there is no such folder',
  ],
])('the command exits with %s', async (_, whileRunning, status, sentence) => {
  const folder = mkdtempSync(join(tmpdir(), 'stack-parity-'))
  let written = ''
  let reportStart = () => {}
  const started = new Promise<void>(resolve => {
    reportStart = resolve
  })
  const exitStatus = run(['--state', join(folder, 'world.json'), ...ports], {
    env: {},
    version: '0.0.0',
    stdout: { write: reportStart },
    stderr: { write: text => (written += text) },
    stopped: () => started.then(() => whileRunning(folder)),
  })
  expect(await exitStatus).toBe(status)
  expect(written).toContain(sentence)
  rmSync(folder, { recursive: true, force: true })
})

it.each([
  [
    ['--freeze', '--speed', '60'],
    'stack-parity mock: --freeze and --speed 60 contradict each other: leave one of them out.\n',
  ],
  [['--cors', 'none,http://a.test'], 'stack-parity mock: --cors none cannot be combined: leave out http://a.test.\n'],
])('the command refuses the contradictory options %j', async (args, sentence) => {
  let written = ''
  const silent = { write: () => {} }
  const stderr = { write: (text: string) => (written += text) }
  const context = { env: {}, version: '0.0.0', stdout: silent, stderr, stopped: () => Promise.resolve() }
  expect([await run([...args, ...ports], context), written]).toEqual([2, sentence])
})

/** Starts the command and stops it at once; a refused start ends by itself. */
async function runOnce(args: readonly string[], env: Record<string, string> = {}) {
  let stderr = ''
  const status = await run(args, {
    env,
    version: '0.0.0',
    stdout: { write: () => {} },
    stderr: { write: text => (stderr += text) },
    stopped: () => Promise.resolve(),
  })
  return { status, stderr }
}

describe('ports', () => {
  it('that are in use are all named in the refusal, with a command that works', async () => {
    const blockers = [createServer(), createServer()].map(server => server.listen(0, '127.0.0.1'))
    await Promise.all(blockers.map(server => once(server, 'listening')))
    const [cloud, control] = blockers.map(server => String((server.address() as { port: number }).port))
    const refused = `stack-parity mock: Port ${cloud} on 127.0.0.1 is in use. Port ${control} on 127.0.0.1 is in use. --cloud-port, --console-port: 0 takes any free port. This works:`
    const portOptions = ['--cloud-port', cloud!, `--console-port=${control}`]
    const npm = { npm_package_name: 'stack-parity', npm_lifecycle_event: 'start' }
    expect(await runOnce([...portOptions, '--self-hosted-port', '0'])).toEqual({
      status: 2,
      stderr: `${refused} stack-parity mock --cloud-port 0 --console-port 0 (with your other options)\n`,
    })
    const others = { STACK_PARITY_SELF_HOSTED_PORT: '0' }
    expect((await runOnce(portOptions, { ...npm, ...others })).stderr).toBe(
      `${refused} npm start -- --cloud-port 0 --console-port 0\n`,
    )
    expect((await runOnce(portOptions, { npm_command: 'exec', ...others })).stderr).toBe(
      `${refused} npx stack-parity mock --cloud-port 0 --console-port 0\n`,
    )
    for (const server of blockers) server.close()
  })

  it('that are given twice are refused before the mock listens on any port', async () => {
    expect(await runOnce(['--cloud-port', '8000'])).toEqual({
      status: 2,
      stderr:
        'stack-parity mock: Port 8000 is given twice, by --cloud-port and --self-hosted-port. --self-hosted-port: 0 takes any free port. This works: stack-parity mock --self-hosted-port 0 (with your other options)\n',
    })
  })
})

describe('environment variables', () => {
  it('that belong to no option cause a warning, and the mock starts', async () => {
    const { status, stderr } = await runOnce(ports, {
      STACK_PARITY_CLUOD_PORT: '9000',
      STACK_PARITY_USAGE: 'usage.json',
      STACK_PARITY_FLAVOUR: 'mint',
    })
    expect([status, stderr]).toEqual([
      0,
      'stack-parity mock: the environment variable STACK_PARITY_CLUOD_PORT is no option and has no effect. Did you mean STACK_PARITY_CLOUD_PORT?\n' +
        'stack-parity mock: the environment variable STACK_PARITY_FLAVOUR is no option and has no effect. stack-parity mock --help lists them.\n',
    ])
  })

  it('that Kubernetes injects for a service are ignored without a warning, even under the name of an option', async () => {
    const injected = {
      STACK_PARITY_SERVICE_HOST: '10.0.0.1',
      STACK_PARITY_SERVICE_PORT_CLOUD: '8001',
      STACK_PARITY_PORT: 'tcp://10.0.0.1:8000',
      STACK_PARITY_PORT_8000_TCP_ADDR: '10.0.0.1',
      STACK_PARITY_MOCK_SERVICE_PORT: '8000',
      STACK_PARITY_CLOUD_PORT: 'tcp://10.0.0.1:8001',
    }
    expect(await runOnce(ports, injected)).toEqual({ status: 0, stderr: '' })
  })
})

describe('with --state, the command', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stack-parity-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** Runs the command until `whileRunning` has ended, or until it refuses to start. */
  async function runWith(args: readonly string[], whileRunning: () => unknown = () => {}) {
    const file = join(folder, 'world.json')
    let [banner, stderr] = ['', '']
    let reportStart = () => {}
    const started = new Promise<void>(resolve => {
      reportStart = resolve
    })
    const status = await run(['--state', file, ...ports, ...args], {
      env: {},
      version: '0.0.0',
      stdout: {
        write(text) {
          banner += text
          reportStart()
        },
      },
      stderr: { write: text => (stderr += text) },
      stopped: () => started.then(whileRunning),
    })
    return { status, banner, stderr, file }
  }

  it('refuses a file that another mock uses, and names its host and PID', async () => {
    let second: Awaited<ReturnType<typeof runWith>> | undefined
    const first = await runWith([], async () => {
      second = await runWith([])
    })
    expect([first.status, second?.status]).toEqual([0, 2])
    expect(second!.stderr).toBe(
      `stack-parity mock: --state ${first.file}: the mock with PID ${process.pid} on host ${hostname()} saves its worlds there. Stop it, or name another file or folder.\n`,
    )
    expect(readdirSync(folder)).toEqual(['world.json'])
  })

  it('leaves no lock when it does not start', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const refused = await runWith(['--cloud-port', String(port)])
    other.close()
    expect([refused.status, readdirSync(folder)]).toEqual([2, []])
  })

  it('names in one line the options that the saved world overrides', async () => {
    const saved = createMock({ seed: 3, scenario: 'empty', services: 2 }).state()
    writeFileSync(join(folder, 'world.json'), JSON.stringify(saved))
    const args = ['--seed', '5', '--members', '1', '--services', '4', '--scenario', 'shop']
    const { status, banner, stderr, file } = await runWith(args)
    expect([status, stderr]).toEqual([
      0,
      `--state ${file}: the saved world overrides --seed 5 (it has 3), --services 4 (it has 2), --scenario shop (it has empty).\n`,
    ])
    expect(banner).toMatch(/Seed +3 /)
    expect(banner).not.toContain('Scenario')
    expect((await runWith(['--seed', '3'])).stderr).toBe('')
  })

  it('says what a document changes, in JSON and YAML, and refuses a bad one with the place', async () => {
    const newer = join(folder, 'newer.json')
    const document = JSON.parse(JSON.stringify(createMock({ as: 'clickhouse-cloud' }).describe('cloud')))
    document.components.schemas.KeyBody.properties.team = { type: 'string' }
    writeFileSync(newer, JSON.stringify(document))
    const { stderr: said } = await runWith(['--document', newer])
    expect(said).toContain(`--document ${newer} changes:\n  keyBody.team: new string\n--`)
    // The deployment that this document describes has webhooks in the managed form.
    expect(said).toMatch(
      /--document \S+ disagrees, and does not change:\n {2}webhook\.list: in managed, [^\n]+ stated\n/,
    )
    const small = join(folder, 'small.yaml')
    writeFileSync(small, 'openapi: 3.0.3\npaths:\n  /v1/organizations:\n    get: { responses: {} }\n')
    const refused = await runWith(['--document', small])
    expect(refused).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/saved under "Cloud management API 1\.0 \(\w+-\w+\)"/),
    })
    rmSync(join(folder, 'world.json'))
    const { stderr } = await runWith(['--document', small])
    expect(stderr).toContain(`--document ${small} changes:\n  activity.list: gone from cloud\n`)
    expect(stderr).toMatch(/\n {2}and \d+ more: createMock\(\{ document \}\)\.documentChanges has all\n/)
    writeFileSync(small, 'openapi: 3.0.3\npaths: { /v1/organizations: { get: 7 } }\n')
    expect(await runWith(['--document', small])).toMatchObject({
      status: 2,
      stderr: `stack-parity mock: --document ${small}: read a document: paths./v1/organizations.get: Expected an object.\n`,
    })
    // Other options are judged by the contract with the document.
    const ids = ['--chaos-operation', 'quota.list', '--document', newer]
    delete document.paths['/v1/organizations/{organizationId}/quotas']
    writeFileSync(newer, JSON.stringify(document))
    expect((await runWith(ids)).stderr).toContain('--chaos-operation takes the id of an operation, not "quota.list"')
    const absent = await runWith(['--document', join(folder, 'absent.json')])
    expect(absent.stderr).toContain('absent.json: there is no such file.')
  })

  it('says what a captured scenario has that it cannot serve, once', async () => {
    const scenario = join(folder, 'captured.json')
    const organization = [{ id: '10000000-0000-4000-8000-000000000000', name: 'Shop' }]
    const tiles = [{ name: 'Newer', x: 0, y: 0, w: 1, h: 1, id: '1', config: { displayType: 'newer' } }]
    const dashboard = [{ id: 'a'.repeat(24), name: 'Board', tiles, tags: [], filters: [], within: 'self-hosted' }]
    const captured = { captured: { at: '2026-11-23T10:00:00Z' }, organization, dashboard }
    writeFileSync(scenario, JSON.stringify(captured))
    const first = await runWith(['--scenario', scenario])
    expect([first.status, first.stderr]).toEqual([
      0,
      expect.stringMatching(
        /^--scenario .*captured\.json: dashboard \("Board"\): an item of tiles \("Newer"\) is left out: tiles\.0\.config\.displayType: .*\.\n$/,
      ),
    ])
    expect((await runWith(['--scenario', scenario])).stderr).toBe('')
  })
})
