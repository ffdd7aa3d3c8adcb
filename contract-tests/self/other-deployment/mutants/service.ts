import type { Form, RuleId } from '../../../../fixtures/contract/index.ts'
import type { Change, Mutant, Where } from '../mutant.ts'

/** §1, §4, §9: JSON and its label, malformed ids, absent resources, the version. */

type Row = readonly [id: string, rule: RuleId, form: Form, at: Where, change: Change, also?: readonly RuleId[]]

const json = 'service/answers-are-json'
const labelled = 'service/json-is-labelled'
const success = { answers: 'success' } as const
const bodyOf400 = ['error/bad-request-has-status', 'error/bad-request-has-error-sentence'] as const
const envelope = [
  'envelope/status-equals-http',
  'envelope/request-id-is-uuid-v4',
  'envelope/result-is-array-or-object',
] as const
const neverAdds = 'chart/filter-never-adds'
const addUp = 'chart/groups-add-up'
const filtered = { operation: 'chart.query', query: 'filtered', ...success } as const
const grouped = { operation: 'chart.query', query: 'grouped', ...success } as const
const html: Change = { write: '<html><body>Bad Request</body></html>', type: 'text/html' }

const rows: readonly Row[] = [
  ['400 as a page', json, 'cloud', { answers: 400 }, html, bodyOf400],
  ['400 as a page', json, 'managed', { answers: 400 }, html, bodyOf400],
  ['400 as a page', json, 'selfHosted', { answers: 400 }, html],
  [
    'members as text',
    json,
    'cloud',
    { operation: 'member.list', ...success },
    { write: 'Ada, Brian', type: 'text/plain' },
    [...envelope, 'member/result-is-an-array'],
  ],
  [
    'backup with a surplus comma',
    json,
    'cloud',
    { operation: 'backup.get', ...success },
    { write: '{"status":200,}' },
    [...envelope, 'backup/result-is-an-object'],
  ],
  [
    'deleted alert answered OK',
    json,
    'managed',
    { operation: 'alert.delete', ...success },
    { write: 'OK', type: 'text/plain' },
    [...envelope, 'envelope/delete-carries-a-result'],
  ],
  ['sources as JSON lines', json, 'managed', { operation: 'source.list', ...success }, { write: '{}\n{}' }, envelope],
  [
    'chart as CSV',
    json,
    'selfHosted',
    { operation: 'chart.query', ...success },
    { write: 'a,b\n1,2', type: 'text/csv' },
  ],
  [
    'updated dashboard in single quotes',
    json,
    'selfHosted',
    { operation: 'dashboard.update', ...success },
    { write: "{'ok':1}" },
  ],
  ['webhooks followed by a semicolon', json, 'selfHosted', { operation: 'webhook.list', ...success }, { write: '[];' }],
  ['dashboards with an empty body', json, 'selfHosted', { operation: 'dashboard.list', ...success }, { write: '' }],
  ['alerts with a blank for a body', json, 'selfHosted', { operation: 'alert.list', ...success }, { write: ' ' }],
  ['webhooks answered 204', json, 'selfHosted', { operation: 'webhook.list', ...success }, { answer: 204 }],
  ['dashboards with an empty body', json, 'managed', { operation: 'dashboard.list', ...success }, { write: '' }],
  ['sources answered 204', json, 'managed', { operation: 'source.list', ...success }, { answer: 204 }],
  [
    'members answered 204',
    json,
    'cloud',
    { operation: 'member.list', ...success },
    { answer: 204 },
    ['member/list-answers-200'],
  ],
  ['JSON labelled text/html', labelled, 'cloud', success, { header: 'content-type', to: 'text/html' }],
  [
    'JSON labelled text/plain in 400s',
    labelled,
    'cloud',
    { answers: 400 },
    { header: 'content-type', to: 'text/plain' },
  ],
  ['JSON labelled text/json', labelled, 'managed', success, { header: 'content-type', to: 'text/json' }],
  ['JSON labelled text/plain', labelled, 'selfHosted', success, { header: 'content-type', to: 'text/plain' }],
  [
    'chart labelled octet-stream',
    labelled,
    'selfHosted',
    { operation: 'chart.query', ...success },
    { header: 'content-type', to: 'application/octet-stream' },
  ],
  [
    'malformed organizationId answered 200',
    'path/malformed-organization-id-is-refused',
    'cloud',
    { reason: 'malformed-organization-id' },
    { answer: 200, result: [] },
  ],
  [
    'malformed serviceId answered 200',
    'path/malformed-service-id-is-refused',
    'cloud',
    { reason: 'malformed-service-id' },
    { answer: 200, result: {} },
  ],
  [
    'malformed backupId answered 200',
    'path/malformed-backup-id-is-refused',
    'cloud',
    { reason: 'malformed-backup-id' },
    { answer: 200, result: {} },
  ],
  [
    'malformed organizationId answered 200',
    'path/malformed-organization-id-is-refused',
    'managed',
    { reason: 'malformed-organization-id' },
    { answer: 200, result: { items: [] } },
  ],
  [
    'malformed serviceId answered 200',
    'path/malformed-service-id-is-refused',
    'managed',
    { reason: 'malformed-service-id' },
    { answer: 200, result: { items: [] } },
  ],
  ...['2.0', '1', '1.0.0', 'v1.0', 1].map(
    (to): Row => [
      `version ${JSON.stringify(to)}`,
      'version/description-is-1.0',
      'cloud',
      { operation: 'description.get' },
      { set: 'info/version', to },
    ],
  ),
  ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'].map(
    (method): Row => [
      `charts answer ${method}`,
      'chart/other-methods-never-succeed',
      'selfHosted',
      { reason: 'charts-by-post-only', method },
      method === 'DELETE' ? { answer: 204 } : { answer: 200, result: { rows: [] } },
    ],
  ),
  ...([400, 404, 405, 500, 501] as const).map(
    (status): Row => [
      `charts answer ${status}`,
      'chart/query-is-accepted',
      'selfHosted',
      { operation: 'chart.query', ...success },
      { answer: status, json: { errors: ['no'] } },
    ],
  ),
  ...([400, 403, 500, 501] as const).flatMap((status): Row[] =>
    (
      [
        ['filtered', 'chart/filter-is-accepted'],
        ['grouped', 'chart/grouping-is-accepted'],
        ['two series', 'chart/two-series-are-accepted'],
      ] as const
    ).map(([query, rule]) => [
      `charts (${query}) answer ${status}`,
      rule,
      'selfHosted',
      { operation: 'chart.query', query, ...success },
      { answer: status, json: { errors: ['no'] } },
    ]),
  ),
  ['filter adds a bucket', neverAdds, 'selfHosted', filtered, { set: 'rows/1', to: [1748736000000, 4] }],
  ['filter adds to a count', neverAdds, 'selfHosted', filtered, { set: 'rows/0/1', to: 3.75 }],
  ['filter adds to a count that is a text', neverAdds, 'selfHosted', filtered, { set: 'rows/0/1', to: '17' }],
  ['a group is lost', addUp, 'selfHosted', grouped, { unset: 'rows/1' }],
  ['no group comes', addUp, 'selfHosted', grouped, { set: 'rows', to: [] }],
  ['a group occurs twice', addUp, 'selfHosted', grouped, { copy: 'rows/1', to: 'rows/3' }],
  ['a group counts too much', addUp, 'selfHosted', grouped, { set: 'rows/0/2', to: 4 }],
  ...['GET', 'POST'].map(
    (method): Row => [
      `charts answer ${method}`,
      'chart/absent-in-managed-form',
      'managed',
      { reason: 'charts-absent', method },
      { answer: 200, result: { rows: [] } },
    ],
  ),
  [
    'webhooks created',
    'webhook/absent-in-managed-form',
    'managed',
    { reason: 'webhooks-absent', method: 'POST' },
    { answer: 201, result: { id: 'w' } },
  ],
  [
    'webhooks listed',
    'webhook/absent-in-managed-form',
    'managed',
    { reason: 'webhooks-absent', method: 'GET' },
    { answer: 200, result: [] },
  ],
  [
    'webhooks answered 500',
    'webhook/list-answers',
    'selfHosted',
    { operation: 'webhook.list', ...success },
    { answer: 500 },
  ],
  ['sources answered 404', 'source/list-answers', 'managed', { operation: 'source.list', ...success }, { answer: 404 }],
  [
    'sources answered 501',
    'source/list-answers',
    'selfHosted',
    { operation: 'source.list', ...success },
    { answer: 501 },
  ],
]

export const serviceMutants: readonly Mutant[] = rows.map(([name, rule, form, at, change, also]) => ({
  id: `${form}: ${name}`,
  rule,
  form,
  description: `In the ${form} form: ${name}.`,
  at,
  change,
  also,
}))
