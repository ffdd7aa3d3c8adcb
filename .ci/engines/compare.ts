import type { ExternalEngine } from '../../mock-server/mock/mock.ts'
import { createAsk, type EngineAnswer, type EngineQuery } from './both.ts'

/** A known difference between the engines: a difference that meets all of its criteria. */
export interface KnownDifference {
  readonly id: string
  readonly why: string
  /** `answered` or `refused`: what the columns (the embedded engine) and the engine (ClickHouse) do. */
  readonly columns?: string
  readonly engine?: string
  /** A pattern of the messages of refusals. */
  readonly description?: string
  /** A pattern of the query as JSON. */
  readonly query?: string
}

export interface Difference {
  readonly asked: EngineQuery
  readonly columns: EngineAnswer
  readonly engine: EngineAnswer
  readonly description: string
  /** The id of the known difference that it is an instance of, if any. */
  readonly knownId: string | undefined
}

export interface Comparison {
  readonly asked: number
  readonly refused: number
  readonly differences: readonly Difference[]
}

/** Sends the same queries to both engines, and returns the differences. Two refusals are equal, whatever their messages. */
export async function compareEngines(
  telemetry: ExternalEngine,
  queries: Iterable<EngineQuery>,
  known: readonly KnownDifference[],
): Promise<Comparison> {
  const [columns, engine] = [await createAsk(), await createAsk(telemetry)]
  const differences: Difference[] = []
  let [count, refused] = [0, 0]
  for (const asked of queries) {
    const [here, there] = [await columns(asked), await engine(asked)]
    count++
    if (there.answered === 'refused') refused++
    if (JSON.stringify(here.answered) === JSON.stringify(there.answered)) continue
    const description = [here.description, there.description].filter(Boolean).join(' | ')
    const difference = { asked, columns: here.answered, engine: there.answered, description }
    differences.push({ ...difference, knownId: known.find(one => matches(one, difference))?.id })
  }
  return { asked: count, refused, differences }
}

function matches(known: KnownDifference, found: Omit<Difference, 'knownId'>): boolean {
  const { columns, engine, description = '', query = '' } = known
  const kindOf = (answered: EngineAnswer) => (answered === 'refused' ? 'refused' : 'answered')
  if (columns !== undefined && columns !== kindOf(found.columns)) return false
  if (engine !== undefined && engine !== kindOf(found.engine)) return false
  return new RegExp(description).test(found.description) && new RegExp(query).test(JSON.stringify(found.asked))
}
