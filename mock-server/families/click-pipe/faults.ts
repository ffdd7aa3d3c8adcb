import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { lifeFaults } from '../../faults/lifecycle.ts'
import { changeResult, failing, inAnswers, type Json, successOf } from '../../faults/rewrite.ts'
import type { Call } from '../../words/call.ts'
import { isRecord } from '../../words/check-options.ts'

/** Changes the first pipe of a list that fits. */
const inList = (fits: (pipe: Json) => boolean, how: (pipe: Json) => Json) =>
  inAnswers(successOf('clickPipe.list'), answer =>
    changeResult(answer, result => {
      const at = Array.isArray(result) ? result.findIndex(pipe => isRecord(pipe) && fits(pipe)) : -1
      return at < 0 ? result : (result as Json[]).with(at, how((result as Json[])[at]!))
    }),
  )

const login = { credentials: { username: 'shop', password: 'shown again' } }
const kinesis = {
  format: 'JSONEachRow',
  streamName: 'orders',
  region: 'eu-west-1',
  iteratorType: 'LATEST',
  authentication: 'IAM_ROLE',
}
const any = () => true
const fromDatabase = ({ source }: Json) => isRecord(source) && isRecord(source.postgres)

/** Whatever the scaling is to be, the pipe is answered as it is. */
const getInstead = (call: Call): Call => ({
  ...call,
  method: 'GET',
  path: call.path.replace(/\/scaling$/, ''),
  body: '',
})

export const faults = {
  ...lifeFaults('clickPipe', ['fieldMappings', [{ sourceField: 'other', destinationField: 'other' }]]),
  ...lifeFaults('clickPipeSettings', ['clickhouse_max_threads', 5]),
  'clickPipe/state-answers': failing('clickPipe.state'),
  'clickPipeCdcScaling/get-answers': failing('clickPipeCdcScaling.get'),
  'clickPipe/scaling-keeps-its-bounds': () => async (call, next, place) =>
    next(place.operation === 'clickPipe.scaling' ? getInstead(call) : call),
  'clickPipe/credentials-are-never-shown': inList(any, ({ source, ...pipe }) => ({
    ...pipe,
    source: Object.fromEntries(
      Object.entries(source as Record<string, Json>).map(([kind, one]) => [kind, { ...one, ...login }]),
    ),
  })),
  'clickPipe/has-one-source': inList(any, ({ source, ...pipe }) => ({
    ...pipe,
    // Another stream, so that its state fits.
    source: { kinesis, ...(source as Json) },
  })),
  'clickPipe/state-fits-its-kind': inList(any, pipe => ({
    ...pipe,
    state: fromDatabase(pipe) ? 'Stopped' : 'Paused',
  })),
} as const satisfies Partial<Record<RuleId, () => Fault>>
