import type { Edition } from '../../fixtures/contract/index.ts'
import type { Fault, Faults } from '../faults/fault.ts'
import {
  change,
  changeResult,
  inAnswers,
  isUuid,
  rarelyJudgedSuccess,
  succeeds,
  success,
  withBody,
} from '../faults/rewrite.ts'
import { isRecord } from '../words/check-options.ts'
import type { Handlers } from './family.ts'
import { teams } from './team/index.ts'

/** The releases whose answers were recorded as the editions. */
const releases: Readonly<Record<Edition, string>> = { '2.24': '2.24.1', '2.36': '2.36.0' }

export const handlers = {
  'description.get': ({ describe }) => ({ kind: 'bare', json: JSON.stringify(describe()) }),
  'root.get': request => {
    const { user } = request.in(teams).get('team')!
    return { kind: 'bare', json: JSON.stringify({ version: 'v2', user }) }
  },
  'health.get': ({ edition }) => {
    const health = { data: 'OK', version: releases[edition], ip: '127.0.0.1', env: 'production' }
    return { kind: 'bare', json: JSON.stringify(health) }
  },
  'readiness.get': ({ edition }) => {
    const readiness = { data: 'OK', version: releases[edition], env: 'production' }
    return { kind: 'bare', json: JSON.stringify(readiness) }
  },
} as const satisfies Handlers

/** `/v1`, or a document directly below it. */
const descriptionPath = /^\/v1(\/[^/]*)?$/i

/** The indexes of the ids among the segments of a path. */
const segmentIndexes = { organizationId: 3, serviceId: 5, backupId: 7 } as const

/** Answers a malformed id as if it were that of the target file. */
const acceptMalformed =
  (name: keyof typeof segmentIndexes): (() => Fault) =>
  () =>
  async (call, next, context) => {
    const id = context.params[name]
    if (context.operation === undefined || id === undefined || isUuid(id)) return next(call)
    const path = call.path.split('/').with(segmentIndexes[name], context.ids[name]).join('/')
    const answer = await next({ ...call, path })
    // Answering with the backup would break another rule, because its id differs from the one asked for.
    return context.operation === 'backup.get' && succeeds(answer) ? changeResult(answer, () => ({})) : answer
  }

export const faults = {
  'service/answers-are-json': inAnswers(rarelyJudgedSuccess, answer => withBody(answer, `${answer.body}}`)),
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
    if (!descriptionPath.test(call.path) || !succeeds(answer)) return answer
    return change(answer, json =>
      'openapi' in json && isRecord(json.info) ? { ...json, info: { ...json.info, version: '2.0' } } : json,
    )
  },
} as const satisfies Faults
