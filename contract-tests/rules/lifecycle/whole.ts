import type { Contract, OperationId } from '../../../fixtures/built-contract/index.ts'
import { type Check, held, noAnswer, type Verdict } from '../../engine/check.ts'
import { type Exchange, isSuccess, sentIn } from '../../engine/exchange.ts'
import { createdId, hasId, itemIn, objectIn } from '../../engine/history/objects.ts'
import type { JsonObject } from '../../engine/recognise.ts'
import { compareWhole, followsContract } from '../../visits/whole/compare-whole.ts'
import { isOfWhole, lastOfWhole, shapeOf } from '../../visits/whole/whole-life.ts'
import { brokenBy, checkOf } from '../steps.ts'
import { isRequestFor } from './objects.ts'

/** Follows each whole object through its exchanges: what reads show must be what the writes before them sent. */

export const wholeIsKept = (resource: string): Check =>
  checkOf([lastOfWhole(resource)], (_, evidence) => {
    const exchanges = evidence.exchanges.filter(one => isOfWhole(one, resource) && isSuccess(one))
    const creations = exchanges.filter(one => one.operation === `${resource}.create`)
    const verdicts = creations.map(created => judgeObject(resource, created, exchanges, evidence.history.contract))
    return (
      verdicts.find(one => one?.outcome === 'broken') ??
      verdicts.find(one => one !== undefined) ??
      noAnswer(evidence, `${evidence.form}:${resource}.create-whole`)
    )
  })

function judgeObject(
  resource: string,
  created: Exchange,
  exchanges: readonly Exchange[],
  contract: Contract,
): Verdict | undefined {
  const { operations } = contract
  const id = createdId(created, resource)
  const answered = objectIn(created, resource)
  if (id === undefined || !answered) return undefined
  const shape = shapeOf(operations[`${resource}.create` as OperationId].body, contract)
  const shownBy = (verb: 'get' | 'list') =>
    shapeOf(operations[`${resource}.${verb}` as OperationId].result.resource, contract)
  const objectOf = (read: Exchange) => {
    if (read.operation === `${resource}.list`) return itemIn(read, resource, id)
    const object = objectIn(read, resource)
    return isRequestFor(read, id) && hasId(object, resource, id) ? object : undefined
  }
  const reads = exchanges.filter(one => one.request.method === 'GET' && objectOf(one) !== undefined)
  const mayLose = !followsContract(reads[0] ? objectOf(reads[0])! : answered, shownBy('get').fields)
  /** What the writes so far have sent. A replacement leaves open what becomes of the rest. */
  let state: JsonObject = sentIn(created)
  let write = created
  for (const exchange of exchanges.slice(exchanges.indexOf(created))) {
    const isWrite = exchange.request.method !== 'GET'
    if (isWrite && exchange !== created) {
      if (!isRequestFor(exchange, id)) continue
      state = exchange.request.method === 'PATCH' ? { ...state, ...sentIn(exchange) } : sentIn(exchange)
      write = exchange
      continue
    }
    const object = isWrite ? answered : objectOf(exchange)
    const isItem = exchange.operation === `${resource}.list`
    // The answer to a creation may be an id.
    const terms = { answered: objectIn(write, resource), mayLose: mayLose || isWrite, isItem }
    const finding = object && compareWhole(state, object, shape, shownBy(isItem ? 'list' : 'get'), terms)
    if (finding) return brokenBy({ ...finding, expected: `${finding.expected}, as it was sent` }, exchange, write)
  }
  return reads.length > 0 ? held(reads) : undefined
}
