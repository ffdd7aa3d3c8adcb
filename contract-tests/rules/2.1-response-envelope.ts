import { operations } from '../../fixtures/built-contract/index.ts'
import { type Check, type Finding, held, notJudged, observed } from '../engine/check.ts'
import { type Exchange, hasBody, isSuccess, isTextSuccess, lacksExpectedBody } from '../engine/exchange.ts'
import { isObject, isUuidV4 } from '../engine/recognise.ts'
import { brokenBy, everyExchange, observe } from './steps.ts'

/** True for a success with a JSON body that must have the envelope. */
const needsEnvelope = (exchange: Exchange) =>
  isSuccess(exchange) &&
  !isTextSuccess(exchange) &&
  hasBody(exchange) &&
  exchange.operation !== undefined &&
  // Of an operation that only a document has, the document says what it answers.
  operations[exchange.operation]?.isOutsideEnvelope !== true &&
  exchange.operation in operations &&
  exchange.json !== undefined
const isDelete = (exchange: Exchange) => exchange.request.method === 'DELETE'
const envelopeOf = ({ json }: Exchange) => (isObject(json) ? json : {})

/** Judges the status. A success without a body breaks the rule about JSON bodies instead. */
const judgeStatus = (exchange: Exchange): readonly Finding[] | undefined => {
  if (!needsEnvelope(exchange)) return undefined
  const { status } = envelopeOf(exchange)
  const expected = `the number ${exchange.response.status}`
  return status === exchange.response.status ? [] : [{ path: '$.status', expected, got: status }]
}

const judgeResult = (exchange: Exchange): readonly Finding[] => {
  const { result } = envelopeOf(exchange)
  if (Array.isArray(result) || isObject(result)) return []
  return [{ path: '$.result', expected: 'an array or an object', got: result }]
}

const noEnvelope = 'no success that must have the envelope came'
const noDelete = 'no success of a delete that must have the envelope came'

export const checks = {
  'envelope/status-equals-http': everyExchange(judgeStatus, noEnvelope),
  'envelope/request-id-is-uuid-v4': everyExchange(exchange => {
    const { requestId } = envelopeOf(exchange)
    if (requestId === undefined && !needsEnvelope(exchange)) return undefined
    return isUuidV4(requestId) ? [] : [{ path: '$.requestId', expected: 'a UUIDv4', got: requestId }]
  }, 'no answer of this form carried a requestId'),
  'envelope/request-id-is-never-repeated': {
    reads: 'everything',
    judge: ({ exchangesOfAllForms, form }) => {
      const byRequestId = new Map<string, Exchange>()
      const judged: Exchange[] = []
      for (const exchange of exchangesOfAllForms) {
        const { requestId } = envelopeOf(exchange)
        // Any other requestId breaks the rule above.
        if (!isUuidV4(requestId)) continue
        const earlier = byRequestId.get(requestId.toLowerCase())
        if (exchange.form === form) {
          if (earlier) {
            const expected = `another requestId than that of ${earlier.request.method} ${earlier.request.path}`
            return brokenBy({ path: '$.requestId', expected, got: requestId }, exchange, earlier)
          }
          judged.push(exchange)
        }
        byRequestId.set(requestId.toLowerCase(), exchange)
      }
      return judged.length > 1 ? held(judged) : notJudged('fewer than two requestIds came')
    },
  },
  'envelope/result-is-array-or-object': everyExchange(
    exchange => (needsEnvelope(exchange) && !isDelete(exchange) ? judgeResult(exchange) : undefined),
    noEnvelope,
  ),
  'envelope/delete-carries-a-result': everyExchange(
    exchange =>
      isDelete(exchange) && (needsEnvelope(exchange) || lacksExpectedBody(exchange))
        ? judgeResult(exchange)
        : undefined,
    noDelete,
  ),
  'envelope/delete-result': {
    reads: 'everything',
    judge: ({ exchanges }) => {
      const deletion = exchanges.find(exchange => isDelete(exchange) && needsEnvelope(exchange))
      return deletion
        ? observed('result' in envelopeOf(deletion) ? 'present' : 'absent', deletion)
        : notJudged(noDelete)
    },
  },
  'envelope/request-id-on-refusals': observe(
    ['cloud:malformed-organization-id', 'managed:malformed-json', 'malformed-service-id'],
    exchanges => {
      const badRequest = exchanges.find(({ response }) => response.status === 400)
      return badRequest && ('requestId' in envelopeOf(badRequest) ? 'present' : 'absent')
    },
  ),
} as const satisfies Record<string, Check>
