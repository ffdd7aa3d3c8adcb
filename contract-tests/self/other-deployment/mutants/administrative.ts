import type { Form, RuleId } from '../../../../fixtures/contract/index.ts'
import type { Change, Mutant, Where } from '../mutant.ts'

/** Mutants that break the rules about keys and roles (§4.1). */

const success = { answers: 'success' } as const
const refusedFor = (reason: Where['reason']): Where => ({ operation: 'organization.list', reason })
const letIn: Change = { answer: 200, result: [] }

type Row = readonly [description: string, rule: RuleId, at: Where, change: Change, also?: readonly RuleId[]]

const rows: readonly Row[] = [
  [
    'a key with its secret in a get',
    'key/secret-is-shown-once',
    { operation: 'key.get', ...success },
    { set: 'result/keySecret', to: 'abc' },
  ],
  ['disabled keys are accepted', 'key/disabled-key-is-refused', refusedFor('key-disabled'), letIn],
  ['deleted keys are accepted', 'key/deleted-key-is-refused', refusedFor('key-deleted'), letIn],
  [
    'an empty list of addresses admits all',
    'key/empty-access-list-admits-nobody',
    refusedFor('key-from-nowhere'),
    letIn,
  ],
  ['changes of keys are forgotten', 'key/updated-is-got', { operation: 'key.update', ...success }, { forget: true }],
  [
    'deletions of keys are forgotten',
    'key/deleted-is-gone',
    { operation: 'key.delete', ...success },
    { forget: true },
    ['key/deleted-key-is-refused'],
  ],
  [
    'the list of keys fails',
    'key/list-answers',
    { operation: 'key.list', ...success },
    { answer: 500 },
    ['role/permissions-decide'],
  ],
  [
    'a get of a role shows another name',
    'role/created-is-got',
    { operation: 'role.get', ...success },
    { set: 'result/name', to: 'x' },
    ['role/list-agrees-with-get', 'role/updated-is-got', 'role/siblings-are-untouched'],
  ],
  ['roles are never deleted', 'role/deleted-is-gone', { operation: 'role.delete', ...success }, { forget: true }],
  [
    'a role permits everything',
    'role/permissions-decide',
    { operation: 'key.create', reason: 'forbidden' },
    { answer: 201, result: {} },
    ['key/create-answers', 'key/without-a-role-may-do-nothing'],
  ],
]

export const administrativeMutants: readonly Mutant[] = rows.map(([description, rule, at, change, also]) => ({
  id: `cloud: ${description}`,
  rule,
  form: 'cloud' as Form,
  description,
  at,
  change,
  ...(also && { also }),
}))
