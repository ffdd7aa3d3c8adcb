import { type Form, type OperationId, operations } from '../../../fixtures/built-contract/index.ts'
import type { Usage } from '../../../fixtures/usage.ts'
import type { Drift, DriftUse } from '../../report/report.ts'
import type { Change } from '../document/change.ts'
import { createUseJudge, shapeOfPath } from './judge-use.ts'

/** What differs in the answers of a deployment: those of an operation, or of all that a gap or rule is about. */
export interface AnswerDifference {
  readonly form: Form
  /** An operation, a rule or a gap, such as `key.list` or `key/order-of-list`. */
  readonly id: string
  /** The place in the answer, such as `$.result[].role`. */
  readonly path?: string | undefined
  readonly kind: Drift['kind']
}

/** Makes a function that finds the uses that a difference of answers touches. */
export function createAnswerUseJudge(usage: Usage): (difference: AnswerDifference) => readonly DriftUse[] {
  const judge = createUseJudge(usage)
  const calls = Object.entries(usage.operations).flatMap(([key, { id, count }]) => {
    const [method = '', path = ''] = key.split(' ')
    return id === undefined ? [] : [{ id, method, path, shape: shapeOfPath(path), count, form: formOf(path) }]
  })
  const resources = new Set(Object.keys(operations).map(resourceOf))
  return ({ form, id, path, kind }) => {
    const change = {
      side: 'answer',
      place: '',
      what: '',
      kind,
      at: path === undefined ? undefined : locate(path),
    } as const
    const ofForm = calls.filter(one => one.form === form)
    const judgeAll = (some: typeof calls) => some.flatMap(one => judge(change, one) ?? [])
    if (id.includes('.')) return judgeAll(ofForm.filter(one => one.id === id))
    const resource = resourceOf(id)
    if (resources.has(resource)) return judgeAll(ofForm.filter(one => resourceOf(one.id) === resource))
    const count = ofForm.reduce((sum, one) => sum + one.count, 0)
    return count > 0 ? [{ operation: 'all', method: '', path: '', calls: count }] : []
  }
}

/** Makes a function that says of each difference which calls it touches, unless the comparison of documents has said it. */
export function createUseMarker(usage: Usage): (drift: readonly Drift[]) => readonly Drift[] {
  const judge = createAnswerUseJudge(usage)
  const judgeDocument = createUseJudge(usage)
  const mark = (one: Drift): Drift => {
    if (one.usedBy) return one
    if (one.part === 'document') {
      const [, place = ''] = /^answered\/(?:[^:]*:)?(.*)\/[^/]*$/.exec(one.id) ?? []
      const change: Change = { side: 'answer', place, what: '', kind: one.kind, at: locate(place) }
      const ofOperation = (operation: NonNullable<Drift['operations']>[number]) =>
        judgeDocument(change, { ...operation, shape: shapeOfPath(operation.path) }) ?? []
      return { ...one, usedBy: (one.operations ?? []).flatMap(ofOperation) }
    }
    const [form, id = '', path] = one.id.split(' ')
    return { ...one, usedBy: judge({ form: form as Form, id, path, kind: one.kind }) }
  }
  return drift => drift.map(mark)
}

const resourceOf = (id: OperationId | string) => id.split(/[./]/)[0]!

const formOf = (path: string): Form =>
  path.startsWith('/api/v2') ? 'selfHosted' : path.includes('{segment}') ? 'managed' : 'cloud'

/** A place such as `$.result[].role`, or `404$.error` for a refusal. */
function locate(place: string) {
  const [, status, path] = /^(\d*)(\$.*)$/.exec(place) ?? []
  return path === undefined
    ? undefined
    : { path: path.replace(/\[\d+\]/g, '[]'), status: status || '2XX', conditions: [] }
}
