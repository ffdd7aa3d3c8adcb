import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BuiltMock, startBuiltMock, type Target } from './built-mock.ts'
import { type Bench, type Chapter, round } from './chapter.ts'
import { compareInPairs, median } from './paired-bursts.ts'
import { ask, call, chartBody, listMembers, writeRequest } from './requests.ts'
import { cpuOf, memoryOf } from './running.ts'

/** Measures many named worlds on one mock, including a restart with all of them. */
export async function measureWorlds({ loader, pace, isQuick }: Bench): Promise<Chapter> {
  const count = isQuick ? 100 : 1000
  const folder = mkdtempSync(join(tmpdir(), 'stack-parity-worlds-'))
  const rows: Chapter['rows'][number][] = []
  const mock = await startBuiltMock('--state', `${folder}/`)
  let running: { stop(): Promise<void> } = mock
  const alone = await startBuiltMock()
  let memory = await measureRestingMemory(mock.pid)
  let cpu = cpuOf(mock.pid) ?? Number.NaN
  /** Adds a row: the time, the processor time of the server (saving included) and the growth of memory for each world. */
  const addRow = async (what: string, times: readonly number[]) => {
    const now = await measureRestingMemory(mock.pid)
    const used = cpuOf(mock.pid) ?? Number.NaN
    rows.push({
      what,
      'ms, median': round(median(times), 2),
      'CPU ms each': round((used - cpu) / times.length, 1),
      'KiB each': Math.round(((now - memory) / times.length) * 1024),
      'RSS MiB': Math.round(now),
    })
    memory = now
    cpu = used
  }
  const timeEach = async <T>(list: readonly T[], act: (one: T) => Promise<unknown>) => {
    const times = []
    for (const one of list) times.push(await time(() => act(one)))
    return times
  }

  try {
    await ask(listMembers(mock))
    const worlds: BuiltMock[] = []
    const opening = await timeEach(namesOf(count), async name => {
      worlds.push({ ...mock, target: await open(mock.target, name) })
    })
    await addRow(`open ${count} named worlds`, opening)
    await addRow('the first call of each: list members', await timeEach(worlds, world => ask(listMembers(world))))
    await addRow(
      'the first self-hosted call of each: list dashboards',
      await timeEach(worlds, world => ask(call(world, 'list dashboards', 'GET', 'dashboards'))),
    )
    const sideOf = (of: readonly BuiltMock[]) => ({
      port: of[0]!.cloudPort,
      pid: of[0]!.pid,
      requests: of.map(world => writeRequest(listMembers(world))),
    })
    const { ratio, min, max } = await compareInPairs(loader, sideOf([alone]), sideOf(worlds), pace)
    rows.push({
      what: 'requests per second spread over them, divided by those of a mock with one world',
      ratio: round(ratio, 2),
      from: round(min, 2),
      to: round(max, 2),
    })
    memory = await measureRestingMemory(mock.pid)
    cpu = cpuOf(mock.pid) ?? Number.NaN
    const charted = worlds.slice(0, count / 10)
    await addRow(
      `a chart in each of ${charted.length}, which lays out its rows`,
      await timeEach(charted, world => ask(call(world, 'a chart', 'POST', 'charts/series', chartBody(world.target)))),
    )

    rows.push({ what: 'the end, after all worlds were saved', 'ms, median': round(await time(mock.stop), 0) })
    const bytes = readdirSync(folder).map(file => statSync(join(folder, file)).size)
    rows.push({ what: 'the state file of a world', 'KiB each': Math.round(median(bytes) / 1024) })
    const began = performance.now()
    const again = await startBuiltMock('--state', `${folder}/`)
    running = again
    const ready = performance.now() - began
    rows.push({
      what: `a start with ${count} worlds to load`,
      'ms, median': round(ready, 0),
      'RSS MiB': Math.round(await measureRestingMemory(again.pid)),
    })
  } finally {
    await Promise.all([running.stop(), alone.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    title: 'Many worlds on one mock',
    description: `${count} named worlds, opened by POST /control/worlds one after the other, each kept in a file of --state. Processor time is that of the server, saving included. Memory is the resident memory of the process, garbage included.`,
    rows,
  }
}

const namesOf = (count: number) => Array.from({ length: count }, (_, i) => `job-${i}`)

async function open({ control }: Target, name: string): Promise<Target> {
  const answer = await fetch(`${control!.baseUrl}/control/worlds`, { method: 'POST', body: JSON.stringify({ name }) })
  if (answer.status !== 201) throw new Error(`open the world ${name}: ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Target
}

async function time(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}

/** Waits until the state has been saved, and returns the memory in mebibytes. */
async function measureRestingMemory(pid: number): Promise<number> {
  await new Promise(resolve => setTimeout(resolve, 3000))
  return memoryOf(pid) ?? Number.NaN
}
