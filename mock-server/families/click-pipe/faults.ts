import type { Faults } from '../../faults/fault.ts'
import { mistakeUpdated } from '../../faults/lifecycle.ts'
import { failing, inList, type Json } from '../../faults/rewrite.ts'
import type { Call } from '../../words/call.ts'
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

/** Whatever is to be changed, it is answered as it is. */
const getInstead = (call: Call, path = call.path): Call => ({
  ...call,
  method: 'GET',
  path,
  body: '',
})

export const faults = {
  'clickPipe/schema-discovery-answers': failing('clickPipe.schemaDiscovery'),
  'clickPipe/unsent-stays': mistakeUpdated('clickPipe', 'fieldMappings', [
    { sourceField: 'other', destinationField: 'other' },
  ]),
  'clickPipeSettings/unsent-stays': mistakeUpdated('clickPipeSettings', 'clickhouse_max_threads', 5),
  'clickPipe/scaling-keeps-its-bounds': () => async (call, next, place) =>
    next(
      place.operation === 'clickPipe.scaling' && /^\{"\w+":\d+\}$/.test(call.body)
        ? getInstead(call, call.path.replace(/\/scaling$/, ''))
        : call,
    ),
  'clickPipeSettings/kafka-setting-is-of-kafka': () => async (call, next, place) =>
    next(place.operation === 'clickPipeSettings.update' && call.body.includes('kafka') ? getInstead(call) : call),
  'clickPipe/credentials-are-never-shown': inFirst(({ source, ...pipe }) => ({
    ...pipe,
    source: Object.fromEntries(
      Object.entries(source as Record<string, Json>).map(([kind, one]) => [kind, { ...one, ...login }]),
    ),
  })),
  'clickPipe/has-one-source': inFirst(({ source, ...pipe }) => ({
    ...pipe,
    // Another stream, so that its state fits.
    source: { kinesis, ...(source as Json) },
  })),
  'clickPipe/state-fits-its-kind': inFirst(pipe => ({
    ...pipe,
    state: fromDatabase(pipe) ? 'Stopped' : 'Paused',
  })),
} as const satisfies Faults
