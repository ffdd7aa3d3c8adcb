import { type Form, type Operation, type OperationId, operations } from '../../fixtures/built-contract/index.ts'
import type { Call } from '../words/call.ts'
import { apiKey, basic, idOf, ids, ingestionKey, keyId, keySecret, secondKey } from './stub-deployment.ts'

/** The calls that a suite may send: operations, refusals, the lives of dashboards and alerts, and every probe of §5. */

const validAuthorization = {
  cloud: basic(keyId, keySecret),
  managed: basic(keyId, keySecret),
  selfHosted: `Bearer ${apiKey}`,
}
export const invalidAuthorizations: Record<Form, Record<string, string | undefined>> = {
  cloud: basicProbes(),
  managed: basicProbes(),
  selfHosted: {
    none: undefined,
    'empty secret': 'Bearer ',
    'wrong secret': 'Bearer 55555555-5555-4555-8555-555555555556',
    'cut secret': `Bearer ${apiKey.slice(0, -1)}`,
    'continued secret': `Bearer ${apiKey}x9`,
    'wrong scheme': basic(apiKey, ''),
    'key as password': basic('api', apiKey),
    malformed: 'Bearer not a key',
    'other scheme': `Digest ${apiKey.slice(1)}`,
    'no scheme': apiKey,
    'other form': basic(keyId, keySecret),
    'ingestion key': `Bearer ${ingestionKey}`,
  },
}

function basicProbes() {
  return {
    none: undefined,
    'empty secret': basic(keyId, ''),
    'wrong secret': basic(keyId, 'SECRES'),
    'cut secret': basic(keyId, 'SECRE'),
    'continued secret': basic(keyId, 'SECRETx9'),
    'secret in another case': basic(keyId, 'secret'),
    'key id as secret': basic(keyId, keyId),
    "other organization's secret": basic(keyId, secondKey.keySecret),
    'wrong key id': basic('KEY2', keySecret),
    'wrong scheme': basic(keyId, keySecret).replace('Basic', 'Bearer'),
    malformed: 'Basic !!!',
    'other scheme': 'KEY:SECRET',
    'no scheme': basic(keyId, keySecret).replace('Basic ', ''),
    'other form': `Bearer ${apiKey}`,
    'key of somebody else': basic('SOMEBODY', 'ELSE'),
  }
}

export const call = (
  method: string,
  path: string,
  form: Form,
  body = '',
  authorization: string | undefined = validAuthorization[form],
): Call => ({
  method,
  path,
  query: '',
  headers: authorization === undefined ? {} : { authorization },
  body,
})

const service = `/v1/organizations/${ids.organizationId}/services/${ids.serviceId}`
const second = basic(secondKey.keyId, secondKey.keySecret)
const members = (organizationId: string, authorization?: string) =>
  call('GET', `/v1/organizations/${organizationId}/members`, 'cloud', '', authorization)
const backup = (path: string, authorization?: string) => call('GET', path, 'cloud', '', authorization)
const base = { managed: `${service}/observability`, selfHosted: '/api/v2' }
export const unknownId = '99999999-9999-4999-8999-999999999999'
const serviceIn = (organizationId: string) => service.replace(ids.organizationId, organizationId)
const dashboards = (servicePath: string, authorization?: string) =>
  call('GET', `${servicePath}/observability/dashboards`, 'managed', '', authorization)
const query = (...series: object[]) =>
  call('POST', '/api/v2/charts/series', 'selfHosted', JSON.stringify({ startTime: 1767322800000, series }))
const count = { aggFn: 'count', where: '', groupBy: [] }

function* lifecycle(form: 'managed' | 'selfHosted', resource: 'dashboard' | 'alert'): Generator<[string, Call]> {
  const all = `${base[form]}/${resource}s`
  const one = `${all}/${idOf(form, 2)}`
  const name = (step: string) => `${form} ${resource}.${step}`
  yield [name('create'), call('POST', all, form, '{"name":"first"}')]
  yield [name('create of malformed JSON'), call('POST', all, form, '{"name": ')]
  yield [name('list'), call('GET', all, form)]
  yield [name('get'), call('GET', one, form)]
  yield [name('update'), call('PUT', one, form, '{"name":"second"}')]
  yield [name('get after update'), call('GET', one, form)]
  yield [name('list after update'), call('GET', all, form)]
  yield [name('create another'), call('POST', all, form, '{"name":"third"}')]
  yield [name('delete'), call('DELETE', one, form)]
  yield [name('get after delete'), call('GET', one, form)]
  yield [name('list after delete'), call('GET', all, form)]
}

function* probes(form: Form): Generator<[string, Call]> {
  for (const [id, { method, paths, basis }] of Object.entries(operations) as [OperationId, Operation][]) {
    // The rules of §5 apply to the operations of the specification alone.
    if (basis !== undefined) continue
    const path = paths[form]
      ?.replace('{segment}', 'observability')
      .replace('{id}', '000000000000000000000001')
      .replace(/\{(\w+)\}/g, (_, name: keyof typeof ids) => ids[name])
    if (path === undefined) continue
    for (const [kind, authorization] of Object.entries(invalidAuthorizations[form])) {
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
  ['members of the second organization', members(ids.secondOrganizationId, second)],
  ['backup', backup(`${service}/backups/${ids.backupId}`)],
  ['unknown backup', backup(`${service}/backups/${unknownId}`)],
  ['cloud unknown organization', members(unknownId)],
  ['backup of unknown organization', backup(`${serviceIn(unknownId)}/backups/${ids.backupId}`)],
  ['cloud foreign organization', members(ids.secondOrganizationId, validAuthorization.cloud)],
  ['backup of foreign organization', backup(`${service}/backups/${ids.backupId}`, second)],
  ['cloud unknown service', backup(`${service.replace(ids.serviceId, unknownId)}/backups/${ids.backupId}`)],
  ['cloud foreign service', backup(`${serviceIn(ids.secondOrganizationId)}/backups/${ids.backupId}`, second)],
  ['managed unknown organization', dashboards(serviceIn(unknownId))],
  ['managed foreign organization', dashboards(service, second)],
  ['managed unknown service', dashboards(service.replace(ids.serviceId, unknownId))],
  ['managed foreign service', dashboards(serviceIn(ids.secondOrganizationId), second)],
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
  ['selfHosted chart of a filter', query({ ...count, where: 'level:error' })],
  ['selfHosted chart of a text', query({ ...count, where: 'checkout' })],
  ['selfHosted chart of groups', query({ ...count, groupBy: ['level'] })],
  ['selfHosted chart of two series', query(count, count)],
  ['selfHosted chart of malformed JSON', call('POST', '/api/v2/charts/series', 'selfHosted', '{"series": ')],
  ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'].map(
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
