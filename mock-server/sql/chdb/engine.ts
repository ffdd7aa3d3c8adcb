import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type SqlEngine, SqlException, SqlRefused } from '../../words/sql.ts'
import { forward } from '../forward.ts'

export interface ChdbOptions {
  /** Limit of processes at a time. Each service in use has one. */
  readonly maxProcesses: number
  /** The folder of the data. Default: a temporary folder, which is removed when the engine is closed. */
  readonly folder?: string
  /** The path of the package `chdb`. Default: where it is installed for the current folder, or for this program. */
  readonly libraryPath?: string
}

interface Process {
  readonly child: ChildProcess
  readonly socketPath: string
  readonly agent: Agent
  /** Fulfilled when the process listens; rejected if it ends before that. */
  readonly ready: Promise<unknown>
  calls: number
  usedAt: number
  isEnded: boolean
}

/** How long a process may take to start. */
const startTimeoutMs = 30_000

/** Runs SQL in the library of the package `chdb`. It opens one folder per process, so each service has its own process. */
export function startChdb({ maxProcesses, folder, libraryPath = findLibrary() }: ChdbOptions): SqlEngine {
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const root = folder ?? mkdtempSync(join(tmpdir(), 'stack-parity-sql-'))
  // Socket paths are limited to 107 bytes; paths in `folder` may be longer.
  const sockets = mkdtempSync(join(tmpdir(), 'stack-parity-sql-'))
  const processes = new Map<string, Process>()
  let started = 0
  let isClosed = false

  function start(service: string): Process {
    const home = join(root, service)
    mkdirSync(join(home, 'data'), { recursive: true })
    rmSync(join(home, 'spool'), { recursive: true, force: true })
    const socketPath = join(sockets, String(++started))
    // SQL can read environment variables, so the process gets only these.
    const env = { PATH: process.env.PATH, TMPDIR: home, HOME: home }
    const child = spawn(process.execPath, [...programArguments(), libraryPath, join(home, 'data'), socketPath], {
      env,
      cwd: home,
      // SYSTEM SHUTDOWN ends the whole process group.
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const ready = new Promise((resolve, reject) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs)
      child.once('message', () => {
        clearTimeout(timer)
        resolve(undefined)
      })
      child.once('error', reject)
      child.once('exit', () => {
        clearTimeout(timer)
        entry.agent.destroy()
        entry.isEnded = true
        if (processes.get(service) === entry) processes.delete(service)
        reject(new Error('the process has ended'))
      })
    })
    ready.catch(() => {})
    const agent = new Agent({ keepAlive: true })
    const entry: Process = { child, socketPath, agent, ready, calls: 0, usedAt: 0, isEnded: false }
    processes.set(service, entry)
    return entry
  }

  function stop(service: string): Promise<void> {
    const entry = processes.get(service)
    if (!entry) return Promise.resolve()
    processes.delete(service)
    if (entry.isEnded) return Promise.resolve()
    const exited = new Promise<void>(resolve => entry.child.once('exit', () => resolve()))
    entry.child.kill('SIGKILL')
    return exited
  }

  /** Makes room for another process: at the limit, ends the idle one that was used least recently. */
  async function makeRoom(): Promise<void> {
    if (processes.size < maxProcesses) return
    const [idle] = [...processes].filter(([, { calls }]) => calls === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt)
    const sentence = `${maxProcesses} services are busy, as many as --sql-services allows`
    if (!idle) throw new SqlException(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', sentence, 503)
    await stop(idle[0])
  }

  return {
    name: 'chdb',
    async run(service, call) {
      if (isClosed) throw new SqlException(210, 'NETWORK_ERROR', 'The mock is being stopped', 503)
      if (!processes.has(service)) await makeRoom()
      const entry = processes.get(service) ?? start(service)
      entry.calls++
      entry.usedAt = performance.now()
      const endCall = () => void entry.calls--
      try {
        await entry.ready.catch(() => {
          throw new SqlException(210, 'NETWORK_ERROR', 'The service did not start. Please try again', 503)
        })
        const answer = await forward(entry, call)
        answer.body.once('close', endCall)
        return answer
      } catch (error) {
        endCall()
        // The process is ending; its exit event comes a moment later.
        if (error instanceof SqlException && processes.get(service) === entry) void stop(service)
        throw error
      }
    },
    listServices: () => readdirSync(root).filter(name => existsSync(join(root, name, 'data'))),
    suspend(service) {
      if (processes.get(service)?.calls === 0) void stop(service)
    },
    async drop(service) {
      await stop(service)
      rmSync(join(root, service), { recursive: true, force: true })
    },
    async close() {
      isClosed = true
      await Promise.all([...processes.keys()].map(stop))
      rmSync(sockets, { recursive: true, force: true })
      if (folder === undefined) rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Arguments of Node that run the child's program: TypeScript in a checkout, a bundled file in the package. */
function programArguments(): readonly string[] {
  const beside = (path: string) => fileURLToPath(new URL(path, import.meta.url))
  if (import.meta.url.endsWith('.ts')) return ['--import', import.meta.resolve('tsx'), beside('./child.ts')]
  return [['./chdb-child.js', '../chdb-child.js'].map(beside).find(existsSync)!]
}

function findLibrary(): string {
  for (const from of [join(process.cwd(), 'package.json'), fileURLToPath(import.meta.url)]) {
    try {
      return createRequire(from).resolve('chdb')
    } catch {
      // The other folder may have it.
    }
  }
  throw new SqlRefused('--sql chdb: the package chdb is not installed. Run: npm install --save-dev chdb@3.4.0 (566 MB)')
}
