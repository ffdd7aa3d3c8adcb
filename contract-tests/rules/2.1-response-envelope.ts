import { operations } from '../../fixtures/contract/index.ts'
import { type Check, type Finding, held, notApplicable, observed } from '../engine/check.ts'
import { type Exchange, hasBody, isSuccess, isTextSuccess, lacksExpectedBody } from '../engine/exchange.ts'
import { isObject, isUuidV4 } from '../engine/recognise.ts'
import { observe } from './observations.ts'
import { brokenBy, everyExchange } from './steps.ts'

/** §2.1 The envelope. */

/** A success of the cloud API that must have the envelope. */
const isWrapped = (exchange: Exchange) =>
  isSuccess(exchange) &&
  !isTextSuccess(exchange) &&
  hasBody(exchange) &&
  exchange.operation !== undefined &&
  !operations[exchange.operation].isBare &&
  exchange.json !== undefined
const isDelete = (exchange: Exchange) => exchange.request.method === 'DELETE'
const fieldsOf = ({ json }: Exchange) => (isObject(json) ? json : {})

/** A success without a body breaks the rule about JSON bodies instead. */
const statusIn = (exchange: Exchange): readonly Finding[] | undefined => {
  if (!isWrapped(exchange)) return undefined
  const { status } = fieldsOf(exchange)
  const expected = `the number ${exchange.response.status}`
  return status === exchange.response.status ? [] : [{ path: '$.status', expected, got: status }]
}

const resultIn = (exchange: Exchange): readonly Finding[] => {
  const { result } = fieldsOf(exchange)
  if (Array.isArray(result) || isObject(result)) return []
  return [{ path: '$.result', expected: 'an array or an object', got: result }]
}

const noneWrapped = 'no success that must be wrapped came'
const noDelete = 'no success of a delete that must be wrapped came'

export const checks = {
  'envelope/status-equals-http': everyExchange(statusIn, noneWrapped),
  'envelope/request-id-is-uuid-v4': everyExchange(exchange => {
    const { requestId } = fieldsOf(exchange)
    if (requestId === undefined && !isWrapped(exchange)) return undefined
    return isUuidV4(requestId) ? [] : [{ path: '$.requestId', expected: 'a UUIDv4', got: requestId }]
  }, 'no answer of this form carried a requestId'),
  'envelope/request-id-is-never-repeated': {
    reads: 'everything',
    judge: ({ allForms, form }) => {
      const seen = new Map<string, Exchange>()
      const judged: Exchange[] = []
      for (const exchange of allForms) {
        const { requestId } = fieldsOf(exchange)
        // Another value breaks the rule above.
        if (!isUuidV4(requestId)) continue
        const earlier = seen.get(requestId.toLowerCase())
        if (exchange.form === form) {
          if (earlier) {
            const expected = `another requestId than that of ${earlier.request.method} ${earlier.request.path}`
            return brokenBy({ path: '$.requestId', expected, got: requestId }, exchange, earlier)
          }
          judged.push(exchange)
        }
        seen.set(requestId.toLowerCase(), exchange)
      }
      return judged.length > 1 ? held(judged) : notApplicable('fewer than two requestIds came')
    },
  },
  'envelope/result-is-array-or-object': everyExchange(
    exchange => (isWrapped(exchange) && !isDelete(exchange) ? resultIn(exchange) : undefined),
    noneWrapped,
  ),
  'envelope/delete-carries-a-result': everyExchange(
    exchange =>
      isDelete(exchange) && (isWrapped(exchange) || lacksExpectedBody(exchange)) ? resultIn(exchange) : undefined,
    noDelete,
  ),
  'envelope/delete-result': {
    reads: 'everything',
    judge: ({ all }) => {
      const received = all.find(exchange => isDelete(exchange) && isWrapped(exchange))
      return received
        ? observed('result' in fieldsOf(received) ? 'present' : 'absent', received)
        : notApplicable(noDelete)
    },
  },
  'envelope/request-id-on-refusals': observe(
    ['cloud:malformed-organization-id', 'managed:malformed-json', 'malformed-service-id'],
    exchanges => {
      const bad = exchanges.find(({ response }) => response.status === 400)
      return bad && ('requestId' in fieldsOf(bad) ? 'present' : 'absent')
    },
  ),
} as const satisfies Record<string, Check>
