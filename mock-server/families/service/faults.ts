import type { Fault, Faults } from '../../faults/fault.ts'
import { wrongFieldAfterUpdate } from '../../faults/lifecycle.ts'
import { answerWithoutWriting, inRecords, resultOf, wrongField } from '../../faults/rewrite.ts'
import type { Answer } from '../../words/call.ts'
import { isRecord } from '../../words/check-options.ts'

/** Pretends deletions in some states. */
const keepDeleted =
  (isKept: (state: unknown) => boolean): (() => Fault) =>
  () =>
  async (call, next, context) => {
    if (context.operation !== 'service.delete') return next(call)
    const got = resultOf(await next({ ...call, method: 'GET', body: '' }))
    return isRecord(got) && isKept(got.state) ? answerWithoutWriting(call, next) : next(call)
  }

const one = { status: 200, body: '1\n' }

/** Changes an answer to a SQL call; these faults receive no other calls. */
const answerOtherwise =
  (isNamed: (answer: Answer) => boolean, { status, body }: Pick<Answer, 'status' | 'body'>) =>
  (): Fault =>
  async (call, next) => {
    const answer = await next(call)
    if (!isNamed(answer)) return answer
    // Reads the stream to its end, because the engine frees its resources then.
    if (answer.stream) for await (const _ of answer.stream);
    return { status, headers: { 'content-type': 'text/plain' }, body }
  }

export const faults = {
  'service/unsent-stays': wrongFieldAfterUpdate('service', 'releaseChannel', 'slow'),
  'service/moves-as-documented': inRecords('service.get', service =>
    service.state === 'terminating' ? { ...service, state: 'running' } : service,
  ),
  'service/deleted-is-gone': keepDeleted(state => state !== 'running'),
  'service/delete-while-running-is-refused': keepDeleted(state => state === 'running'),
  'service/answers-sql': answerOtherwise(({ status }) => status < 300, { status: 503, body: 'Code: 210. Fault' }),
  'service/wrong-password-gets-no-sql': answerOtherwise(({ body }) => /AUTHENTICATION|PASSWORD/.test(body), one),
  'service/stopped-gets-no-sql': answerOtherwise(({ body }) => body.includes('its state is stop'), one),
  'service/password-is-shown-once': wrongField('service.list', 'password', 'shown again'),
} as const satisfies Faults
