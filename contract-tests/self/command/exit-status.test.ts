import { describe, expect, it, onTestFinished } from 'vitest'
import type { OperationId } from '../../../fixtures/contract/index.ts'
import { startMock } from '../start-mock.ts'
import { createFolder, runCommand } from './run-command.ts'

/** Exit status 0 needs a verdict on every must rule: a run that lacks values of the target file is no success. */

/** The lists from which a run reads ids. */
const lists = ['organization.list', 'service.list'] as const

/** Starts a mock that does not offer some operations. */
async function start(...without: OperationId[]) {
  const { mock, target, close } = await startMock({})
  onTestFinished(close)
  for (const operation of without) mock.stub({ when: { operation }, answer: { status: 404 } })
  const { baseUrl, keyId, keySecret, organizationId } = target.cloud!
  const { control } = target
  return { target, control, cloud: { baseUrl, keyId, keySecret }, organizationId }
}

const verify = (target: unknown, ...args: string[]) =>
  runCommand('verify', '--target', createFolder().write('target.json', target), ...args)

/** The lines below the line with the counts. */
const readLastLines = (stdout: string) =>
  stdout
    .slice(stdout.search(/^\S+, \d+ rules in \d forms?: \d+ held/m))
    .trim()
    .split('\n')
    .slice(1)

describe('the exit status of stack-parity verify', () => {
  it('is 2 for a cloud with an address and a key only, and the last lines name the missing ids', async () => {
    const { cloud, control } = await start(...lists)
    const { status, stdout } = await verify({ cloud, control })
    expect(status).toBe(2)
    expect(readLastLines(stdout)).toEqual([
      'Not every rule could be judged:',
      expect.stringMatching(
        /^ {2}add cloud\.organizationId and cloud\.serviceId to the target file, or list "managed" under notOffered \(not judged in managed: .*dashboard\/list-answers, .*\)$/,
      ),
      expect.stringMatching(
        /^ {2}add cloud\.organizationId, cloud\.serviceId and cloud\.backupId to the target file, or list "cloud" under notOffered \(not judged in cloud: .*\d+ of member\/.*\)$/,
      ),
    ])
  })

  it('is 0 when the target file lists the missing parts under notOffered', async () => {
    const { cloud, control, organizationId } = await start(...lists)
    const target = { cloud: { ...cloud, organizationId }, control }
    expect((await verify(target)).status).toBe(2)
    const { status, stdout } = await verify({ ...target, notOffered: ['managed', 'backup.get'] })
    expect([status, readLastLines(stdout)]).toEqual([0, []])
    expect(stdout).toContain('cloud: the target file lists backup.get under notOffered')
    expect(stdout).not.toContain('managed')
  })

  it('is 2 without an ingestion key, and 0 when no selected rule needs the key', async () => {
    const { target, control } = await start()
    const { ingestionKey: _, ...selfHosted } = target.selfHosted!
    const { status, stdout } = await verify({ selfHosted, control })
    expect([status, readLastLines(stdout)[1]]).toEqual([
      2,
      '  add selfHosted.ingestionKey to the target file (not judged in selfHosted: auth/ingestion-key-is-refused)',
    ])
    expect((await verify({ selfHosted, control }, '--section', '4')).status).toBe(0)
  })

  it('is 0 for a read-only run without the references that only writes need', async () => {
    const { target, control } = await start()
    const { references: _, ...cloud } = target.cloud!
    const { references: _references, ...selfHosted } = target.selfHosted!
    expect((await verify({ cloud, selfHosted, control }, '--read-only')).status).toBe(0)
  })

  it('is 2 when --max-requests was reached', async () => {
    const { target } = await start()
    expect((await verify(target, '--max-requests', '60')).status).toBe(2)
  })

  it('does not depend on forms that --forms leaves out', async () => {
    const { target, control } = await start(...lists)
    const { serviceId: _serviceId, backupId: _backupId, ...cloud } = target.cloud!
    const both = { cloud, selfHosted: target.selfHosted, control }
    const { status, stdout } = await verify(both, '--forms', 'selfHosted')
    expect([status, stdout]).toEqual([0, expect.not.stringContaining('member/')])
    expect((await verify(both, '--forms', 'selfHosted', '--forms', 'managed')).status).toBe(2)
    expect((await verify({ cloud }, '--forms', 'selfHosted')).stderr).toContain(
      '--forms selfHosted: the target has no such form, only cloud, managed.',
    )
    expect((await runCommand('verify', '--forms', 'self-hosted')).stderr).toContain('Did you mean selfHosted?')
  })

  it.each([
    [['manged'], '`notOffered` names "manged", which is no form and no operation; did you mean "managed"?'],
    [
      ['backups.get'],
      '`notOffered` names "backups.get", which is no form and no operation; did you mean "backup.get"?',
    ],
    ['managed', '`notOffered` must be a list of forms and operations.'],
    [['cloud', 'managed'], '`notOffered` lists every form of the target: there is nothing to verify.'],
  ])('is 2 for notOffered %j, and stderr gives the reason', async (notOffered, sentence) => {
    const target = { cloud: { baseUrl: 'http://127.0.0.1:1', keyId: 'a', keySecret: 'b' }, notOffered }
    const { status, stderr } = await verify(target)
    expect([status, stderr]).toEqual([2, expect.stringContaining(sentence)])
  })

  it('is 2 for recorded traffic in which no must rule can be judged, and 0 when one can', async () => {
    const record = (status: number, body: unknown) => ({
      log: {
        version: '1.2',
        creator: { name: 'test', version: '1' },
        entries: [
          {
            startedDateTime: '2026-01-01T00:00:00.000Z',
            time: 1,
            request: {
              method: 'GET',
              url: 'https://api.example.test/api/v2/dashboards',
              httpVersion: 'HTTP/1.1',
              headers: [],
            },
            response: {
              status,
              headers: [{ name: 'content-type', value: 'application/json' }],
              content: { mimeType: 'application/json', text: JSON.stringify(body) },
            },
          },
        ],
      },
    })
    const folder = createFolder()
    const empty = await runCommand('verify', '--har', folder.write('refused.har', record(401, { message: 'no' })))
    expect([empty.status, empty.stdout]).toEqual([
      2,
      expect.stringMatching(/could be judged: the recording answers no must rule\.\n$/),
    ])
    expect((await runCommand('verify', '--har', folder.write('listed.har', record(200, { data: [] })))).status).toBe(0)
    const unread = record(200, undefined)
    Object.assign(unread.log.entries[0]!.response.content, { _file: 'body.json' })
    const args = ['verify', '--quiet', '--har', folder.write('unread.har', unread)]
    const before = await runCommand(...args)
    expect([before.status, before.stdout.trim().split('\n')]).toEqual([
      2,
      expect.arrayContaining([
        'Of 1 recorded exchange, 0 were judged and 1 was not:',
        '  1 × only its status was read, not its body: it is in another file, which is not beside the recording',
        'Nothing could be judged: no body could be read of 1 recorded exchange.',
      ]),
    ])
    folder.write('body.json', { data: [] })
    expect((await runCommand(...args)).status).toBe(0)
  })
})
