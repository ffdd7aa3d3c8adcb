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
  /** How many services have a process at once. */
  readonly services: number
  /** Where data are kept. Without it they lie in a temporary folder, and go with the engine. */
  readonly folder?: string
  /** The path of the package. Default: where it stands beside. */
  readonly library?: string
}

interface Process {
  readonly child: ChildProcess
  readonly socketPath: string
  readonly agent: Agent
  /** Settles when it listens; rejects when it ends before. */
  readonly ready: Promise<unknown>
  calls: number
  usedAt: number
  isEnded: boolean
}

/** How long a process may take to start, in milliseconds. */
const startTimeout = 30_000

/** The package `chdb`, whose library binds one folder for each process: each service has a process and a folder of its own. */
export function startChdb({ services: most, folder, library = findLibrary() }: ChdbOptions): SqlEngine {
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const root = folder ?? mkdtempSync(join(tmpdir(), 'stack-parity-sql-'))
  // The path of a socket has at most 107 bytes, which that of a state file may exceed.
  const sockets = mkdtempSync(join(tmpdir(), 'stack-parity-sql-'))
  const processes = new Map<string, Process>()
  let started = 0
  let isClosed = false

  function start(service: string): Process {
    const home = join(root, service)
    mkdirSync(join(home, 'data'), { recursive: true })
    rmSync(join(home, 'spool'), { recursive: true, force: true })
    const socketPath = join(sockets, String(++started))
    // Its environment could be read by SQL.
    const env = { PATH: process.env.PATH, TMPDIR: home, HOME: home }
    const child = spawn(process.execPath, [...program(), library, join(home, 'data'), socketPath], {
      env,
      cwd: home,
      // SYSTEM SHUTDOWN ends the whole process group.
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const ready = new Promise((resolve, reject) => {
      const late = setTimeout(() => child.kill('SIGKILL'), startTimeout)
      child.once('message', () => {
        clearTimeout(late)
        resolve(undefined)
      })
      child.once('error', reject)
      child.once('exit', () => {
        clearTimeout(late)
        one.agent.destroy()
        one.isEnded = true
        if (processes.get(service) === one) processes.delete(service)
        reject(new Error('the process has ended'))
      })
    })
    ready.catch(() => {})
    const agent = new Agent({ keepAlive: true })
    const one: Process = { child, socketPath, agent, ready, calls: 0, usedAt: 0, isEnded: false }
    processes.set(service, one)
    return one
  }

  function stop(service: string): Promise<void> {
    const one = processes.get(service)
    if (!one) return Promise.resolve()
    processes.delete(service)
    if (one.isEnded) return Promise.resolve()
    const gone = new Promise<void>(resolve => one.child.once('exit', () => resolve()))
    one.child.kill('SIGKILL')
    return gone
  }

  /** Ends the process that was used least recently and has nothing to do. */
  async function makeRoom(): Promise<void> {
    if (processes.size < most) return
    const [idle] = [...processes].filter(([, { calls }]) => calls === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt)
    if (!idle)
      throw new SqlException(
        202,
        'TOO_MANY_SIMULTANEOUS_QUERIES',
        `${most} services are busy, as many as --sql-services allows`,
        503,
      )
    await stop(idle[0])
  }

  const home = (service: string) => join(root, service)
  const engine: SqlEngine = {
    name: 'chdb',
    async run(service, call) {
      if (isClosed) throw new SqlException(210, 'NETWORK_ERROR', 'The mock is being stopped', 503)
      if (!processes.has(service)) await makeRoom()
      const one = processes.get(service) ?? start(service)
      one.calls++
      one.usedAt = performance.now()
      const settle = () => void one.calls--
      try {
        await one.ready.catch(() => {
          throw new SqlException(210, 'NETWORK_ERROR', 'The service did not start. Please try again', 503)
        })
        const answer = await forward(one, call)
        answer.body.once('close', settle)
        return answer
      } catch (error) {
        settle()
        // The process is ending; its exit event comes a moment later.
        if (error instanceof SqlException && processes.get(service) === one) void stop(service)
        throw error
      }
    },
    held: () => readdirSync(root).filter(name => existsSync(join(root, name, 'data'))),
    suspend(service) {
      if (processes.get(service)?.calls === 0) void stop(service)
    },
    async drop(service) {
      await stop(service)
      rmSync(home(service), { recursive: true, force: true })
    },
    async close() {
      isClosed = true
      await Promise.all([...processes.keys()].map(stop))
      rmSync(sockets, { recursive: true, force: true })
      if (folder === undefined) rmSync(root, { recursive: true, force: true })
    },
  }
  return engine
}

/** The program of a process: from a checkout as TypeScript, in the package as the build made it. */
function program(): readonly string[] {
  const beside = (path: string) => fileURLToPath(new URL(path, import.meta.url))
  if (import.meta.url.endsWith('.ts')) return ['--import', import.meta.resolve('tsx'), beside('./child.ts')]
  return [['./chdb-child.js', '../chdb-child.js'].map(beside).find(existsSync)!]
}

function findLibrary(): string {
  for (const from of [join(process.cwd(), 'package.json'), fileURLToPath(import.meta.url)]) {
    try {
      return createRequire(from).resolve('chdb')
    } catch {
      // It may be installed beside the other file.
    }
  }
  throw new SqlRefused('--sql chdb: the package chdb is not installed. Run: npm install --save-dev chdb@3.4.0 (566 MB)')
}
