import { type Check, type Finding, notJudged } from '../engine/check.ts'
import { type Exchange, hasBody, isSuccess } from '../engine/exchange.ts'
import { because } from '../engine/reasons.ts'
import { isObject } from '../engine/recognise.ts'
import { refusesProbes } from './probes.ts'
import { adjustVerdict, everyExchange, observe, observeRefusal, unobservable } from './steps.ts'

/** §7 Errors: every 400 of the cloud API. */

/** Judges the body of every 400, even if it is missing. A body that is not JSON breaks another rule. */
const everyBadRequest = (find: (body: unknown) => Finding | undefined): Check => {
  const isBadRequest = ({ request, response }: Exchange) => response.status === 400 && request.method !== 'HEAD'
  const check = everyExchange(exchange => {
    if (!isBadRequest(exchange) || (hasBody(exchange) && exchange.json === undefined)) return undefined
    const finding = find(exchange.json)
    return finding ? [finding] : []
  }, 'no request was answered with 400')
  return adjustVerdict(check, (verdict, { exchanges }) => {
    const unread = exchanges.filter(one => isBadRequest(one) && hasBody(one) && one.json === undefined)
    if (verdict.outcome !== 'not-applicable' || unread.length === 0) return verdict
    const count = unread.length
    const reason = because('no answer with 400 could be read as JSON, of {count} that came', { count })
    return { ...notJudged(reason), exchanges: unread.slice(0, 1) }
  })
}

export const checks = {
  'error/bad-request-has-status': everyBadRequest(body => {
    const status = isObject(body) ? body.status : undefined
    return status === 400 ? undefined : { path: '$.status', expected: 'the number 400', got: status }
  }),
  'error/bad-request-has-error-sentence': everyBadRequest(body => {
    // A body that is not an object breaks the rule above.
    if (!isObject(body)) return undefined
    const { error } = body
    return typeof error === 'string' && error.trim() !== ''
      ? undefined
      : { path: '$.error', expected: 'a non-empty string', got: error }
  }),
  'error/malformed-json-is-refused': refusesProbes('error/malformed-json-is-refused', [
    'managed:malformed-json',
    'selfHosted:malformed-json',
    'selfHosted:chart.malformed-json',
  ]),
  'error/missing-field-is-refused': refusesProbes('error/missing-field-is-refused'),
  'error/unknown-value-is-refused': refusesProbes('error/unknown-value-is-refused'),
  'error/wrong-type-is-refused': refusesProbes('error/wrong-type-is-refused'),
  'error/malformed-json': observeRefusal('malformed-json'),
  'error/content-type': observe(['text-body'], ([exchange]) => describeReaction(exchange)),
  'error/unknown-property-code': unobservable('a run sends the cloud no property that it does not know'),
  'error/self-hosted-body': observe(['malformed-id', 'malformed-json'], exchanges => {
    const body = exchanges.map(({ json }) => json).find(isObject)
    return (
      body && (['message', 'error'].find(key => typeof body[key] === 'string') ?? Object.keys(body).sort().join(', '))
    )
  }),
} as const satisfies Record<string, Check>

function describeReaction(exchange: Exchange): string | undefined {
  if (isSuccess(exchange)) return 'accepted'
  if (exchange.response.status === 415) return 'refused as 415'
  if (exchange.response.status !== 400) return undefined
  return /content[- ]type|media type/i.test(exchange.response.text) ? 'refused by header' : 'refused by body'
}
