import { fileURLToPath } from 'node:url'
import { dist } from './built-mock.ts'
import { type Chapter, round } from './chapter.ts'
import { start } from './running.ts'

interface Cost {
  readonly what: string
  readonly µs: number
  readonly bytes?: number
}

/** Measures worlds, resets, records and calls in process, without a port. */
export async function measureLibrary(): Promise<Chapter> {
  const script = fileURLToPath(new URL('in-process.ts', import.meta.url))
  const args = ['--expose-gc', '--import', 'tsx', script, `${dist}mock-server.js`]
  const { line, stop } = await start(process.execPath, args)
  await stop()
  return {
    title: 'In process',
    description: 'Processor time in one process: means of many repetitions. Bytes are those that stay on the heap.',
    rows: (JSON.parse(line) as Cost[]).map(({ what, µs, bytes }) => ({
      what,
      'CPU µs': round(µs, µs < 100 ? 1 : 0),
      bytes: bytes && Math.round(bytes),
    })),
  }
}
