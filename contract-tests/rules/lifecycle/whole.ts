import { type OperationId, operations } from '../../../fixtures/built-contract/index.ts'
import { type Check, type Evidence, held, noAnswer, type Verdict } from '../../engine/check.ts'
import { fieldsOf } from '../../engine/contract.ts'
import { type Exchange, isSuccess, sentIn } from '../../engine/exchange.ts'
import type { JsonObject } from '../../engine/recognise.ts'
import { compareWhole, followsContract } from '../../visits/whole/compare-whole.ts'
import { isOfWhole, listOfWhole, shapeOf } from '../../visits/whole/whole-life.ts'
import { brokenBy, checkOf } from '../steps.ts'
import { createdId, hasId, isRequestFor, itemIn, objectIn } from './common.ts'

/** Follows each whole object through its exchanges: what reads show must be what the writes before them sent. */

export const wholeIsKept = (resource: string): Check =>
  checkOf([listOfWhole(resource)], (names, evidence) => {
    const exchanges = evidence.exchanges.filter(one => isOfWhole(one, resource))
    const creations = exchanges.filter(one => one.operation === `${resource}.create` && isSuccess(one))
    const [listed] = evidence.exchangesOf(...names)
    const verdicts = creations.map(created => judgeObject(resource, created, exchanges, listed))
    return (
      verdicts.find(one => one?.outcome === 'broken') ??
      verdicts.find(one => one !== undefined) ??
      noAnswer(evidence, ...firstCreations(evidence, resource))
    )
  })

const firstCreations = ({ form }: Evidence, resource: string) => [`${form}:${resource}.create-whole`]

function judgeObject(
  resource: string,
  created: Exchange,
  exchanges: readonly Exchange[],
  listed: Exchange | undefined,
): Verdict | undefined {
  const id = createdId(created, resource)
  const answered = objectIn(created, resource)
  if (id === undefined || !answered) return undefined
  const { body } = operations[`${resource}.create` as OperationId]
  const shownBy = (verb: string) => fieldsOf(operations[`${resource}.${verb}` as OperationId].result.resource)
  const shape = shapeOf(body)
  /** What the writes so far have sent. A replacement leaves open what becomes of the rest. */
  let state: JsonObject = sentIn(created)
  let write = created
  const compare = (object: JsonObject | undefined, read: Exchange, shown = shownBy('get')) => {
    const terms = { answered: objectIn(write, resource), mayLose }
    const finding = object && compareWhole(state, object, shape, shown, terms)
    return finding && brokenBy({ ...finding, expected: `${finding.expected}, as it was sent` }, read, write)
  }
  const own = exchanges.filter(one => one !== created && isRequestFor(one, id) && isSuccess(one))
  const mayLose = !followsContract(objectIn(own[0], resource) ?? answered, shownBy('get'))
  const inAnswer = compare(answered, created)
  if (inAnswer) return inAnswer
  for (const exchange of own) {
    if (exchange.request.method !== 'GET') {
      state = exchange.request.method === 'PATCH' ? { ...state, ...sentIn(exchange) } : sentIn(exchange)
      write = exchange
      continue
    }
    const object = objectIn(exchange, resource)
    const finding = hasId(object, resource, id) ? compare(object, exchange) : undefined
    if (finding) return finding
  }
  return (
    compare(itemIn(listed, resource, id), listed!, shownBy('list')) ?? (own.length > 0 ? held([own[0]!]) : undefined)
  )
}
