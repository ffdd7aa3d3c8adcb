import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { TargetFile } from '../../mock-server/mock/mock.ts'

export interface Memory {
  readonly heapUsed: number
  readonly external: number
  readonly rss: number
  /** Sockets, timers and the like. */
  readonly handles: number
}

/** A mock in its own process, started by the command. */
export interface StartedMock {
  readonly target: TargetFile
  /** Its memory after garbage collection, and its handles. */
  memory(): Promise<Memory>
  /** The lines on standard error since its start, without those about memory. */
  noise(): readonly string[]
  /** Stops it, and returns its exit status: 0, unless it had crashed before. */
  stop(): Promise<number | null>
}

const root = new URL('../../', import.meta.url)
const at = (path: string) => fileURLToPath(new URL(path, root))

export async function spawnMock(...options: readonly string[]): Promise<StartedMock> {
  const ports = ['--cloud-port=0', '--self-hosted-port=0', '--console-port=0']
  const node = ['--expose-gc', '--import', 'tsx', '--import', at('.ci/hostile/tell-memory.ts')]
  const child = spawn(process.execPath, [...node, at('cli.ts'), 'mock', '--json', ...ports, ...options], {
    cwd: at('.'),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const lineReader = createInterface({ input: child.stderr })
  lineReader.on('line', line => lines.push(line))
  const ended = once(child, 'exit') as Promise<[number | null]>
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(() => Promise.reject(new Error(`start a mock: it ended: ${lines.join('\n')}`))),
  ])) as [string]
  const beginning = lines.length
  return {
    target: JSON.parse(line),
    async memory() {
      child.kill('SIGWINCH')
      while (true) {
        const [said] = (await Promise.race([
          once(lineReader, 'line'),
          ended.then(() => Promise.reject(new Error(`ask for memory: the mock ended: ${lines.slice(-20).join('\n')}`))),
        ])) as [string]
        if (said.startsWith('memory ')) return JSON.parse(said.slice('memory '.length))
      }
    },
    noise: () => lines.slice(beginning).filter(said => !said.startsWith('memory ')),
    async stop() {
      child.kill('SIGTERM')
      const [status] = await ended
      return status
    },
  }
}

export const megabytes = ({ heapUsed, external, rss }: Memory) =>
  `heap ${mb(heapUsed)}, external ${mb(external)}, resident ${mb(rss)} MB`
const mb = (bytes: number) => Math.round(bytes / 1e6)
