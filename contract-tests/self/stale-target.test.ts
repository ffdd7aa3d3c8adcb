import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock-server/index.ts'
import type { Client } from '../engine/clients/client.ts'
import type { TargetFile } from '../engine/target/target.ts'
import { exitStatus } from '../report/exit-status.ts'
import { createPaint, renderTerminal } from '../report/terminal.ts'
import { verify } from '../run/verify.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

/** A target file that names a deleted object is a mistake of the file, and breaks no rule of the deployment. */

type References = Record<string, unknown>

const deletedId = 'ffffffffffffffffffffff99'

async function run(change: (references: References, part: string) => References, readOnly = false) {
  const mock = createMock()
  const target = directTarget(mock)
  const { cloud, selfHosted } = target
  const changed: TargetFile = {
    ...target,
    selfHosted: { ...selfHosted!, references: change({ ...selfHosted!.references }, 'selfHosted') },
    cloud: cloud && { ...cloud, references: change({ ...cloud.references }, 'cloud') },
  }
  const report = await verify({ target: changed, client: createDirectClient(mock), readOnly })
  const wrong = report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
  return { report, wrong, stale: report.target.stale ?? [] }
}

describe('a target file that is up to date', () => {
  it('is not reported as stale', async () => {
    expect((await run(references => references)).stale).toEqual([])
  })
})

describe.each([
  ['writes', false],
  ['only reads', true],
])('in a run that %s, a target file that names a deleted object', (_, readOnly) => {
  it.each([
    ['webhookId', ['selfHosted'], '/api/v2/webhooks'],
    ['sourceId', ['cloud', 'selfHosted'], '/api/v2/sources'],
    ['dashboardId', ['cloud', 'selfHosted'], '/api/v2/dashboards'],
  ])('as %s breaks no rule, and is reported', async (field, parts, path) => {
    const change = (references: References, part: string) =>
      parts.includes(part) ? { ...references, [field]: deletedId } : references
    const { report, wrong, stale } = await run(change, readOnly)
    expect(wrong).toEqual([])
    expect(stale).toContain(
      `\`selfHosted.references.${field}\` names "${deletedId}", which GET ${path} does not list: another that is listed is taken instead.`,
    )
    expect(stale).toHaveLength(parts.length)
    expect(renderTerminal(report, createPaint(false))).toContain(`The target file is out of date\n  ${stale[0]}`)
    expect(exitStatus(report)).toBe(0)
  })

  it('as tileId breaks no rule, and is reported', async () => {
    const { wrong, stale } = await run(references => ({ ...references, tileId: deletedId }), readOnly)
    expect(wrong).toEqual([])
    expect(stale).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^\`selfHosted.references.tileId\` names "${deletedId}", and the dashboard "\\w+" has no such tile: another`,
        ),
      ),
    )
  })
})

describe('a webhook of the managed form, which no list shows', () => {
  it('breaks no rule when it is deleted, and the report names the field to check', async () => {
    const { wrong, report } = await run((references, part) =>
      part === 'cloud' ? { ...references, webhookId: deletedId } : references,
    )
    expect(wrong.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(['alert/create-accepts-the-sample errored'])
    expect(wrong[0]!.detail).toMatch(
      new RegExp(
        `the managed form has no list that shows whether "${deletedId}" exists: check \`cloud.references.webhookId\` of the`,
      ),
    )
    expect(exitStatus(report)).toBe(2)
  })
})

describe('a deleted service or backup in the target file', () => {
  const unlistedId = 'ffffffff-ffff-4fff-8fff-ffffffffffff'
  const elsewhere = 'https://cloud.example.test'

  /** Runs the suite on a mock with or without lists of services and backups, which the specification does not show. */
  async function runCloud(
    change: Partial<TargetFile['cloud'] & object>,
    { lists = true, remote = false }: { lists?: boolean; remote?: boolean } = {},
  ) {
    const mock = createMock(lists ? {} : { offer: ['specified'] })
    const { cloud, name, control } = directTarget(mock)
    const { organizationId, serviceId, baseUrl } = cloud!
    const direct = createDirectClient(mock)
    const services = `/v1/organizations/${organizationId}/services`
    const writes: string[] = []
    const client: Client = {
      async send(request) {
        if (request.method !== 'GET' && request.headers.authorization) writes.push(request.path)
        return direct.send(request.baseUrl === elsewhere ? { ...request, baseUrl } : request)
      },
    }
    const target = { name, control, cloud: { ...cloud!, ...(remote ? { baseUrl: elsewhere } : {}), ...change } }
    const report = await verify({ target, client, readOnly: false, rate: 1000 })
    const wrong = report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
    const backup = report.rules.find(({ id }) => id === 'backup/get-answers-200')!
    return { report, wrong, backup, services, writes, stale: report.target.stale ?? [], serviceId: serviceId! }
  }

  it('is replaced by the listed backup, and breaks no rule', async () => {
    const { wrong, stale, backup, services, serviceId, report } = await runCloud({ backupId: unlistedId })
    expect(wrong).toEqual([])
    expect(backup.outcome).toBe('held')
    expect(stale).toEqual([
      `\`cloud.backupId\` names "${unlistedId}", which GET ${services}/${serviceId}/backups does not list: another that is listed is taken instead.`,
    ])
    expect(exitStatus(report)).toBe(0)
  })

  it('is replaced by the listed service, and breaks no rule', async () => {
    const { wrong, stale, backup, services, report } = await runCloud({ serviceId: unlistedId })
    expect(wrong).toEqual([])
    expect(backup.outcome).toBe('held')
    expect(stale).toEqual([
      `\`cloud.serviceId\` names "${unlistedId}", which GET ${services} does not list: another that is listed is taken instead.`,
    ])
    expect(exitStatus(report)).toBe(0)
  })

  it('is not replaced for writes beyond loopback', async () => {
    const { wrong, stale, writes, backup, serviceId } = await runCloud({ serviceId: unlistedId }, { remote: true })
    expect(stale).toHaveLength(1)
    expect(backup.outcome).toBe('held')
    expect(writes.filter(path => path.includes(serviceId))).toEqual([])
    expect(new Set(wrong.map(({ outcome, detail }) => `${outcome} ${detail}`))).toEqual(
      new Set([
        `errored the service "${unlistedId}" is not listed there, and nothing is written to one that the target file does not name: check cloud.serviceId`,
      ]),
    )
  })

  it('breaks the rule when no list shows that it is deleted, and the detail says what to check', async () => {
    const { backup, stale } = await runCloud({ backupId: unlistedId }, { lists: false })
    expect(stale).toEqual([])
    expect([backup.outcome, backup.detail]).toEqual([
      'broken',
      expect.stringContaining('check `cloud.serviceId` and `cloud.backupId` if the target file may be out of date'),
    ])
  })
})
