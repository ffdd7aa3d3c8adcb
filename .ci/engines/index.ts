/**
 * `npm run engines`: ClickHouse itself, as the oracle of the embedded columns. It installs the engine on demand, and
 * answers statements (`-- --ask "SELECT 1"`) or serves its HTTP form (`-- --serve 8123`) until it is interrupted.
 */
import { once } from 'node:events'
import { readProgramOptions } from '../read-program-options.ts'
import { startEngine } from './engine.ts'
import { serveEngine } from './front.ts'

const { ask, serve } = readProgramOptions('engines', {
  ask: { says: 'print the answer of the engine to this statement (several are one session)', words: [], many: true },
  serve: { says: 'serve the HTTP form of the engine on this port of loopback until interrupted', number: undefined },
})

const engine = startEngine()
try {
  for (const statement of ask) {
    try {
      process.stdout.write(engine.run(statement, 'PrettyCompactMonoBlock'))
    } catch (error) {
      process.stdout.write(`${(error as Error).message}\n`)
      process.exitCode = 1
    }
  }
  if (serve !== undefined) {
    const front = await serveEngine(engine, serve)
    process.stdout.write(`${front.url}\n`)
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    await front.close()
  }
} finally {
  engine.close()
}
