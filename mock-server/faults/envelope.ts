import type { Faults } from './fault.ts'
import {
  answerWithoutWriting,
  change,
  changeResult,
  envelopedBadRequest,
  envelopedSuccess,
  inAnswers,
  rarelyJudgedSuccess,
} from './rewrite.ts'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Turns a UUID into one of version 1. The fifteenth character is the version. */
const setVersion1 = (uuid: string): string => `${uuid.slice(0, 14)}1${uuid.slice(15)}`

export const faults = {
  'envelope/status-equals-http': inAnswers(envelopedSuccess, answer =>
    change(answer, json => ({ ...json, status: answer.status + 1 })),
  ),
  'envelope/request-id-is-uuid-v4': inAnswers(envelopedSuccess, answer =>
    change(answer, json => ({ ...json, requestId: setVersion1(String(json.requestId)) })),
  ),
  'envelope/request-id-is-never-repeated': () => {
    let firstId: unknown
    return inAnswers(envelopedSuccess, answer =>
      change(answer, json => {
        firstId ??= json.requestId
        return { ...json, requestId: firstId }
      }),
    )()
  },
  'envelope/result-is-array-or-object': inAnswers(
    (answer, context) => envelopedSuccess(answer, context) && rarelyJudgedSuccess(answer, context),
    answer => changeResult(answer, () => 'a text'),
  ),
  'envelope/delete-carries-a-result': inAnswers(
    (answer, context) => envelopedSuccess(answer, context) && /\.delete$/.test(context.operation ?? ''),
    answer => change(answer, ({ result: _, ...json }) => json),
  ),
  'error/bad-request-has-status': inAnswers(envelopedBadRequest, answer =>
    change(answer, json => ({ ...json, status: '400' })),
  ),
  'error/bad-request-has-error-sentence': inAnswers(envelopedBadRequest, answer =>
    change(answer, json => ({ ...json, error: '' })),
  ),
  'error/malformed-json-is-refused': () => async (call, next, context) => {
    if (call.body.trim() === '' || isJson(call.body)) return next(call)
    if (/\.(create|update)$/.test(context.operation ?? '')) return answerWithoutWriting(call, next)
    // A chart query has no get: it is answered with the list of sources.
    const sources = { ...call, method: 'GET', path: '/api/v2/sources', body: '' }
    return context.operation === 'chart.query' ? next(sources) : next(call)
  },
} as const satisfies Faults
