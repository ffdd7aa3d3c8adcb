/**
 * `npm run bench`: the benchmark of the mock. It prints tables and writes reports/bench.json. It has no thresholds to
 * meet, because times depend on the machine and its load.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { readProgramOptions } from '../read-program-options.ts'
import { build } from './built-mock.ts'
import { type Bench, type Chapter, render } from './chapter.ts'
import { measureCharts } from './charts.ts'
import { measureEngines } from './engines.ts'
import { measureGrowth } from './growth.ts'
import { measureLibrary } from './library.ts'
import { measurePackage } from './package-size.ts'
import { measurePeers } from './peers.ts'
import { measureProxy } from './proxy.ts'
import { startLoader } from './running.ts'
import { measureSpeed } from './speed.ts'
import { measureStart } from './starting.ts'
import { measureSuite } from './suite.ts'
import { measureTime } from './time.ts'
import { measureUsage } from './usage.ts'
import { measureWorlds } from './worlds.ts'

const chapters: Readonly<Record<string, (bench: Bench) => Chapter | Promise<Chapter>>> = {
  speed: measureSpeed,
  start: measureStart,
  library: measureLibrary,
  charts: measureCharts,
  engines: measureEngines,
  growth: measureGrowth,
  time: measureTime,
  worlds: measureWorlds,
  usage: measureUsage,
  suite: measureSuite,
  proxy: measureProxy,
  size: measurePackage,
  peers: measurePeers,
}

const { quick, peers, engines, only } = readProgramOptions('bench', {
  quick: { description: 'a short run of a minute', isSwitch: true },
  peers: { description: 'measure other mock servers, too', isSwitch: true },
  engines: { description: 'measure charts of ClickHouse, too; installs it (566 MB)', isSwitch: true },
  only: { description: 'only this chapter; may be repeated', words: Object.keys(chapters), isRepeatable: true },
})

const root = fileURLToPath(new URL('../../', import.meta.url))
build()

const loader = startLoader()
const bench: Bench = {
  loader,
  pace: { pairs: quick ? 3 : 6, ms: quick ? 300 : 1000, connections: 20 },
  isQuick: quick,
}
const machine = `Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown processor'}`
const startedAt = new Date().toISOString()
const load = () =>
  loadavg()
    .map(one => one.toFixed(1))
    .join(' ')
process.stdout.write(`# Benchmark of ${startedAt}\n\n${machine}; load ${load()}\n`)

const measured: Chapter[] = []
for (const [name, measure] of Object.entries(chapters)) {
  const isExtra = (name === 'peers' && !peers) || (name === 'engines' && !engines)
  if (only.length > 0 ? !only.includes(name) : isExtra) continue
  const chapter = await measure(bench)
  measured.push(chapter)
  process.stdout.write(`\n${render(chapter)}`)
}
process.stdout.write(`\nLoad at the end: ${load()}\n`)
await loader.stop()

mkdirSync(`${root}reports`, { recursive: true })
const report = { startedAt, endedAt: new Date().toISOString(), machine, quick, chapters: measured }
writeFileSync(`${root}reports/bench.json`, `${JSON.stringify(report, null, 2)}\n`)
