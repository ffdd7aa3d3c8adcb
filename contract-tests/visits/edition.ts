import { type Edition, type Form, operations } from '../../fixtures/built-contract/index.ts'
import { isSuccess } from '../engine/exchange.ts'
import type { RunContext } from '../engine/step.ts'

/** Lists of the newer edition, the first that a run reads. */
const newerLists = ['savedSearch.list', 'connection.list'] as const

/** The steps that show the edition. */
export const newerListsBefore = (form: Form): readonly string[] =>
  form === 'cloud' ? [] : newerLists.filter(one => operations[one].paths[form]).map(one => `${form}:${one}-before`)

/** The edition that a deployment shows to have: the newer one if it lists what only that has. */
export const editionOf = (context: Pick<RunContext, 'exchange'>, form: Form): Edition =>
  newerLists.some(list => isSuccess(context.exchange(`${form}:${list}-before`))) ? '2.36' : '2.24'
