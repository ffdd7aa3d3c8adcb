import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import differences from '../../fixtures/engines/differences.json' with { type: 'json' }
import type { ExternalEngine } from '../../mock-server/mock/mock.ts'
import { createAsk, type EngineQuery, shorten } from './both.ts'
import { compareEngines } from './compare.ts'
import type { Engine } from './engine.ts'
import { fixedQueries } from './fixed-queries.ts'
import { generatedQuery } from './generated-queries.ts'

const file = fileURLToPath(new URL('../../fixtures/engines/charts.json', import.meta.url))

/** Writes the answers of ClickHouse to the fixed queries and to some generated ones, except where the engines differ. */
export async function record(telemetry: ExternalEngine, engine: Engine): Promise<void> {
  const queries = [...fixedQueries, ...fc.sample(generatedQuery, { numRuns: 400, seed: 1 })]
  const known = await compareEngines(telemetry, queries, differences)
  const differing = new Set(known.differences.map(({ asked }) => asked))
  const ask = await createAsk()
  const answers: [EngineQuery, string][] = []
  // The columns give the equal answers again, in a tenth of the time of ClickHouse.
  for (const query of queries) if (!differing.has(query)) answers.push([query, shorten((await ask(query)).answered)])
  const version = engine.run('SELECT version()', 'TSV').trim()
  const about = `What ClickHouse ${version} answers to chart queries over the rows of .ci/engines/rows.ts. Written by npm run engines -- --record.`
  const lines = answers.map(answer => `    ${JSON.stringify(answer)}`)
  writeFileSync(file, `{\n  "about": ${JSON.stringify(about)},\n  "answers": [\n${lines.join(',\n')}\n  ]\n}\n`)
  process.stdout.write(`${answers.length} answers are written, ${differing.size} differ and are not\n`)
}
