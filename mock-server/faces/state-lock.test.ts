import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, type TestContext } from 'vitest'
import { type StateLock, takeStateLock } from './state-lock.ts'

/** A folder with a lock, and the warnings of those who take it. */
function open({ onTestFinished }: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'stack-parity-'))
  const file = join(folder, '_lock')
  const warnings: string[] = []
  const locks: StateLock[] = []
  onTestFinished(() => {
    for (const lock of locks) lock.release()
    rmSync(folder, { recursive: true, force: true })
  })
  const warn = (sentence: string) => void warnings.push(sentence)

  async function take(signal?: AbortSignal): Promise<StateLock> {
    const lock = await takeStateLock(file, { path: 'worlds/', warn, signal })
    locks.push(lock)
    return lock
  }

  /** Writes the lock of a container that has the name of this host, and the same PID as a process here. */
  function writeLock(beats: number, ageMs = 0) {
    const holder = { id: 'another', host: hostname(), pid: 1, pidNamespace: 'of a container', beats }
    writeFileSync(file, JSON.stringify(holder))
    const at = (Date.now() - ageMs) / 1000
    utimesSync(file, at, at)
  }

  const readHolder = () => JSON.parse(readFileSync(file, 'utf8'))
  return { folder, file, warnings, take, writeLock, readHolder }
}

// Most of their time they wait.
describe.concurrent('the lock of a state', () => {
  it('names host and PID, and is removed when it is released', async context => {
    const { folder, warnings, take, readHolder } = open(context)
    const lock = await take()
    expect(readHolder()).toMatchObject({ host: hostname(), pid: process.pid })
    expect(lock.isHeld()).toBe(true)
    lock.release()
    expect([lock.isHeld(), readdirSync(folder)]).toEqual([false, []])
    await take()
    expect(warnings).toEqual([])
  })

  it('is refused to a second mock as soon as the first mock updates it', async context => {
    const { take } = open(context)
    await take()
    await expect(take()).rejects.toThrow(
      `--state worlds/: the mock with PID ${process.pid} on host ${hostname()} saves its worlds there. Stop it, or name another file or folder.`,
    )
  })

  it('is given to one of two simultaneous callers', async context => {
    const { take } = open(context)
    const outcomes = await Promise.allSettled([take(), take()])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('of a container with this host name counts as held while it is updated, even if a process here has its PID', async context => {
    const { take, writeLock } = open(context)
    writeLock(1)
    const beats = setInterval(() => writeLock(2), 100)
    await expect(take()).rejects.toThrow(`the mock with PID 1 on host ${hostname()}`)
    clearInterval(beats)
  })

  it('of a container is taken over at once if it is older than ten seconds', async context => {
    const { warnings, take, writeLock, readHolder } = open(context)
    writeLock(1, 10_500)
    const lock = await take()
    expect(warnings).toEqual([
      `--state worlds/: taken over from the mock with PID 1 on host ${hostname()}, which did not respond for 10 s.`,
    ])
    expect([lock.isHeld(), readHolder().pid]).toEqual([true, process.pid])
  })

  it('of a container is taken over when it is ten seconds old, and a warning explains the delay', async context => {
    const { warnings, take, writeLock } = open(context)
    writeLock(1, 6500)
    await take()
    expect(warnings).toEqual([
      expect.stringMatching(/^--state worlds\/: waiting up to [12] s for the mock with PID 1 on host /),
      expect.stringContaining('which did not respond for 10 s'),
    ])
  })

  it('that is half written is taken over', async context => {
    const { file, warnings, take } = open(context)
    writeFileSync(file, '{"id":')
    utimesSync(file, 1, 1)
    await take()
    expect(warnings).toEqual([expect.stringContaining('a mock that did not write its name')])
  })

  it('that another mock took over is no longer held, and is not removed on release', async context => {
    const { warnings, take, writeLock, readHolder } = open(context)
    const lock = await take()
    writeLock(1)
    expect([lock.isHeld(), lock.isHeld()]).toEqual([false, false])
    expect(warnings).toEqual([expect.stringContaining('This mock no longer saves its worlds')])
    lock.release()
    expect(readHolder().id).toBe('another')
  })

  it('that was removed by hand is written again', async context => {
    const { file, take, readHolder } = open(context)
    const lock = await take()
    rmSync(file)
    expect([lock.isHeld(), readHolder().pid]).toEqual([true, process.pid])
  })

  it('can be aborted while it waits for the lock of another mock', async context => {
    const { take, writeLock, readHolder } = open(context)
    writeLock(1)
    await expect(take(AbortSignal.timeout(50))).rejects.toThrow('aborted')
    expect(readHolder().id).toBe('another')
  })
})
