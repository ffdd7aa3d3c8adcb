import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The lock of a state file or folder: a file with host name and PID of its holder. The holder rewrites it every two seconds;
 * this heartbeat shows that it is alive, because PIDs are not unique across containers and machines that share a volume.
 * Times are those of the file system, since the clocks of machines differ.
 */
export interface StateLock {
  /** False if another process has taken the lock over, for example while this one was suspended. */
  isHeld(): boolean
  release(): void
}

export interface LockOptions {
  /** The path as the user gave it, for messages. */
  readonly path: string
  readonly warn: (sentence: string) => void
  /** Aborts waiting for a heartbeat. */
  readonly signal?: AbortSignal
}

/** Another mock has the lock; the message names its host and PID. */
export class StateLocked extends Error {}

const beatMs = 2000
const staleMs = 10_000
const pollMs = 200
/** Longer than writing a lock takes: of several processes that take over a stale lock, the last to write holds it. */
const settleMs = 300

interface Holder {
  readonly id: string
  readonly host: string
  readonly pid: number
  /** Absent if it is unknown. */
  readonly pidNamespace?: string
}

interface LockFile {
  readonly text: string
  readonly holder: Holder | undefined
  /** The time of writing, by the clock of the file system. */
  readonly writtenAt: number
}

/** Acquires a lock, also a stale one. Rejects with `StateLocked` if its holder is alive. */
export async function takeStateLock(file: string, options: LockOptions): Promise<StateLock> {
  const own: Holder = { id: randomUUID(), host: hostname(), pid: process.pid, pidNamespace: readPidNamespace() }
  while (!create(file, own)) {
    const stale = await awaitStale(file, options)
    if (!stale) continue
    write(file, own, 0, 'w')
    await sleep(settleMs, undefined, { signal: options.signal })
    if (!isOwn(file, own)) continue
    options.warn(`--state ${options.path}: taken over from ${nameOf(stale.holder)}, ${stale.why}.`)
    break
  }
  return hold(file, own, options)
}

/** Rejects with `StateLocked` if the lock has a holder that is alive. */
export async function refuseHeldLock(file: string, options: LockOptions): Promise<void> {
  await awaitStale(file, options)
}

function hold(file: string, own: Holder, { path, warn }: LockOptions): StateLock {
  let isHeld = true
  let beats = 0
  const check = () => {
    if (!isHeld || isOwn(file, own)) return isHeld
    isHeld = false
    clearInterval(timer)
    warn(
      `--state ${path}: ${nameOf(read(file)?.holder)} took it over while this mock was unresponsive for ${staleMs / 1000} s. ` +
        'This mock no longer saves its worlds: start it again with another file.',
    )
    return isHeld
  }
  const timer = setInterval(() => {
    // An error of the file system is reported when the world is saved.
    if (check()) ignoreErrors(() => write(file, own, ++beats, 'r+'))
  }, beatMs)
  timer.unref()
  return {
    isHeld: check,
    release() {
      clearInterval(timer)
      if (isHeld && isOwn(file, own)) ignoreErrors(() => rmSync(file, { force: true }))
      isHeld = false
    },
  }
}

/** Waits until a lock is stale; undefined if it is released meanwhile. */
async function awaitStale(file: string, { path, warn, signal }: LockOptions) {
  const found = read(file)
  if (!found) return undefined
  const { holder } = found
  if (holder && isDead(holder)) return { holder, why: 'whose process has ended' }
  const age = Math.max(0, nowOf(file) - found.writtenAt)
  const staleAt = performance.now() + staleMs - age
  const silentAt = performance.now() + 1.5 * beatMs
  for (let hasWarned = false; performance.now() < staleAt; ) {
    await sleep(pollMs, undefined, { signal })
    const now = read(file)
    if (!now) return undefined
    if (now.text !== found.text) {
      throw new StateLocked(
        `--state ${path}: ${nameOf(now.holder)} saves its worlds there. Stop it, or name another file or folder.`,
      )
    }
    if (hasWarned || performance.now() < silentAt) continue
    const seconds = Math.ceil((staleAt - performance.now()) / 1000)
    warn(`--state ${path}: waiting up to ${seconds} s for ${nameOf(holder)} to respond.`)
    hasWarned = true
  }
  return { holder, why: `which did not respond for ${staleMs / 1000} s` }
}

const nameOf = (holder: Holder | undefined) =>
  holder ? `the mock with PID ${holder.pid} on host ${holder.host}` : 'a mock that did not write its name'

/** Creates the lock file; false if there is one already. */
function create(file: string, own: Holder): boolean {
  try {
    write(file, own, 0, 'wx')
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Heartbeats have equal lengths, so that they can be written in place, even on a full disk. */
const write = (file: string, own: Holder, beats: number, flag: 'wx' | 'w' | 'r+') =>
  writeFileSync(file, `${JSON.stringify({ ...own, beats: String(beats).padStart(12, '0') })}\n`, { flag })

/** Reads the lock file; undefined if there is none. It is opened for each read, which makes NFS ask the server instead of its cache. */
function read(file: string): LockFile | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const text = readFileSync(descriptor, 'utf8')
    return { text, holder: parseHolder(text), writtenAt: fstatSync(descriptor).mtimeMs }
  } finally {
    closeSync(descriptor)
  }
}

/** Undefined for a lock that is being written. */
function parseHolder(text: string): Holder | undefined {
  try {
    const { id, host, pid, pidNamespace } = JSON.parse(text)
    return { id, host, pid, pidNamespace }
  } catch {
    return undefined
  }
}

/** Whether the lock file is ours. One that a user removed is written again; one that cannot be read counts as ours. */
function isOwn(file: string, own: Holder): boolean {
  try {
    const found = read(file)
    return found === undefined ? create(file, own) : found.holder?.id === own.id
  } catch {
    return true
  }
}

/** The current time by the clock of the lock's file system. */
function nowOf(file: string): number {
  const probe = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(probe, '')
    return statSync(probe).mtimeMs
  } finally {
    rmSync(probe, { force: true })
  }
}

/** Whether the process has certainly ended: a PID identifies it only within its namespace. */
function isDead({ host, pid, pidNamespace }: Holder): boolean {
  if (host !== hostname() || pidNamespace === undefined || pidNamespace !== readPidNamespace()) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** On Linux each container has its own PIDs, even if it shares the host name. */
function readPidNamespace(): string | undefined {
  if (process.platform !== 'linux') return hostname()
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return undefined
  }
}

function ignoreErrors(run: () => void): void {
  try {
    run()
  } catch {}
}
