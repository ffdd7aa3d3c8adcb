import type { RuleId } from '../../fixtures/contract/index.ts'
import type { Fault } from './fault.ts'
import {
  change,
  changeResult,
  inAnswers,
  isObject,
  isUuid,
  littleJudgedSuccess,
  succeeds,
  success,
  withBody,
} from './rewrite.ts'

/** `/v1` itself, or a document right below it. */
const description = /^\/v1(\/[^/]*)?$/i

/** Where the ids stand in a path that is split at its slashes. */
const positions = { organizationId: 3, serviceId: 5, backupId: 7 } as const

/** Takes a malformed id for the one that the target names. */
const acceptMalformed =
  (name: keyof typeof positions): (() => Fault) =>
  () =>
  async (call, next, place) => {
    const id = place.params[name]
    if (place.operation === undefined || id === undefined || isUuid(id)) return next(call)
    const path = call.path.split('/').with(positions[name], place.ids[name]).join('/')
    const answer = await next({ ...call, path })
    // The backup itself would have an id that is not the one asked for, which is another rule.
    return place.operation === 'backup.get' && succeeds(answer) ? changeResult(answer, () => ({})) : answer
  }

export const faults = {
  'service/answers-are-json': inAnswers(littleJudgedSuccess, answer => withBody(answer, `${answer.body}}`)),
  'service/json-is-labelled': inAnswers(success, answer =>
    /json/.test(answer.headers['content-type'] ?? '')
      ? { ...answer, headers: { ...answer.headers, 'content-type': 'text/plain; charset=utf-8' } }
      : answer,
  ),
  'path/malformed-organization-id-is-refused': acceptMalformed('organizationId'),
  'path/malformed-service-id-is-refused': acceptMalformed('serviceId'),
  'path/malformed-backup-id-is-refused': acceptMalformed('backupId'),
  'version/description-is-1.0': () => async (call, next) => {
    const answer = await next(call)
    if (!description.test(call.path) || !succeeds(answer)) return answer
    return change(answer, json =>
      'openapi' in json && isObject(json.info) ? { ...json, info: { ...json.info, version: '2.0' } } : json,
    )
  },
} as const satisfies Partial<Record<RuleId, () => Fault>>
