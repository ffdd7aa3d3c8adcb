import { spawnSync } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { startBuiltMock } from './built-mock.ts'
import { type Bench, type Chapter, round } from './chapter.ts'
import { median } from './paired-bursts.ts'
import { ask, getBackup } from './requests.ts'
import { memoryOf, startUntil } from './running.ts'

/** Measures the time from the start of a process to its first answer, and the share of Node itself. */
export async function measureStart({ isQuick }: Bench): Promise<Chapter> {
  const took = { node: [] as number[], server: [] as number[], mock: [] as number[] }
  const memory: number[] = []
  for (let i = 0; i < (isQuick ? 5 : 15); i++) {
    took.node.push(time(() => spawnSync(process.execPath, ['-e', '0'])))
    took.server.push(await timeBareServer())
    const began = performance.now()
    const mock = await startBuiltMock()
    await ask(getBackup(mock))
    took.mock.push(performance.now() - began)
    await new Promise(resolve => setTimeout(resolve, 200))
    memory.push(memoryOf(mock.pid) ?? Number.NaN)
    await mock.stop()
  }
  const row = (what: string, times: readonly number[]) => ({
    what,
    'ms, median': round(median(times), 0),
    'ms, least': round(Math.min(...times), 0),
  })
  return {
    title: 'Start',
    description:
      'From the start of the process to its first 200. The memory is that of the mock at rest, after its first answer.',
    rows: [
      row('node -e 0, to its end', took.node),
      row('a bare node:http server', took.server),
      { ...row('the mock, three ports and console', took.mock), 'RSS MiB': round(median(memory), 0) },
    ],
  }
}

function time(act: () => unknown): number {
  const began = performance.now()
  act()
  return performance.now() - began
}

async function timeBareServer(): Promise<number> {
  const port = await findFreePort()
  const code = `require('node:http').createServer((_, response) => response.end('{}')).listen(${port}, '127.0.0.1')`
  const began = performance.now()
  const server = await startUntil(process.execPath, ['-e', code], `http://127.0.0.1:${port}/`)
  const took = performance.now() - began
  await server.stop()
  return took
}

export function findFreePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
