import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMock, type Mock } from '../core/mock.ts'
import { mostOfState } from '../core/state.ts'
import { keepState } from './keep-state.ts'

let folder: string
let file: string
const complaints: string[] = []
const complain = (sentence: string) => void complaints.push(sentence)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stack-parity-'))
  file = join(folder, 'world.json')
  complaints.length = 0
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

async function createBoard(mock: Mock, name: string) {
  const { apiKey } = mock.target({ selfHosted: '' }).selfHosted!
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name, tiles: [] })
  expect(
    (await mock.answer({ method: 'POST', path: '/api/v2/dashboards', query: '', headers, body }, 'selfHosted')).status,
  ).toBe(200)
}

const plain = (mock: Mock) => JSON.parse(JSON.stringify(mock.state()))

describe('a kept world', () => {
  it('is there again after a restart, with what was created and the rows that were loaded', async () => {
    const before = createMock({ seed: 3 })
    const kept = keepState(before, file, complain)
    await createBoard(before, 'Kept')
    const { log } = before.target({ selfHosted: '' }).selfHosted!.references.sources
    before.loadRows(log!, [{ Timestamp: '2026-01-01T00:00:00Z', Body: 'loaded' }])
    await kept.close()

    const after = createMock()
    keepState(after, file, complain)
    expect(plain(after)).toEqual(plain(before))
    expect(after.target({ selfHosted: '' })).toEqual(before.target({ selfHosted: '' }))
    expect(JSON.stringify(plain(after).rows['self-hosted'])).toContain('loaded')
    expect(complaints).toEqual([])
  })

  it('is saved at most once a second, only when something changed, and as a whole', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const mock = createMock()
    const kept = keepState(mock, file, complain)
    expect(readdirSync(folder)).toEqual([])
    vi.advanceTimersByTime(1000)
    await vi.waitFor(() => expect(readdirSync(folder)).toEqual(['world.json']))
    const first = readFileSync(file, 'utf8')
    await createBoard(mock, 'One')
    await createBoard(mock, 'Two')
    expect(readFileSync(file, 'utf8')).toBe(first)
    vi.advanceTimersByTime(1000)
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain('Two'))
    expect(readdirSync(folder)).toEqual(['world.json'])
    rmSync(file)
    vi.advanceTimersByTime(5000)
    await kept.close()
    expect(existsSync(file)).toBe(false)
  })

  it('is saved after a reset, a load, an alert that moved, and a write of any kind', () => {
    const mock = createMock()
    const state = plain(mock)
    for (const change of [() => mock.reset(), () => mock.load(state), () => mock.moveClock(Date.now() + 7_200_000)]) {
      const before = mock.revision()
      change()
      expect(mock.revision()).not.toBe(before)
    }
    const before = mock.revision()
    mock.look().stackOf('self-hosted').dashboards.list()
    expect(mock.revision()).toBe(before)
  })

  it.each([
    ['no JSON', '{"version":1,', /the file holds no world: .*JSON.*It is left as it is/],
    ['no world', '{"version":2}', /the file holds no world: load a state: seed/],
    ['another version', '{"version":1}', /version: Expected 2: version 1 is of an older release/],
  ])('is not taken from a file with %s, which is left as it is', (_, text, says) => {
    writeFileSync(file, text)
    expect(() => keepState(createMock(), file, complain)).toThrow(says)
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(readdirSync(folder)).toEqual(['world.json'])
  })

  it('is refused when it is too large, or when its file cannot be', () => {
    writeFileSync(file, '')
    truncateSync(file, mostOfState + 1)
    expect(() => keepState(createMock(), file, complain)).toThrow('larger than the 64 MiB')
    expect(() => keepState(createMock(), join(folder, 'nowhere/world.json'), complain)).toThrow(
      'there is no such folder',
    )
    expect(() => keepState(createMock(), folder, complain)).toThrow('it is a folder')
    const script = join(folder, 'unreadable.json')
    writeFileSync(script, '[]')
    chmodSync(script, 0)
    expect(() => keepState(createMock(), script, complain)).toThrow(/it may not be read|the file holds no world/)
  })

  it('that is too large for the rows that were loaded is said once, and saved again once they are gone', async () => {
    const mock = createMock()
    const { log } = mock.target({ selfHosted: '' }).selfHosted!.references.sources
    const load = () => mock.loadRows(log!, [{ Timestamp: '2026-01-01T00:00:00Z', Body: 'x'.repeat(mostOfState) }])
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const kept = keepState(mock, file, complain)
    load()
    vi.advanceTimersByTime(1000)
    await vi.waitFor(() => expect(complaints).toEqual([expect.stringContaining('larger than the 64 MiB')]))
    await createBoard(mock, 'More')
    expect(await kept.close()).toBe(false)
    expect(complaints).toHaveLength(1)
    expect(existsSync(file)).toBe(false)

    const again = keepState(mock, file, complain)
    vi.advanceTimersByTime(1000)
    await vi.waitFor(() => expect(complaints).toHaveLength(2))
    mock.reset()
    await createBoard(mock, 'Small again')
    expect(await again.close()).toBe(true)
    expect(readFileSync(file, 'utf8')).toContain('Small again')
  })

  it('that can no longer be saved is complained about, and not lost', async () => {
    const mock = createMock()
    const kept = keepState(mock, file, complain)
    await createBoard(mock, 'Lost')
    rmSync(folder, { recursive: true })
    expect(await kept.close()).toBe(false)
    expect(complaints).toEqual([expect.stringContaining('there is no such folder')])
  })
})
