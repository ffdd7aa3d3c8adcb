import type { Form, RuleId } from '../../../../fixtures/contract/index.ts'
import type { Credential } from '../credentials.ts'
import type { Mutant } from '../mutant.ts'
import type { Operation } from '../place.ts'

/** §5: mutants that accept bad credentials for one operation or a few. */

type Claim = Extract<RuleId, `auth/${string}`> extends `auth/${infer Name}` ? Name : never

const cloudOperations = ['member.list', 'backup.get'] as const
const managedOperations = ['dashboard.list', 'alert.create'] as const

const rows: readonly (readonly [Claim, Form, Credential, ...Operation[]])[] = [
  ['no-credentials-are-refused', 'cloud', 'none', 'member.list'],
  ['no-credentials-are-refused', 'cloud', 'none', 'backup.get'],
  ['no-credentials-are-refused', 'managed', 'none', 'dashboard.list'],
  ['no-credentials-are-refused', 'managed', 'none', 'alert.create'],
  ['no-credentials-are-refused', 'selfHosted', 'none', 'dashboard.list'],
  ['no-credentials-are-refused', 'selfHosted', 'none', 'alert.create'],
  ['no-credentials-are-refused', 'selfHosted', 'none', 'chart.query'],
  ['no-credentials-are-refused-elsewhere', 'managed', 'none', 'source.list'],
  [
    'no-credentials-are-refused-elsewhere',
    'managed',
    'none',
    'dashboard.create',
    'dashboard.update',
    'dashboard.delete',
  ],
  ['no-credentials-are-refused-elsewhere', 'managed', 'none', 'alert.delete'],
  ['no-credentials-are-refused-elsewhere', 'selfHosted', 'none', 'webhook.list'],
  ['no-credentials-are-refused-elsewhere', 'selfHosted', 'none', 'dashboard.update', 'alert.update'],
  ['no-credentials-are-refused-elsewhere', 'selfHosted', 'none', 'alert.get'],
  ['empty-secret-is-refused', 'cloud', 'empty-secret', 'backup.get'],
  ['empty-secret-is-refused', 'managed', 'empty-secret', 'dashboard.list'],
  ['empty-secret-is-refused', 'selfHosted', 'empty-secret', 'chart.query'],
  ['empty-secret-is-refused-elsewhere', 'managed', 'empty-secret', 'alert.list'],
  ['empty-secret-is-refused-elsewhere', 'selfHosted', 'empty-secret', 'source.list'],
  ['wrong-secret-is-refused', 'cloud', 'wrong-secret', 'member.list', 'backup.get'],
  ['wrong-secret-is-refused', 'managed', 'wrong-secret', 'alert.create'],
  ['wrong-secret-is-refused', 'selfHosted', 'wrong-secret', 'dashboard.list'],
  ['wrong-secret-is-refused-elsewhere', 'managed', 'wrong-secret', 'dashboard.get'],
  ['wrong-secret-is-refused-elsewhere', 'selfHosted', 'wrong-secret', 'dashboard.delete'],
  ...(['cloud', 'managed'] as const).flatMap(form =>
    (
      [
        'cut-secret',
        'continued-secret',
        'secret-in-other-case',
        'key-id-as-secret',
        'other-organizations-secret',
      ] as const
    ).map(
      (credential, index) =>
        [
          'near-miss-is-refused',
          form,
          credential,
          form === 'cloud' ? cloudOperations[index % 2]! : managedOperations[index % 2]!,
        ] as const,
    ),
  ),
  ['near-miss-is-refused', 'selfHosted', 'cut-secret', 'dashboard.list'],
  ['near-miss-is-refused', 'selfHosted', 'cut-secret', 'chart.query'],
  ['near-miss-is-refused', 'selfHosted', 'continued-secret', 'alert.create'],
  ['near-miss-is-refused', 'selfHosted', 'secret-in-other-case', 'chart.query'],
  ['missing-scheme-is-refused', 'cloud', 'no-scheme', 'member.list'],
  ['missing-scheme-is-refused', 'cloud', 'no-scheme', 'backup.get'],
  ['missing-scheme-is-refused', 'managed', 'no-scheme', 'dashboard.list'],
  ['missing-scheme-is-refused', 'managed', 'no-scheme', 'alert.create'],
  ['missing-scheme-is-refused', 'selfHosted', 'no-scheme', 'dashboard.list'],
  ['missing-scheme-is-refused', 'selfHosted', 'no-scheme', 'chart.query'],
  ['wrong-key-id-is-refused', 'cloud', 'wrong-key-id', 'member.list'],
  ['wrong-key-id-is-refused', 'managed', 'wrong-key-id', 'dashboard.list', 'alert.create'],
  ['wrong-key-id-is-refused-elsewhere', 'managed', 'wrong-key-id', 'source.list', 'alert.list'],
  ['wrong-scheme-is-refused', 'cloud', 'wrong-scheme', 'member.list', 'backup.get'],
  ['wrong-scheme-is-refused', 'managed', 'wrong-scheme', 'dashboard.list'],
  ['wrong-scheme-is-refused', 'selfHosted', 'wrong-scheme', 'alert.create'],
  ['wrong-scheme-is-refused-elsewhere', 'managed', 'wrong-scheme', 'alert.get'],
  ['wrong-scheme-is-refused-elsewhere', 'selfHosted', 'wrong-scheme', 'alert.list'],
  ['malformed-credentials-are-refused', 'cloud', 'malformed', 'backup.get'],
  ['malformed-credentials-are-refused', 'managed', 'malformed', 'dashboard.list'],
  ['malformed-credentials-are-refused', 'selfHosted', 'malformed', 'dashboard.list'],
  ['malformed-credentials-are-refused-elsewhere', 'managed', 'malformed', 'dashboard.create'],
  ['malformed-credentials-are-refused-elsewhere', 'selfHosted', 'malformed', 'webhook.list'],
  ['other-forms-credentials-are-refused', 'cloud', 'other-form', 'member.list'],
  ['other-forms-credentials-are-refused', 'managed', 'other-form', 'alert.create'],
  ['other-forms-credentials-are-refused', 'selfHosted', 'other-form', 'chart.query'],
  ['other-forms-credentials-are-refused-elsewhere', 'managed', 'other-form', 'dashboard.get', 'source.list'],
  ['other-forms-credentials-are-refused-elsewhere', 'selfHosted', 'other-form', 'alert.update', 'alert.delete'],
  ['ingestion-key-is-refused', 'selfHosted', 'ingestion-key', 'dashboard.list'],
  ['ingestion-key-is-refused', 'selfHosted', 'ingestion-key', 'alert.create'],
  ['ingestion-key-is-refused', 'selfHosted', 'ingestion-key', 'chart.query'],
  ['ingestion-key-is-refused-elsewhere', 'selfHosted', 'ingestion-key', 'source.list'],
  ['ingestion-key-is-refused-elsewhere', 'selfHosted', 'ingestion-key', 'webhook.list'],
  ['ingestion-key-is-refused-elsewhere', 'selfHosted', 'ingestion-key', 'dashboard.create', 'dashboard.get'],
]

export const authenticationMutants: readonly Mutant[] = rows.map(([claim, form, accept, ...operation]) => ({
  id: `${form}: ${accept} let in at ${operation.join(', ')}`,
  rule: `auth/${claim}`,
  form,
  description: `The ${form} form accepts "${accept}" credentials at ${operation.join(', ')}.`,
  at: { operation },
  change: { accept },
}))
