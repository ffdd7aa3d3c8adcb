import { type Form, type Operation, type OperationId, operations } from '../../../fixtures/contract/index.ts'
import type { Call } from '../../words/call.ts'
import { apiKey, basic, ids, ingestionKey, keyId, keySecret } from './stub-deployment.ts'

/** What a suite might send: every operation and refusal, each dashboard and alert from its creation on, every probe of §5. */

const good = { cloud: basic(keyId, keySecret), managed: basic(keyId, keySecret), selfHosted: `Bearer ${apiKey}` }
export const bad: Record<Form, Record<string, string | undefined>> = {
  cloud: basicProbes(),
  managed: basicProbes(),
  selfHosted: {
    none: undefined,
    'empty secret': 'Bearer ',
    'wrong secret': 'Bearer 55555555-5555-4555-8555-555555555556',
    'wrong scheme': basic(apiKey, ''),
    'key as password': basic('api', apiKey),
    malformed: 'Bearer not a key',
    'no scheme': apiKey,
    'other form': basic(keyId, keySecret),
    'ingestion key': `Bearer ${ingestionKey}`,
  },
}

function basicProbes() {
  return {
    none: undefined,
    'empty secret': basic(keyId, ''),
    'wrong secret': basic(keyId, 'SECRET2'),
    'wrong key id': basic('KEY2', keySecret),
    'wrong scheme': basic(keyId, keySecret).replace('Basic', 'Bearer'),
    malformed: 'Basic !!!',
    'no scheme': 'KEY:SECRET',
    'other form': `Bearer ${apiKey}`,
    'key of somebody else': basic('OTHER', 'OTHER'),
  }
}

export const call = (
  method: string,
  path: string,
  form: Form,
  body = '',
  authorization: string | undefined = good[form],
): Call => ({
  method,
  path,
  query: '',
  headers: authorization === undefined ? {} : { authorization },
  body,
})

const service = `/v1/organizations/${ids.organizationId}/services/${ids.serviceId}`
const members = (organizationId: string) => call('GET', `/v1/organizations/${organizationId}/members`, 'cloud')
const backup = (path: string) => call('GET', path, 'cloud')
const base = { managed: `${service}/observability`, selfHosted: '/api/v2' }
export const nothing = '99999999-9999-4999-8999-999999999999'

function* lifecycle(form: 'managed' | 'selfHosted', resource: 'dashboard' | 'alert'): Generator<[string, Call]> {
  const all = `${base[form]}/${resource}s`
  const one = `${all}/000000000000000000000002`
  const name = (step: string) => `${form} ${resource}.${step}`
  yield [name('create'), call('POST', all, form, '{"name":"first"}')]
  yield [name('create of malformed JSON'), call('POST', all, form, '{"name": ')]
  yield [name('list'), call('GET', all, form)]
  yield [name('get'), call('GET', one, form)]
  yield [name('update'), call('PUT', one, form, '{"name":"second"}')]
  yield [name('get after update'), call('GET', one, form)]
  yield [name('delete'), call('DELETE', one, form)]
  yield [name('get after delete'), call('GET', one, form)]
  yield [name('list after delete'), call('GET', all, form)]
}

function* probes(form: Form): Generator<[string, Call]> {
  for (const [id, { method, paths }] of Object.entries(operations) as [OperationId, Operation][]) {
    const path = paths[form]
      ?.replace('{segment}', 'observability')
      .replace('{id}', '000000000000000000000001')
      .replace(/\{(\w+)\}/g, (_, name: keyof typeof ids) => ids[name])
    if (path === undefined) continue
    for (const [kind, authorization] of Object.entries(bad[form])) {
      const { headers, ...rest } = call(
        method,
        path,
        form,
        method === 'GET' ? '' : '{"name":"probe"}',
        authorization ?? '',
      )
      yield [`${form} ${id} as ${kind}`, { ...rest, headers: authorization === undefined ? {} : headers }]
    }
  }
}

export const exchanges: readonly (readonly [string, Call])[] = [
  ['members', members(ids.organizationId)],
  ['members again', members(ids.organizationId)],
  ['members of the second organization', members(ids.secondOrganizationId)],
  ['backup', backup(`${service}/backups/${ids.backupId}`)],
  ['unknown backup', backup(`${service}/backups/${nothing}`)],
  ['cloud malformed organizationId', members('none')],
  [
    'backup of malformed serviceId',
    backup(`/v1/organizations/${ids.organizationId}/services/none/backups/${ids.backupId}`),
  ],
  ['malformed backupId', backup(`${service}/backups/none`)],
  ['description', call('GET', '/v1', 'cloud')],
  ['unknown path', call('GET', '/v1/nothing', 'cloud')],
  ['head of members', { ...members(ids.organizationId), method: 'HEAD' }],
  ['managed source.list', call('GET', `${base.managed}/sources`, 'managed')],
  ['managed charts', call('GET', `${base.managed}/charts`, 'managed')],
  ['managed chart series', call('POST', `${base.managed}/charts/series`, 'managed', '{}')],
  ['managed webhooks', call('GET', `${base.managed}/webhooks`, 'managed')],
  [
    'managed malformed organizationId',
    call('GET', base.managed.replace(ids.organizationId, 'none').concat('/dashboards'), 'managed'),
  ],
  [
    'managed malformed serviceId',
    call('GET', base.managed.replace(ids.serviceId, 'none').concat('/dashboards'), 'managed'),
  ],
  ['selfHosted source.list', call('GET', '/api/v2/sources', 'selfHosted')],
  ['selfHosted webhook.list', call('GET', '/api/v2/webhooks', 'selfHosted')],
  ['selfHosted chart.query', call('POST', '/api/v2/charts/series', 'selfHosted', '{}')],
  ...['GET', 'PUT', 'PATCH', 'DELETE'].map(
    method => [`chart by ${method}`, call(method, '/api/v2/charts/series', 'selfHosted')] as const,
  ),
  ...lifecycle('managed', 'dashboard'),
  ...lifecycle('managed', 'alert'),
  ...lifecycle('selfHosted', 'dashboard'),
  ...lifecycle('selfHosted', 'alert'),
  ...probes('cloud'),
  ...probes('managed'),
  ...probes('selfHosted'),
]
