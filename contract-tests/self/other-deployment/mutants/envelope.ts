import type { RuleId } from '../../../../fixtures/contract/index.ts'
import type { Change, Mutant, Where } from '../mutant.ts'

/** §2.1 the envelope, around every success of the cloud API and of the managed form. */

const success = { answers: 'success' } as const
const members = { operation: 'member.list', answers: 'success' } as const
const created = { operation: ['dashboard.create', 'alert.create'], answers: 'success' } as const
const deleted = { operation: ['dashboard.delete', 'alert.delete'], answers: 'success' } as const
const sources = { operation: 'source.list', answers: 'success' } as const

type Row = readonly [id: string, rule: RuleId, at: Where, change: Change, also?: readonly RuleId[]]

const id = 'envelope/request-id-is-uuid-v4'
const once = 'envelope/request-id-is-never-repeated'
const status = 'envelope/status-equals-http'
const result = 'envelope/result-is-array-or-object'
const alterId = (match: string, by: string): Change => ({ replace: 'requestId', match, by })

const inBothForms: readonly Row[] = [
  ['requestId of version 1', id, success, alterId('(?<=^.{14})4', '1')],
  ['requestId of version 3', id, success, alterId('(?<=^.{14})4', '3')],
  ['requestId of version 7 every 4th time', id, { ...success, every: 4 }, alterId('(?<=^.{14})4', '7')],
  ['requestId of another variant', id, success, alterId('(?<=^.{19}).', 'C')],
  ['requestId without hyphens', id, success, alterId('-', '')],
  ['requestId in braces', id, success, alterId('^.*$', '{$&}')],
  ['requestId as a urn', id, success, alterId('^.*$', 'urn:uuid:$&')],
  ['requestId with a line break', id, success, alterId('$', '\n')],
  ['requestId nil', id, success, { set: 'requestId', to: '00000000-0000-0000-0000-000000000000' }, [once]],
  ['requestId null', id, { ...success, every: 3 }, { set: 'requestId', to: null }, [once]],
  ['requestId missing', id, success, { unset: 'requestId' }],
  ['requestId a number', id, success, { set: 'requestId', to: 1234567890 }, [once]],
  ['requestId constant', once, success, { repeat: 'requestId', from: 'first' }],
  ['requestId repeated every 5th time', once, { ...success, every: 5 }, { repeat: 'requestId', from: 'previous' }],
  [
    'requestId repeated in lower case',
    once,
    { ...success, every: 5 },
    { repeat: 'requestId', from: 'previous', lowerCase: true },
  ],
  ['status as a string', status, success, { set: 'status', to: '200' }],
  ['status missing', status, success, { unset: 'status' }],
  ['status null', status, success, { set: 'status', to: null }],
  ['status 0', status, success, { set: 'status', to: 0 }],
]

const inCloud: readonly Row[] = [
  ['status as a word', status, success, { set: 'status', to: 'ok' }],
  ['status one more for members', status, members, { set: 'status', to: 201 }],
  ['members null', result, members, { set: 'result', to: null }, ['member/result-is-an-array']],
  ['members a string', result, members, { set: 'result', to: '[]' }, ['member/result-is-an-array']],
  [
    'backup a string',
    result,
    { operation: 'backup.get', ...success },
    { set: 'result', to: '{}' },
    ['backup/result-is-an-object'],
  ],
  ['members missing', result, members, { unset: 'result' }, ['member/result-is-an-array']],
]

const inManaged: readonly Row[] = [
  ['status 200 of what was created', status, created, { set: 'status', to: 200 }],
  ['status 204 of what was deleted', status, deleted, { set: 'status', to: 204 }],
  ['sources answered 202 with status 200', status, sources, { status: 202 }],
  ['sources null', result, sources, { set: 'result', to: null }, ['source/list-answers']],
  ['sources missing', result, sources, { unset: 'result' }, ['source/list-answers']],
  ['created document as its id', result, created, { set: 'result', to: 'dash_9F/0' }],
  ['created document true', result, created, { set: 'result', to: true }],
  ['deleted without a result', 'envelope/delete-carries-a-result', deleted, { unset: 'result' }],
  [
    'deleted dashboard without a result',
    'envelope/delete-carries-a-result',
    { ...deleted, operation: 'dashboard.delete' },
    { unset: 'result' },
  ],
]

const mutantsOf = (form: 'cloud' | 'managed', rows: readonly Row[]): Mutant[] =>
  rows.map(([name, rule, at, change, also]) => ({
    id: `${form}: ${name}`,
    rule,
    form,
    description: `An answer of the ${form} form: ${name}.`,
    at,
    change,
    also,
  }))

export const envelopeMutants: readonly Mutant[] = [
  ...mutantsOf('cloud', inBothForms),
  ...mutantsOf('managed', inBothForms),
  ...mutantsOf('cloud', inCloud),
  ...mutantsOf('managed', inManaged),
]
