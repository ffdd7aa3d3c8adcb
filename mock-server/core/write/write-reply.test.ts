import { describe, expect, it } from 'vitest'
import { type Form, type Gap, type GapId, gaps } from '../../../fixtures/built-contract/index.ts'
import { createMock } from '../../mock/mock.ts'
import type { Answer } from '../../words/call.ts'

const now = Date.UTC(2026, 5, 1)
const unknownUuid = '0b6f3c1e-9d0a-4c57-8f3e-2a1b4c5d6e7f'
const unknownId = 'f'.repeat(24)

interface Provocation {
  readonly method?: string
  /** Below the base of the form: the organization, the stack of a service, or `/api/v2`. */
  readonly path: string
  readonly body?: string
  readonly authorization?: string
}

const alert = { threshold: 1, interval: '1h', source: 'tile', thresholdType: 'above' }
const series = { aggFn: 'count', where: '', groupBy: [] }
const chart = (sourceId: string, where: string) =>
  JSON.stringify({ startTime: now - 1000, endTime: now, granularity: '1h', series: [{ ...series, sourceId, where }] })

/** A request whose answer depends on the gap, in the forms that have the gap. */
const provocations: Partial<Record<GapId, (target: ReturnType<typeof open>, form: Form) => Provocation>> = {
  'service/other-operations': () => ({ path: '/notificationSettings' }),
  'replicaAwareRouting/not-entitled': ({ serviceId }) => ({
    method: 'PATCH',
    path: `/services/${serviceId}/replicaAwareRouting`,
    body: '{"httpEnabled":true}',
  }),
  'snapshotConfiguration/not-entitled': ({ serviceId, withoutSnapshots }) => {
    withoutSnapshots()
    const body = '{"enabled":true,"gap":30,"timeFrame":1440}'
    return { method: 'PATCH', path: `/services/${serviceId}/snapshotConfiguration`, body }
  },
  'service/absent-resource': () => ({ path: '/webhooks' }),
  'path/unknown-path': () => ({ path: '/nothing' }),
  'path/wrong-method': (_, form) => ({ method: 'PATCH', path: form === 'cloud' ? '/members' : '/alerts' }),
  'path/malformed-id': (_, form) => ({ path: form === 'cloud' ? '/services/x/backups/y' : '/alerts/x' }),
  'path/unknown-organization': () => ({ path: `/../${unknownUuid}/members` }),
  'auth/missing-credentials': (_, form) => ({ path: form === 'cloud' ? '/members' : '/alerts', authorization: '' }),
  'auth/invalid-credentials': (_, form) => ({
    path: form === 'cloud' ? '/members' : '/alerts',
    authorization: 'Basic x',
  }),
  'key/address-not-allowed': ({ closedKey }) => ({ path: '/members', authorization: closedKey() }),
  'auth/key-of-another-organization': ({ second }) => ({ path: `/../${second}/members` }),
  'backup/unknown-id': ({ serviceId }) => ({ path: `/services/${serviceId}/backups/${unknownUuid}` }),
  'backup/unknown-service': () => ({ path: `/services/${unknownUuid}/backups/${unknownUuid}` }),
  'error/malformed-json': () => ({ method: 'POST', path: '/dashboards', body: '{' }),
  'dashboard/delete-answer': ({ referencesOf }, form) => ({
    method: 'DELETE',
    path: `/dashboards/${referencesOf(form).dashboardId}`,
  }),
  'dashboard/unknown-id': () => ({ path: `/dashboards/${unknownId}` }),
  'dashboard/update-unknown': () => ({
    method: 'PUT',
    path: `/dashboards/${unknownId}`,
    body: '{"name":"x","tiles":[]}',
  }),
  'dashboard/delete-unknown': () => ({ method: 'DELETE', path: `/dashboards/${unknownId}` }),
  'alert/delete-answer': ({ alertIdOf }, form) => ({ method: 'DELETE', path: `/alerts/${alertIdOf(form)}` }),
  'alert/unknown-id': () => ({ path: `/alerts/${unknownId}` }),
  'alert/update-unknown': ({ referencesOf }, form) => {
    const { dashboardId, tileId, webhookId } = referencesOf(form)
    const body = JSON.stringify({ ...alert, dashboardId, tileId, channel: { type: 'webhook', webhookId } })
    return { method: 'PUT', path: `/alerts/${unknownId}`, body }
  },
  'alert/delete-unknown': () => ({ method: 'DELETE', path: `/alerts/${unknownId}` }),
  'teamMember/delete-unknown': () => ({ method: 'DELETE', path: `/team/member/${unknownId}` }),
  'teamInvitation/delete-unknown': () => ({ method: 'DELETE', path: `/team/invitation/${unknownId}` }),
  'chart/unreadable-where': ({ sourceId }) => ({
    method: 'POST',
    path: '/charts/series',
    body: chart(sourceId, 'a:[1 TO'),
  }),
  'chart/unknown-source': () => ({ method: 'POST', path: '/charts/series', body: chart(unknownId, '') }),
}

function open(choices: object) {
  const mock = createMock({ now, choices })
  const { cloud, selfHosted } = mock.target({ cloud: '', selfHosted: '' })
  const organization = `/v1/organizations/${cloud!.organizationId}`
  const managed = `${organization}/services/${cloud!.serviceId}/observability`
  // Listed when asked for: most provocations need no alert, and a stack is seeded at its first read.
  const alertId = (within: string) => mock.records.list('alert', { within })[0]!.id as string
  return {
    second: cloud!.secondOrganizationId,
    serviceId: cloud!.serviceId,
    sourceId: selfHosted!.references.sourceId,
    /** The credentials of a key that may be used from no IP address. */
    closedKey: () => {
      const { organizationId } = cloud!
      const key = mock.records.create('key', { organizationId, ipAccessList: [] })
      return `Basic ${btoa(`${key.keyId}:${key.keySecret}`)}`
    },
    withoutSnapshots: () =>
      mock.records.update('organization', cloud!.organizationId, { capabilities: { snapshots: false } }),
    referencesOf: (form: Form) => (form === 'managed' ? cloud!.references! : selfHosted!.references),
    alertIdOf: (form: Form) => alertId(form === 'managed' ? cloud!.serviceId : 'self-hosted'),
    send(form: Form, { method = 'GET', path, body = '', authorization }: Provocation): Promise<Answer> {
      const isCloud = form !== 'selfHosted'
      const ownAuthorization = isCloud
        ? `Basic ${btoa(`${cloud!.keyId}:${cloud!.keySecret}`)}`
        : `Bearer ${selfHosted!.apiKey}`
      const headers = {
        authorization: (authorization ?? ownAuthorization) || undefined,
        'content-type': 'application/json',
      }
      const base = { cloud: organization, managed, selfHosted: '/api/v2' }[form]
      const whole = path.startsWith('/../') ? path.replace('/..', '/v1/organizations') : base + path
      return mock.answer({ method, path: whole, query: '', headers, body }, isCloud ? 'cloud' : 'selfHosted')
    },
  }
}

function shapeOf({ headers, body }: Answer): string {
  if (body === '') return 'empty'
  const type = headers['content-type']!
  if (type.startsWith('application/json') && JSON.parse(body)) return 'json'
  return type.startsWith('text/html') ? 'html' : 'text'
}

/** Only the newer edition has a team. */
const editionOf = (id: GapId) => (id.startsWith('team') ? { 'version/self-hosted-edition': '2.36' } : {})

const refusals = (Object.entries(gaps) as [GapId, Gap][]).filter(([, { kind }]) => kind === 'refusal')
const places = refusals.flatMap(([id, { forms }]) => forms.map(form => [id, form] as const))

describe('an answer that depends on a gap', () => {
  it.each(places)('follows every choice: %s, %s', async (id, form) => {
    const gap: Gap = gaps[id]
    // Also choices that are not listed, such as those of a captured deployment.
    const others = id.endsWith('delete-answer') ? ['204 empty'] : ['404 html', '410 text', '400 json', '403 empty']
    for (const choice of [...gap.choices, ...others]) {
      const client = open({ [form]: { ...editionOf(id), [id]: choice } })
      const answer = await client.send(form, provocations[id]!(client, form))
      expect(`${answer.status} ${shapeOf(answer)}`).toBe(choice)
    }
  })

  it('has its status in the envelope, even if the contract does not list the status', async () => {
    const client = open({ managed: { 'alert/unknown-id': '410 json' } })
    const answer = await client.send('managed', { path: `/alerts/${unknownId}` })
    expect(JSON.parse(answer.body)).toMatchObject({ status: 410, error: 'GONE: Alert not found' })
  })
})

describe('random choices', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('never cause a 5xx: seed %i', async gapsSeed => {
    const mock = createMock({ now, gaps: gapsSeed })
    const { selfHosted } = mock.target({ selfHosted: '' })
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      for (const path of [
        '/api/v2/dashboards',
        '/api/v2/alerts/x',
        `/api/v2/dashboards/${unknownId}`,
        '/api/v2/charts/series',
      ]) {
        const headers = { authorization: `Bearer ${selfHosted!.apiKey}`, 'content-type': 'application/json' }
        const answer = await mock.answer({ method, path, query: '', headers, body: '{}' }, 'selfHosted')
        expect(answer.status, `${method} ${path}: ${answer.body}`).toBeLessThan(500)
      }
    }
  })
})

describe('a body that cannot be read', () => {
  it.each([
    ['broken JSON', { body: '{' }],
    ['an unknown charset', { body: '', unread: 'unsupported-charset' }],
    ['a body that is too large', { body: '', unread: 'too-large' }],
  ] as const)('is refused without CORS headers with cors as-deployed: %s', async (_, sent) => {
    const mock = createMock({ now, cors: 'as-deployed' })
    const authorization = `Bearer ${mock.target({ selfHosted: '' }).selfHosted!.apiKey}`
    const headers = { authorization, 'content-type': 'application/json' }
    const call = { method: 'POST', path: '/api/v2/dashboards', query: '', headers }
    const refused = await mock.answer({ ...call, ...sent }, 'selfHosted')
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(refused.headers.vary).toBe('Accept-Encoding')
    expect(Object.keys(refused.headers).filter(name => /^access-control|^timing/.test(name))).toEqual([])
    const invalid = await mock.answer({ ...call, body: '{}' }, 'selfHosted')
    expect([invalid.status, invalid.headers['access-control-allow-origin']]).toEqual([400, 'http://localhost:8080'])
  })
})
