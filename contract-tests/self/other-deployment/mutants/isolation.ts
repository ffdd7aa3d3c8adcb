import type { Form, RuleId } from '../../../../fixtures/contract/index.ts'
import type { Change, Mutant, Where } from '../mutant.ts'
import { dashboardId } from '../world.ts'

/** §4.1-4.2: mutants that answer for organizations and services that do not exist or belong to others, or show their data. */

type Row = readonly [id: string, rule: `isolation/${string}` & RuleId, at: Where, change: Change]

const empty = { cloud: { answer: 200, result: [] }, managed: { answer: 200, result: { items: [] } } } as const
const shows = 'isolation/refusals-show-nothing'

const rowsOf = (form: 'cloud' | 'managed'): readonly Row[] => [
  [
    'unknown organization answered 200',
    'isolation/unknown-organization-is-refused',
    { reason: 'unknown-organization' },
    empty[form],
  ],
  [
    'key of another organization answered 200',
    'isolation/foreign-organization-is-refused',
    { reason: 'other-organization' },
    empty[form],
  ],
  [
    'unknown service answered 200',
    'isolation/unknown-service-is-refused',
    { reason: 'unknown-service', organization: 'first' },
    empty[form],
  ],
  [
    'service of another organization answered 200',
    'isolation/foreign-service-is-refused',
    { reason: 'unknown-service', organization: 'second' },
    empty[form],
  ],
]

const operated = (form: Form, operation: Where['operation'], reason: Where['reason'], change: Change): Row => [
  `${form === 'cloud' ? String(operation) : 'dashboards'} of ${reason} answered 202`,
  reason === 'other-organization'
    ? 'isolation/foreign-organization-is-refused'
    : 'isolation/unknown-organization-is-refused',
  { operation, reason },
  change,
]
const cloudRows: readonly Row[] = [
  ...rowsOf('cloud'),
  ...(['member.list', 'backup.get'] as const).flatMap(operation =>
    (['unknown-organization', 'other-organization'] as const).map(reason =>
      operated('cloud', operation, reason, { answer: 202, result: {} }),
    ),
  ),
  ['refusal names a member', shows, { reason: 'other-organization' }, { set: 'members', to: ['saml|idp-7|ada'] }],
  [
    'refusal of an unknown organization shows an email address',
    shows,
    { reason: 'unknown-organization' },
    { set: 'ask', to: 'ADA.Lovelace+ops@Example.ORG' },
  ],
  [
    'refusal of an unknown service shows the time of a backup',
    shows,
    { reason: 'unknown-service' },
    { write: 'the last one ended 2025-03-30T01:00:00.750000001Z', type: 'text/plain' },
  ],
]
const managedRows: readonly Row[] = [
  ...rowsOf('managed'),
  ['refusal names a dashboard', shows, { reason: 'other-organization' }, { set: 'dashboards', to: [dashboardId] }],
  [
    'refusal of an unknown service shows the id of a dashboard',
    shows,
    { reason: 'unknown-service' },
    { write: `did you mean ${dashboardId}?`, type: 'text/plain' },
  ],
]

export const isolationMutants: readonly Mutant[] = [
  ...cloudRows.map(row => ['cloud', ...row] as const),
  ...managedRows.map(row => ['managed', ...row] as const),
].map(([form, name, rule, at, change]) => ({
  id: `${form}: ${name}`,
  rule,
  form,
  description: `In the ${form} form: ${name}.`,
  at,
  change,
}))
