import type { Fault, Faults } from '../../faults/fault.ts'
import { wrongFieldAfterUpdate } from '../../faults/lifecycle.ts'
import {
  answerWithoutWriting,
  asGet,
  failOperation,
  inCalls,
  inList,
  inRecords,
  type Json,
  refuse,
} from '../../faults/rewrite.ts'
import { isRecord } from '../../words/check-options.ts'

/** Changes the first pipe of the list. */
const inFirst = (how: (pipe: Json) => Json) =>
  inList('clickPipe.list', ([first, ...others]) => (first ? [how(first), ...others] : []))

const login = { credentials: { username: 'shop', password: 'shown again' } }
const kinesis = {
  format: 'JSONEachRow',
  streamName: 'orders',
  region: 'eu-west-1',
  iteratorType: 'LATEST',
  authentication: 'IAM_ROLE',
}
const fromDatabase = ({ source }: Json) => isRecord(source) && isRecord(source.postgres)

/** Accepts an invalid pipe: removes the invalid part before the creation. */
const acceptInvalid = (kind: string, wrong: string, mend: (source: Json) => Json) =>
  inCalls('clickPipe.create', call => {
    if (!call.body.includes(wrong)) return call
    const { source, ...rest } = JSON.parse(call.body)
    return { ...call, body: JSON.stringify({ ...rest, source: { [kind]: mend(source[kind]) } }) }
  })

/** Answers a command to a pipe. */
const answerCommand =
  (command: string, answer: Fault): (() => Fault) =>
  () =>
  (call, next, context) =>
    context.operation === 'clickPipe.state' && call.body.includes(`"${command}"`)
      ? answer(call, next, context)
      : next(call)

export const faults = {
  'clickPipe/whole-is-kept': inRecords('clickPipe.get', record =>
    JSON.parse(JSON.stringify(record).replace(/"compression":"\w+"/, '"compression":"auto"')),
  ),
  'clickPipe/authentication-fits-its-broker': acceptInvalid('kafka', '"IAM_USER"', source => ({
    ...source,
    authentication: 'PLAIN',
    credentials: { username: 'x', password: 'x' },
  })),
  'clickPipe/seek-time-fits-its-type': acceptInvalid(
    'pubsub',
    '"seekTimestamp"',
    ({ seekTimestamp: _, ...source }) => source,
  ),
  'clickPipe/queue-is-of-continuous-pipes': acceptInvalid(
    'objectStorage',
    '"queueUrl"',
    ({ queueUrl: _, ...source }) => source,
  ),
  'clickPipe/schema-discovery-answers': failOperation('clickPipe.schemaDiscovery'),
  'clickPipe/unsent-stays': wrongFieldAfterUpdate('clickPipe', 'fieldMappings', [
    { sourceField: 'other', destinationField: 'other' },
  ]),
  'clickPipeSettings/unsent-stays': wrongFieldAfterUpdate('clickPipeSettings', 'clickhouse_max_threads', 5),
  'clickPipe/scaling-keeps-its-bounds': inCalls('clickPipe.scaling', call =>
    /^\{"\w+":\d+\}$/.test(call.body) ? asGet(call, call.path.replace(/\/scaling$/, '')) : call,
  ),
  'clickPipeSettings/kafka-setting-is-of-kafka': inCalls('clickPipeSettings.update', call =>
    call.body.includes('kafka') ? asGet(call) : call,
  ),
  'clickPipe/start-fits-its-state': answerCommand('start', answerWithoutWriting),
  'clickPipe/resync-is-of-databases': answerCommand('resync', answerWithoutWriting),
  'clickPipe/stop-may-be-repeated': answerCommand('stop', async (call, next, context) => {
    const isStopped = (await next(asGet(call, call.path.replace(/\/state$/, '')))).body.includes('"state":"Stopped"')
    const answer = await next(call)
    return isStopped ? refuse(answer, context, 400, 'The pipe has stopped already.') : answer
  }),
  'clickPipe/credentials-are-never-shown': inFirst(({ source, ...pipe }) => ({
    ...pipe,
    source: Object.fromEntries(
      Object.entries(source as Record<string, Json>).map(([kind, one]) => [kind, { ...one, ...login }]),
    ),
  })),
  'clickPipe/has-one-source': inFirst(({ source, ...pipe }) => ({
    ...pipe,
    // A second stream, so that the state of the pipe still fits its source.
    source: { kinesis, ...(source as Json) },
  })),
  'clickPipe/state-fits-its-kind': inFirst(pipe => ({
    ...pipe,
    state: fromDatabase(pipe) ? 'Stopped' : 'Paused',
  })),
} as const satisfies Faults
