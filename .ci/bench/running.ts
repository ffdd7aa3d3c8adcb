import { type ChildProcess, fork, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Load, LoadResult } from './load.ts'
import type { PlainAnswer } from './plain-server.ts'

/** A process that is measured. */
export interface Process {
  readonly pid: number
  stop(): Promise<void>
}

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Starts a process, and resolves with the first line that it prints. */
export function start(command: string, args: readonly string[], cwd?: string): Promise<Process & { line: string }> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] })
  return new Promise((resolve, reject) => {
    let printed = ''
    child.once('error', reject)
    child.once('exit', status => reject(new Error(`start ${command} ${args.join(' ')}: it ended with ${status}`)))
    child.stdout.on('data', chunk => {
      if (printed.includes('\n')) return
      printed += chunk
      const [line, rest] = printed.split('\n', 2)
      if (rest !== undefined) resolve({ ...toProcess(child), line: line! })
    })
  })
}

/** Starts a server that does not report when it is ready, and polls it until it answers or half a minute has passed. */
export async function startUntil(
  command: string,
  args: readonly string[],
  url: string,
  cwd?: string,
): Promise<Process> {
  const child = spawn(command, args, { cwd, stdio: 'ignore' })
  for (let tries = 0; tries < 1200 && child.exitCode === null; tries++) {
    const answer = await fetch(url).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer) return toProcess(child)
    await new Promise(resolve => setTimeout(resolve, 25))
  }
  child.kill()
  throw new Error(`start ${command} ${args.join(' ')}: ${url} does not answer`)
}

function toProcess(child: ChildProcess): Process {
  return {
    pid: child.pid!,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = new Promise(resolve => child.once('exit', resolve))
      child.kill()
      await gone
    },
  }
}

/** A server that gives the same answer to every request, until another one is set. */
export interface PlainServer extends Process {
  readonly port: number
  setAnswer(answer: PlainAnswer): Promise<void>
}

export async function startPlainServer(by: 'node' | 'koa'): Promise<PlainServer> {
  const child = fork(script('plain-server.ts'), [by])
  const port = Number(await nextMessage(child))
  return {
    ...toProcess(child),
    port,
    async setAnswer(answer) {
      const taken = nextMessage(child)
      child.send(answer)
      await taken
    },
  }
}

/** Starts the load generator: one for the whole run, so that its code stays compiled. */
export function startLoader(): Process & { run(load: Load): Promise<LoadResult> } {
  const child = fork(script('load.ts'))
  return {
    ...toProcess(child),
    run(load) {
      const loaded = nextMessage(child) as Promise<LoadResult>
      child.send(load)
      return loaded
    },
  }
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const fail = (status: number | null) => reject(new Error(`a helper of the benchmark ended with ${status}`))
    child.once('exit', fail)
    child.once('message', message => {
      child.off('exit', fail)
      resolve(message)
    })
  })
}

/** Milliseconds of processor time that a process has used, its threads included; undefined where there is no /proc. */
export function cpuOf(pid: number): number | undefined {
  const fields = readProc(pid, 'stat')
    ?.replace(/^.*\) /s, '')
    .split(' ')
  // User and system time, in hundredths of a second on all Linux systems.
  return fields && (Number(fields[11]) + Number(fields[12])) * 10
}

/** Mebibytes of memory that a process has in use; undefined where there is no /proc. */
export function memoryOf(pid: number): number | undefined {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readProc(pid, 'status') ?? '')?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined
  }
}
