import type { Check } from '../engine/check.ts'
import { type Exchange, hasBody, isSuccess, isTextSuccess, lacksExpectedBody } from '../engine/exchange.ts'
import {
  describeAnswer,
  everyExchange,
  neverSucceeds,
  observe,
  observeRefusal,
  observeSuccess,
  unobservable,
} from './steps.ts'

/** §1 Answers are JSON; the managed form has neither charts nor webhooks. */

/**
 * True for 400s and successes with a body. Excludes answers that are text by the contract, and those of self-hosted
 * deletions, whose body the specification does not show.
 */
const mustBeJson = (exchange: Exchange) =>
  hasBody(exchange) &&
  !isTextSuccess(exchange) &&
  (exchange.response.status === 400 ||
    (isSuccess(exchange) && !(exchange.form === 'selfHosted' && exchange.request.method === 'DELETE')))

/** True for a list without a body: an empty list must have one, too. */
const isListWithoutBody = (exchange: Exchange) =>
  isSuccess(exchange) &&
  exchange.operation?.endsWith('.list') === true &&
  exchange.request.method === 'GET' &&
  !hasBody(exchange)

/** True for a success of the cloud or managed form without a body. A delete has a rule of its own. */
const lacksEnvelope = (exchange: Exchange) =>
  exchange.form !== 'selfHosted' && exchange.request.method !== 'DELETE' && lacksExpectedBody(exchange)

const unobservableLag = unobservable('a read after the lag cannot show that there was a lag')

export const checks = {
  'service/answers-are-json': everyExchange(exchange => {
    if (isListWithoutBody(exchange)) return [{ expected: 'a list that is JSON', got: undefined }]
    if (lacksEnvelope(exchange)) return [{ expected: 'a body', got: undefined }]
    if (!mustBeJson(exchange)) return undefined
    return exchange.json === undefined
      ? [{ expected: 'a body that is JSON', got: exchange.response.text.slice(0, 80) }]
      : []
  }, 'no success and no 400 with a body came'),
  'service/json-is-labelled': everyExchange(exchange => {
    const { headers } = exchange.response
    // Where there is no header at all, a recorder may have left them out.
    if (!mustBeJson(exchange) || exchange.json === undefined || Object.keys(headers).length === 0) return undefined
    const type = headers['content-type'] ?? ''
    return /^application\/(?:[\w.+-]+\+)?json\b/i.test(type)
      ? []
      : [{ path: 'content-type', expected: 'application/json', got: type }]
  }, 'no success and no 400 with a JSON body came'),
  'chart/absent-in-managed-form': neverSucceeds(['charts', 'charts-series', 'charts-create', 'charts-query']),
  'webhook/absent-in-managed-form': neverSucceeds(['webhooks', 'webhooks-create']),
  'webhook/managed-form': observeSuccess('webhooks', 'present', 'absent'),
  // A deployment may have webhooks and refuse charts only.
  'service/absent-resource': observe(['webhooks', 'charts'], answers => {
    const refused = answers.find(exchange => !isSuccess(exchange))
    return refused && describeAnswer(refused)
  }),
  'service/other-operations': observeRefusal('other-operations'),
  'service/list-after-creation': unobservableLag,
  'member/read-after-update': unobservableLag,
  'activity/list-after-act': unobservableLag,
  'service/head': observeSuccess('head', 'as GET', 'refused'),
} as const satisfies Record<string, Check>
