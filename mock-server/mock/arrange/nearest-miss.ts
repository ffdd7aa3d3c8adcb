import type { JournalEntry } from '../../core/journal/journal.ts'
import { missesOf, type Stub, type StubCondition, type StubJson, stubToJson } from './stubs.ts'

/** A stub in the list; if it has no hits, with the call that nearly matched. */
export interface ListedStub extends StubJson {
  readonly nearest?: NearestMiss
}

interface NearestMiss {
  /** The number of the call in the journal. */
  readonly call: number
  readonly method: string
  readonly path: string
  /** The fields of the condition that the call does not match. Empty for a call that came before the stub. */
  readonly misses: readonly (keyof StubCondition)[]
}

/** Adds to each stub without hits the newest of the calls that miss the fewest fields of its condition. */
export const listStubs = (stubs: readonly Stub[], calls: readonly JournalEntry[]): readonly ListedStub[] =>
  stubs.map(stub => (stub.answered > 0 ? stubToJson(stub) : withNearest(stub, calls)))

function withNearest(stub: Stub, calls: readonly JournalEntry[]): ListedStub {
  let nearest: NearestMiss | undefined
  for (const { number, host, request, operation, because } of calls) {
    if (host === 'webhook' || host === 'sql' || because.stub !== undefined) continue
    const { method, headers, body } = request
    const [path = '', query = ''] = request.path.split(/\?(.*)/s)
    const misses = missesOf(stub.when, { method, path, query, headers, body }, operation)
    // A call that matches none of the fields is not a near miss.
    const isNear = Object.keys(stub.when).some(name => !misses.includes(name as keyof StubCondition))
    if (isNear && (!nearest || misses.length < nearest.misses.length))
      nearest = { call: number, method, path: request.path, misses }
  }
  return { ...stubToJson(stub), ...(nearest && { nearest }) }
}
