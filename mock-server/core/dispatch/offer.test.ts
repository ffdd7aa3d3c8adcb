import { describe, expect, it } from 'vitest'
import { createMock, type MockOptions } from '../../mock/mock.ts'

function open(options: MockOptions) {
  const mock = createMock(options)
  const { cloud, notOffered } = mock.target({ cloud: '' })
  const organization = `/v1/organizations/${cloud!.organizationId}`
  const service = `${organization}/services/${cloud!.serviceId}`
  const headers = { authorization: `Basic ${btoa(`${cloud!.keyId}:${cloud!.keySecret}`)}` }
  const paths = {
    members: `${organization}/members`,
    keys: `${organization}/keys`,
    backup: `${service}/backups/${cloud!.backupId}`,
    dashboards: `${service}/${cloud!.observabilitySegment}/dashboards`,
    webhooks: `${service}/${cloud!.observabilitySegment}/webhooks`,
  }
  const requestAll = async () => {
    const statuses: Record<string, number> = {}
    for (const [name, path] of Object.entries(paths))
      statuses[name] = (await mock.answer({ method: 'GET', path, query: '', headers, body: '' }, 'cloud')).status
    return statuses
  }
  return { mock, notOffered, requestAll }
}

describe('the groups of the cloud API that a mock offers', () => {
  it.each([
    ['all by default', undefined, { members: 200, keys: 200, backup: 200, dashboards: 200, webhooks: 404 }],
    [
      'the specified ones for "specified"',
      ['specified'],
      { members: 200, keys: 404, backup: 200, dashboards: 200, webhooks: 404 },
    ],
    ['one if its name is given', ['OpenAPI'], { members: 404, keys: 200, backup: 404, dashboards: 404, webhooks: 404 }],
    [
      'two if their names are given',
      ['Backup', 'ClickStack'],
      { members: 404, keys: 404, backup: 200, dashboards: 200, webhooks: 404 },
    ],
  ] as const)('are %s', async (_, offer, statuses) => {
    expect(await open({ offer }).requestAll()).toEqual(statuses)
  })

  it('include managed webhooks with --as clickhouse-cloud, unless only the specified groups are offered', async () => {
    expect((await open({ as: 'clickhouse-cloud' }).requestAll()).webhooks).toBe(200)
    expect((await open({ as: 'clickhouse-cloud', offer: ['specified'] }).requestAll()).webhooks).toBe(404)
  })

  it('determine the target file and the OpenAPI description', () => {
    expect(open({}).notOffered).toBeUndefined()
    expect(open({ offer: ['specified'] }).notOffered).toEqual(expect.arrayContaining(['key.list']))
    const { notOffered, mock } = open({ offer: ['OpenAPI'] })
    expect(notOffered).toEqual(expect.arrayContaining(['managed', 'member.list', 'backup.get']))
    expect(notOffered).not.toContain('key.list')
    const paths = Object.keys((mock.describe('cloud') as { paths: object }).paths)
    expect(paths.filter(path => !path.includes('/keys'))).toEqual(['/v1'])
  })

  it('are refused if there is no group of the given name', () => {
    const offer = ['Keys'] as never
    expect(() => createMock({ offer })).toThrow(/create a mock: offer: Expected a list of specified, .*OpenAPI/)
  })
})
