import type { RuleId } from '../../../../fixtures/contract/index.ts'
import type { Change, Mutant, Where } from '../mutant.ts'

/** §1, §4.2, §4.3 dashboards and alerts: operations that fail, and state that is not kept. */

type Kind = 'dashboard' | 'alert'
type Form = 'managed' | 'selfHosted'
type Row = readonly [id: string, rule: RuleId, at: Where, change: Change, also?: readonly RuleId[]]

/** The places of the id and the name in the answer to a get. */
const got = {
  managed: { dashboard: ['result/id', 'result/name'], alert: ['result/alert/alertId', 'result/alert/name'] },
  selfHosted: { dashboard: ['dashboardId', 'name'], alert: ['data/_id', 'data/name'] },
} as const

/** A field that the suite sends. */
const inside = { dashboard: 'tiles', alert: 'channel' } as const

/** The place of the id in the answer to an update, and that of the newest name in a list. */
const updatedId = {
  managed: { dashboard: 'result/data/id', alert: 'result/alertId' },
  selfHosted: { dashboard: 'dashboard/dashboardId', alert: '_id' },
} as const
const listedName = {
  managed: { dashboard: 'result/items/0/name', alert: 'result/0/name' },
  selfHosted: { dashboard: '0/name', alert: 'alerts/0/name' },
} as const

const rowsOf = (form: Form, kind: Kind): readonly Row[] => {
  const list = { operation: `${kind}.list`, answers: 'success' } as const
  const create = { operation: `${kind}.create`, answers: 'success' } as const
  const get = { operation: `${kind}.get`, answers: 'success' } as const
  const update = { operation: `${kind}.update`, answers: 'success' } as const
  const remove = { operation: `${kind}.delete`, answers: 'success' } as const
  const creates = kind === 'alert' ? 'alert/create-accepts-the-sample' : 'dashboard/create-answers'
  const [id, name] = got[form][kind]
  const at = (field: string) => name.replace(/name$/, field)
  const afterUpdate = { ...get, since: 'its update' } as const
  const afterDeletion = { ...get, since: 'deletion of another' } as const
  return [
    ['listing answers 404', `${kind}/list-answers`, list, { answer: 404 }, [`${kind}/created-is-listed`]],
    [
      'listing answers 500',
      `${kind}/list-answers`,
      list,
      { answer: 500, text: 'later' },
      [`${kind}/created-is-listed`],
    ],
    ['creating answers 501', creates, create, { answer: 501 }],
    ['creating answers 410', creates, create, { answer: 410, text: 'gone' }],
    // The specification does not show the body of a dashboard, so a deployment may refuse the suite's with 400.
    [
      'creating is refused',
      creates,
      create,
      { answer: kind === 'alert' ? 400 : 404, json: { status: kind === 'alert' ? 400 : 404, error: 'message is odd' } },
    ],
    [
      'getting answers 404',
      `${kind}/get-answers`,
      get,
      { answer: 404 },
      [`${kind}/created-is-got`, `${kind}/updated-is-got`],
    ],
    ['updating answers 500', `${kind}/update-answers`, update, { answer: 500 }, [`${kind}/updated-is-got`]],
    ['deleting answers 409', `${kind}/delete-answers`, remove, { answer: 409 }, [`${kind}/deleted-is-gone`]],
    ['deleting answers 500 and deletes', `${kind}/delete-answers`, remove, { status: 500 }],
    ['created is not listed', `${kind}/created-is-listed`, list, { hides: 'created' }],
    ['got with another id', `${kind}/created-is-got`, get, { set: id, to: 'x_9F/another=' }],
    [
      'got with another name',
      `${kind}/created-is-got`,
      get,
      { set: name, to: 'Another' },
      [`${kind}/updated-is-got`, `${kind}/list-agrees-with-get`],
    ],
    [
      'got without what is in it',
      `${kind}/created-is-got`,
      get,
      { set: at(inside[kind]), to: null },
      [`${kind}/updated-is-got`, `${kind}/list-agrees-with-get`],
    ],
    ['gone after its update', `${kind}/updated-is-got`, afterUpdate, { answer: 404 }],
    ['renamed otherwise by its update', `${kind}/updated-is-got`, afterUpdate, { set: name, to: 'Another' }],
    [
      'another id after its update',
      `${kind}/id-never-changes`,
      update,
      { set: updatedId[form][kind], to: 'x_9F/another=' },
    ],
    ['another crew after its update', `${kind}/unsent-stays`, afterUpdate, { set: at('crew'), to: 'day' }],
    [
      'listed with an old name',
      `${kind}/list-agrees-with-get`,
      list,
      { set: listedName[form][kind], to: 'Old' },
      [`${kind}/siblings-are-untouched`],
    ],
    [
      'renamed by the deletion of its sibling',
      `${kind}/siblings-are-untouched`,
      afterDeletion,
      { set: name, to: 'Another' },
    ],
    ['deleted with its sibling', `${kind}/siblings-are-untouched`, afterDeletion, { answer: 404 }],
    ['updated is not stored', `${kind}/updated-is-got`, update, { forget: true }],
    ['deleted is still there', `${kind}/deleted-is-gone`, remove, { forget: true }],
    ['deleted is still listed', `${kind}/deleted-is-gone`, list, { shows: 'deleted' }],
    ['deleted is still got', `${kind}/deleted-is-gone`, get, { shows: 'deleted' }],
  ]
}

const mutantsOf = (form: Form, kind: Kind): Mutant[] =>
  rowsOf(form, kind).map(([name, rule, at, change, also]) => ({
    id: `${form} ${kind}: ${name}`,
    rule,
    form,
    description: `A ${kind} of the ${form} form: ${name}.`,
    at,
    change,
    also,
  }))

export const documentMutants: readonly Mutant[] = [
  ...mutantsOf('managed', 'dashboard'),
  ...mutantsOf('managed', 'alert'),
  ...mutantsOf('selfHosted', 'dashboard'),
  ...mutantsOf('selfHosted', 'alert'),
]
