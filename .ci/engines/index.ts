/**
 * `npm run engines`: compares the embedded engine with ClickHouse, which it installs on demand. It sends fixed and generated
 * chart queries to both, and exits with 1 on a difference that fixtures/engines/differences.json does not list. `--record`
 * writes the answers of ClickHouse for the test that runs without it; `--ask` and `--serve` query ClickHouse alone.
 */
import { once } from 'node:events'
import fc from 'fast-check'
import differences from '../../fixtures/engines/differences.json' with { type: 'json' }
import { connectTelemetry } from '../../mock-server/telemetry/clickhouse/connect.ts'
import { readProgramOptions } from '../read-program-options.ts'
import { type Comparison, compareEngines } from './compare.ts'
import { type Engine, startEngine } from './engine.ts'
import { fixedQueries } from './fixed-queries.ts'
import { serveEngine } from './front.ts'
import { generatedQuery } from './generated-queries.ts'
import { record } from './record.ts'

const options = readProgramOptions('engines', {
  runs: { description: 'the number of generated queries', number: 2000 },
  seed: { description: 'the seed of the generated queries', number: Date.now() % 1_000_000 },
  record: { description: 'write the answers of ClickHouse, for the test of the columns', isSwitch: true },
  ask: {
    description: 'print the answer of ClickHouse to this statement; may be repeated, in one session',
    words: [],
    isRepeatable: true,
  },
  serve: {
    description: 'serve the HTTP interface of ClickHouse on this loopback port until interrupted',
    number: undefined,
  },
})

function answer(engine: Engine, statement: string): string {
  try {
    return engine.run(statement, 'PrettyCompactMonoBlock')
  } catch (error) {
    process.exitCode = 1
    return `${(error as Error).message}\n`
  }
}

function report({ asked, refused, differences }: Comparison) {
  const unknown = differences.filter(({ knownId }) => knownId === undefined)
  for (const { asked, columns, engine, description } of unknown) {
    const [here, there] = [columns, engine].map(one => JSON.stringify(one).slice(0, 300))
    process.stdout.write(
      `${JSON.stringify(asked)}\n  columns ${here}\n  engine  ${there}\n  ${description.slice(0, 300)}\n`,
    )
  }
  const counts = new Map<string, number>()
  for (const { knownId = 'unknown' } of differences) counts.set(knownId, (counts.get(knownId) ?? 0) + 1)
  const counted = [...counts].map(([name, count]) => `, ${count} ${name}`).join('')
  process.stdout.write(
    `${asked} queries, of which the engine refuses ${refused}: ${differences.length} differ${counted}\n`,
  )
  if (unknown.length > 0) process.exitCode = 1
}

const engine = startEngine()
try {
  for (const statement of options.ask) process.stdout.write(answer(engine, statement))
  if (options.serve !== undefined) {
    const front = await serveEngine(engine, options.serve)
    process.stdout.write(`${front.url}\n`)
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    await front.close()
  } else if (options.ask.length === 0) {
    const front = await serveEngine(engine)
    const telemetry = await connectTelemetry(`${front.url}/otel`, { write: 'otel' })
    const { runs: numRuns, seed } = options
    if (options.record) await record(telemetry, engine)
    else {
      process.stdout.write(`Generated from ${seed}\n`)
      const generated = fc.sample(generatedQuery, { numRuns, seed })
      report(await compareEngines(telemetry, [...fixedQueries, ...generated], differences))
    }
    await telemetry.close()
    await front.close()
  }
} finally {
  engine.close()
}
