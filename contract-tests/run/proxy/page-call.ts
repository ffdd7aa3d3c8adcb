import type { RuleId } from '../../../fixtures/contract/index.ts'
import { renderValue } from '../../report/outline.ts'
import type { Drift, RuleReport } from '../../report/report.ts'
import type { Judgement } from './judge-proxied.ts'
import { describeSubstitute, type ProxiedCall, toHarEntry } from './proxied-call.ts'

export const describeDrift = ({ id, was, is }: Drift) =>
  `unlike the baseline: ${id}: ${renderValue(was)} became ${renderValue(is)}`

export const describeBreach = ({ id, detail }: RuleReport) => `broken: ${id}, ${detail}`

export const describeUnread = (why: string) => `not judged: the body was ${why}`

/** A call as the journal of the console keeps it. */
export function toPageCall(call: ProxiedCall, judgement: Judgement | undefined, baseUrl: string) {
  const { form: host, startedAt, ms, request, response, instead } = call
  const entry = toHarEntry(call, baseUrl)
  const [path = '', query = ''] = request.path.split(/\?(.*)/s)
  const { form, operation, broken: [breach] = [], held = 0, drift = [], unread } = judgement ?? {}
  const verdict = breach
    ? describeBreach(breach)
    : unread !== undefined
      ? describeUnread(unread)
      : held > 0
        ? `held by ${held} rules`
        : 'no rule judges it'
  const judged = breach
    ? ({ judged: 'broken', rule: breach.id as RuleId } as const)
    : held > 0 && unread === undefined && ({ judged: 'held' } as const)
  const got =
    instead &&
    `${describeSubstitute(instead)}${response.status === 0 ? `, ${instead.why}` : ` for the answer ${response.status}`}`
  const why = [got, (!instead || response.status > 0) && verdict, ...drift.map(describeDrift)]
    .filter(Boolean)
    .join('; ')
  const cause = { basis: 'observed' as const, ...judged, ...(instead && { instead }), why }
  const { method } = request
  const sent = { method, path, query, headers: toObject(request.headers), body: entry.request.postData?.text ?? '' }
  const { status } = response
  const answer = { status, headers: toObject(response.headers), body: entry.response.content.text, cause }
  return { at: startedAt + ms, ms, host, form, operation, call: sent, answer }
}

const toObject = (headers: ProxiedCall['request']['headers']) =>
  Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
