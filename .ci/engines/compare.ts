import type { ExternalEngine } from '../../mock-server/mock/mock.ts'
import { type Answered, askOf, type EngineQuery } from './both.ts'

/** A known difference between the engines. All of its criteria must match. */
export interface Named {
  readonly id: string
  readonly why: string
  readonly columns?: string
  readonly engine?: string
  /** A part of the message of a refusal. */
  readonly description?: string
  /** A part of the query. */
  readonly query?: string
}

export interface Difference {
  readonly asked: EngineQuery
  readonly columns: Answered
  readonly engine: Answered
  readonly description: string
  /** The id of the known difference, if it is one. */
  readonly named: string | undefined
}

export interface Compared {
  readonly asked: number
  readonly refused: number
  readonly differences: readonly Difference[]
}

/** Sends the same queries to both engines, and returns the differences. Two refusals are equal, whatever their messages. */
export async function compareEngines(
  telemetry: ExternalEngine,
  queries: Iterable<EngineQuery>,
  named: readonly Named[],
): Promise<Compared> {
  const [columns, engine] = [await askOf(), await askOf(telemetry)]
  const differences: Difference[] = []
  let [count, refused] = [0, 0]
  for (const asked of queries) {
    const [here, there] = [await columns(asked), await engine(asked)]
    count++
    if (there.answered === 'refused') refused++
    if (JSON.stringify(here.answered) === JSON.stringify(there.answered)) continue
    const description = [here.description, there.description].filter(Boolean).join(' | ')
    const difference = { asked, columns: here.answered, engine: there.answered, description }
    differences.push({ ...difference, named: named.find(one => isOneOf(one, difference))?.id })
  }
  return { asked: count, refused, differences }
}

function isOneOf({ columns, engine, description = '', query = '' }: Named, found: Omit<Difference, 'named'>): boolean {
  const kindOf = (answered: Answered) => (answered === 'refused' ? 'refused' : 'answered')
  if (columns !== undefined && columns !== kindOf(found.columns)) return false
  if (engine !== undefined && engine !== kindOf(found.engine)) return false
  return new RegExp(description).test(found.description) && new RegExp(query).test(JSON.stringify(found.asked))
}
