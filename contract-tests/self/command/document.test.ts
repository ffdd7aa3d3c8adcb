import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import { reporters } from '../../report/index.ts'
import type { Report } from '../../report/report.ts'
import { fingerprint } from '../../run/fingerprint.ts'
import { described } from '../document-changes/describe-changed.ts'
import { startMock } from '../start-mock.ts'
import { createFolder, runCommand } from './run-command.ts'

/** Creates a description without the keys of an organization and with a single role. */
function createChangedDocument() {
  const document = described('cloud')
  for (const path of Object.keys(document.paths)) if (path.includes('/keys')) delete document.paths[path]
  document.components.schemas.Member.properties.role.enum = ['admin']
  return document
}

const verifyDocument = (...given: string[]) => runCommand('verify', '--drift', 'error', '--document', ...given)

describe('verify --document', () => {
  it('finds no difference between the contract and the description by the mock', async () => {
    for (const api of ['cloud', 'selfHosted'] as const) {
      const { status, stdout } = await verifyDocument(createFolder().write('same.json', described(api)))
      expect(stdout).toMatch(/^same\.json \(.*\) compared with the contract: No differences\.\n$/)
      expect(status).toBe(0)
    }
  })

  it('prints breaking differences by operation, and fails the run', async () => {
    const file = createFolder().write('newer.yaml', stringify(createChangedDocument()))
    const { status, stdout } = await verifyDocument(file)
    expect(stdout).toContain('breaking  key.list GET …/keys  gone\n')
    expect(stdout).toMatch(
      /newer\.yaml \(cloud, managed\) compared with the contract: \d+ breaking, 0 additive and 0 neutral differences\./,
    )
    expect(status).toBe(1)
  })

  it('compares with the document of --against, in every kind of report', async () => {
    const folder = createFolder()
    const [newer, older] = [
      folder.write('newer.json', described('cloud')),
      folder.write('older.json', createChangedDocument()),
    ]
    const kinds = Object.keys(reporters)
    const wanted = kinds.flatMap(kind => ['--report', `${kind}=${folder.path(kind)}`])
    const { status, stdout } = await verifyDocument(older, '--against', newer, ...wanted)
    expect(stdout).toMatch(/older\.json \(cloud, managed\) compared with newer\.json: \d+ breaking/)
    expect(status).toBe(1)
    for (const kind of kinds) expect(readFileSync(folder.path(kind), 'utf8')).toContain('key.list')
    const { drift } = JSON.parse(readFileSync(folder.path('json'), 'utf8')) as Report
    expect(drift.find(({ id }) => id === 'operation/key.list/gone')).toMatchObject({
      part: 'document',
      kind: 'breaking',
      family: 'key',
      operations: [{ id: 'key.list', method: 'GET', path: '/v1/organizations/{organizationId}/keys' }],
    })
  })

  it('ignores the drift that --known-drift lists', async () => {
    const folder = createFolder()
    const file = folder.write('newer.json', createChangedDocument())
    const { stdout } = await verifyDocument(file, '--report', 'json=-')
    const { drift } = JSON.parse(stdout) as Report
    const known = drift.map(({ fingerprint }) => `${fingerprint} # moved to another API`).join('\n')
    const { status } = await verifyDocument(file, '--known-drift', folder.write('known.txt', known))
    expect(status).toBe(0)
  })

  it('ignores a field that goes, if the list has it as neutral, as earlier versions called it', async () => {
    const folder = createFolder()
    const changed = described('cloud')
    delete changed.components.schemas.Backup.properties.status
    const file = folder.write('newer.json', changed)
    const found = await verifyDocument(file, '--report', 'json=-')
    const { drift } = JSON.parse(found.stdout) as Report
    const gone = drift.filter(({ id, kind }) => kind === 'breaking' && /^answer\/.*\/gone$/.test(id))
    expect([found.status, gone.length > 0, gone.length]).toEqual([1, true, drift.length])
    const known = gone.map(one => `${fingerprint({ ...one, kind: 'neutral' })} # seen in May`).join('\n')
    const { status, stdout } = await verifyDocument(file, '--known-drift', folder.write('known.txt', known))
    expect([status, stdout]).toEqual([0, expect.stringContaining('No differences')])
  })

  it('adds what it finds to the list of --update-known-drift, keeps its lines, and accepts that', async () => {
    const folder = createFolder()
    const file = folder.write('newer.json', createChangedDocument())
    const list = folder.write('known.txt', '0123456789ab # moved to another API')
    const first = await verifyDocument(file, '--update-known-drift', list)
    expect(first.stdout).toMatch(/breaking {2}key\.list GET …\/keys {2}gone\n {12}[0-9a-f]{12}\n/)
    const [kept, ...added] = readFileSync(list, 'utf8').trimEnd().split('\n')
    expect(kept).toBe('0123456789ab # moved to another API')
    const today = new Date().toISOString().slice(0, 10)
    for (const line of added) expect(line).toMatch(new RegExp(`^[0-9a-f]{12} # accepted on ${today}: breaking, `))
    expect(first.stdout).toMatch(new RegExp(`known\\.txt: ${added.length} differences added\\.\n$`))
    const second = await verifyDocument(file, '--known-drift', list)
    expect([first.status, second.status, second.stdout]).toEqual([0, 0, expect.stringContaining('No differences')])
  })

  it('judges the answers of a target by the document, and prints equal deviations once', async () => {
    const { target, close } = await startMock()
    onTestFinished(close)
    const folder = createFolder()
    const file = folder.write('target.json', target)
    const run = (document: object) =>
      verifyDocument(folder.write('document.json', document), '--target', file, '--rule', 'member/')
    const { status, stdout } = await run(createChangedDocument())
    expect(stdout).toMatch(
      /breaking {2}member\.\w+ \w+ …\/members.* and 2 more {2}answered enum: \$\.result\S*\.role admin → developer/,
    )
    expect([status, (await run(described('cloud'))).status]).toEqual([1, 0])
  })

  it.each([
    [
      'x.json',
      { openapi: '3.1.0', paths: { a: { $ref: 'https://other.test/a.json' } } },
      'it refers to "https://other.test/a.json", outside of itself, and nothing is fetched',
    ],
    ['x.yaml', 'openapi: 3.1.0\npaths: &a\n  a: *a\n', 'it contains itself, by an alias of YAML'],
    [
      'x.yaml',
      `a: &a [x]\n${[...'bcdefghi'].map((name, at) => `${name}: &${name} [${`*${'abcdefgh'[at]},`.repeat(9)}]`).join('\n')}`,
      'it is no YAML that can be read (Excessive alias count',
    ],
    ['x.yaml', 'a: [', 'it is neither JSON nor YAML ('],
    ['x.json', '{', 'it is not JSON ('],
    ['x.json', { swagger: '2.0' }, 'it is a document of Swagger 2.0; only OpenAPI 3.0 and 3.1 are read.'],
    ['x.json', { openapi: '3.1.0', paths: { '/pets': { get: {} } } }, 'it describes another API'],
  ])('refuses %s: %j', async (name, content, sentence) => {
    const file = createFolder().write(name, content)
    const { status, stderr } = await verifyDocument(file)
    expect(stderr).toContain(`stack-parity verify: --document ${file}: ${sentence}`)
    expect(status).toBe(2)
  })

  it('refuses an invalid list of known drift, and --against without --document', async () => {
    const folder = createFolder()
    const list = folder.write('known.txt', '0123456789ab # reason\nkey/list')
    const { stderr } = await runCommand('verify', '--known-drift', list)
    expect(stderr).toContain(`--known-drift ${list}: line 2 is no fingerprint`)
    const { stderr: aimless } = await runCommand('verify', '--update-known-drift', list)
    expect(aimless).toContain('--update-known-drift lists what --baseline FILE or --document FILE finds')
    expect((await runCommand('verify', '--against', list)).stderr).toContain('--against FILE needs --document FILE')
  })
})
