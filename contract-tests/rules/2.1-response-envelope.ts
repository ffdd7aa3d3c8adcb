import { broken, type Check, type Finding, held, judgeEach, notApplicable, observed, show } from '../engine/check.ts'
import { type Exchange, hasBody, isSuccess, isText, lacksBody } from '../engine/exchange.ts'
import { isObject, isUuidV4 } from '../engine/recognise.ts'
import { look } from './observations.ts'

/** §2.1 The envelope, on every exchange of the run that it binds. */

/** A success that must be wrapped: of an operation of the cloud API, with a body that is JSON. */
const isWrapped = (exchange: Exchange) =>
  isSuccess(exchange) &&
  !isText(exchange) &&
  hasBody(exchange) &&
  exchange.operation !== undefined &&
  exchange.json !== undefined
const isDelete = (exchange: Exchange) => exchange.request.method === 'DELETE'
const requestIdOf = ({ json }: Exchange) => (isObject(json) ? json.requestId : undefined)
const fieldsOf = ({ json }: Exchange) => (isObject(json) ? json : {})

/** Judges each wrapped success. One without any body breaks the rule that bodies are JSON; of a delete, the one below. */
const onSuccess = (
  find: (exchange: Exchange) => Finding | undefined,
  applies: (exchange: Exchange) => boolean = () => true,
): Check => ({
  reads: 'everything',
  judge: ({ all }) =>
    judgeEach(
      all,
      exchange => {
        if (!isWrapped(exchange) || !applies(exchange)) return undefined
        const finding = find(exchange)
        return finding ? [finding] : []
      },
      () => notApplicable('no success that must be wrapped came'),
    ),
})

export const checks = {
  'envelope/status-equals-http': onSuccess(exchange => {
    const { status } = fieldsOf(exchange)
    return status === exchange.response.status
      ? undefined
      : { path: '$.status', expected: `the number ${exchange.response.status}`, got: status }
  }),
  'envelope/request-id-is-uuid-v4': {
    reads: 'everything',
    judge: ({ all }) =>
      judgeEach(
        all,
        exchange => {
          const requestId = requestIdOf(exchange)
          if (requestId === undefined && !isWrapped(exchange)) return undefined
          return isUuidV4(requestId) ? [] : [{ path: '$.requestId', expected: 'a UUIDv4', got: requestId }]
        },
        () => notApplicable('no answer of this form carried a requestId'),
      ),
  },
  'envelope/request-id-is-never-repeated': {
    reads: 'everything',
    judge: ({ run, form }) => {
      const seen = new Map<string, Exchange>()
      let judged = 0
      for (const exchange of run) {
        const requestId = requestIdOf(exchange)
        // A value that is not a UUIDv4 breaks the rule above, and is not counted here again.
        if (!isUuidV4(requestId)) continue
        const earlier = seen.get(requestId.toLowerCase())
        if (exchange.form === form) {
          judged++
          if (earlier) {
            const where = ({ request }: Exchange) => `${request.method} ${request.path}`
            return broken(
              `expected a requestId of its own for each request, got ${show(requestId)} twice (${where(earlier)}, then ${where(exchange)} at $.requestId)`,
              earlier,
              exchange,
            )
          }
        }
        seen.set(requestId.toLowerCase(), exchange)
      }
      return judged > 1
        ? held(run.filter(exchange => exchange.form === form))
        : notApplicable('fewer than two requestIds came')
    },
  },
  'envelope/result-is-array-or-object': onSuccess(
    exchange => {
      const { result } = fieldsOf(exchange)
      return Array.isArray(result) || isObject(result)
        ? undefined
        : { path: '$.result', expected: 'an array or an object', got: result }
    },
    exchange => !isDelete(exchange),
  ),
  'envelope/delete-carries-a-result': {
    reads: 'everything',
    judge: ({ all }) =>
      judgeEach(
        all.filter(isDelete),
        exchange => {
          if (!isWrapped(exchange) && !lacksBody(exchange)) return undefined
          const { result } = fieldsOf(exchange)
          if (Array.isArray(result) || isObject(result)) return []
          return [{ path: '$.result', expected: 'an array or an object', got: result }]
        },
        () => notApplicable('no success of a delete that must be wrapped came'),
      ),
  },
  'envelope/delete-result': {
    reads: 'everything',
    judge: ({ all }) => {
      const came = all.find(exchange => isDelete(exchange) && isWrapped(exchange))
      if (!came) return notApplicable('no success of a delete that must be wrapped came')
      return observed('result' in fieldsOf(came) ? 'present' : 'absent', came)
    },
  },
  'envelope/request-id-on-refusals': look(
    form => [
      form === 'cloud' ? 'cloud:malformed-organization-id' : 'managed:malformed-json',
      `${form}:malformed-service-id`,
    ],
    exchanges => {
      const [bad] = exchanges.filter(({ response }) => response.status === 400)
      return bad && (requestIdOf(bad) === undefined ? 'absent' : 'present')
    },
  ),
} as const satisfies Record<string, Check>
