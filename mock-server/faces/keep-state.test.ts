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
import { createMock, type Mock, type MockWorld } from '../mock/mock.ts'
import { maxStateBytes } from '../mock/state.ts'
import { type KeepOptions, type KeptState, keepState as keep } from './keep-state.ts'

let folder: string
let file: string
const complaints: string[] = []
const warn = (sentence: string) => void complaints.push(sentence)
const opened: KeptState[] = []

async function keepState(mock: Mock, path: string, options: Partial<KeepOptions> = {}): Promise<KeptState> {
  const state = await keep(mock, path, { warn, ...options })
  opened.push(state)
  return state
}

/** The files beside the lock. */
const filesIn = (path: string) =>
  readdirSync(path)
    .filter(name => !name.endsWith('lock'))
    .sort()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stack-parity-'))
  file = join(folder, 'world.json')
  complaints.length = 0
})
afterEach(() => {
  vi.useRealTimers()
  for (const state of opened.splice(0)) state.release()
  rmSync(folder, { recursive: true, force: true })
})

async function createBoard(mock: MockWorld, name: string) {
  const { apiKey } = mock.target({ selfHosted: '' }).selfHosted!
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name, tiles: [] })
  expect(
    (await mock.answer({ method: 'POST', path: '/api/v2/dashboards', query: '', headers, body }, 'selfHosted')).status,
  ).toBe(200)
}

const plain = (mock: MockWorld) => JSON.parse(JSON.stringify(mock.state()))

describe('a kept world', () => {
  it('is there again after a restart, with what was created and the rows that were loaded', async () => {
    const before = createMock({ seed: 3 })
    const kept = await keepState(before, file)
    await createBoard(before, 'Kept')
    const { log } = before.target({ selfHosted: '' }).selfHosted!.references.sources
    before.loadRows(log!, [{ Timestamp: '2026-01-01T00:00:00Z', Body: 'loaded' }])
    await kept.close()

    const after = createMock()
    await keepState(after, file)
    expect(plain(after)).toEqual(plain(before))
    expect(after.target({ selfHosted: '' })).toEqual(before.target({ selfHosted: '' }))
    expect(JSON.stringify(plain(after).rows['self-hosted'])).toContain('loaded')
    expect(complaints).toEqual([])
  })

  it('is saved at most once a second, only when something changed, and as a whole', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const mock = createMock()
    const kept = await keepState(mock, file)
    expect(filesIn(folder)).toEqual([])
    vi.advanceTimersByTime(1000)
    await vi.waitFor(() => expect(filesIn(folder)).toEqual(['world.json']))
    const first = readFileSync(file, 'utf8')
    await createBoard(mock, 'One')
    await createBoard(mock, 'Two')
    expect(readFileSync(file, 'utf8')).toBe(first)
    vi.advanceTimersByTime(1000)
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain('Two'))
    expect(filesIn(folder)).toEqual(['world.json'])
    rmSync(file)
    vi.advanceTimersByTime(5000)
    await kept.close()
    expect(existsSync(file)).toBe(false)
  })

  it('is saved after a reset, a load, an alert that moved, and a write of any kind', async () => {
    const mock = createMock()
    const state = plain(mock)
    for (const change of [() => mock.reset(), () => mock.load(state), () => mock.moveClock(Date.now() + 7_200_000)]) {
      const before = mock.revision()
      change()
      expect(mock.revision()).not.toBe(before)
    }
    const before = mock.revision()
    mock.deployment().stackOf('self-hosted').dashboards.list()
    expect(mock.revision()).toBe(before)
  })

  it.each([
    ['no JSON', '{"version":1,', /the file holds no world: .*JSON.*It is not changed/],
    ['no world', '{"version":2}', /the file holds no world: load a state: seed/],
    ['another version', '{"version":1}', /version: Expected 2: version 1 is of an older release/],
  ])('is not taken from a file with %s, which is left as it is', async (_, text, sentence) => {
    writeFileSync(file, text)
    await expect(keepState(createMock(), file)).rejects.toThrow(sentence)
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(filesIn(folder)).toEqual(['world.json'])
  })

  it('is refused when it is too large, or when its file cannot be', async () => {
    writeFileSync(file, '')
    truncateSync(file, maxStateBytes + 1)
    await expect(keepState(createMock(), file)).rejects.toThrow('larger than the limit of 64 MiB')
    await expect(keepState(createMock(), join(folder, 'nowhere/world.json'))).rejects.toThrow('there is no such folder')
    writeFileSync(file, '[]')
    await expect(keepState(createMock(), `${file}/`)).rejects.toThrow('it is no folder')
    const script = join(folder, 'unreadable.json')
    writeFileSync(script, '[]')
    chmodSync(script, 0)
    await expect(keepState(createMock(), script)).rejects.toThrow(/it may not be read|the file holds no world/)
  })

  it('that is too large for the rows that were loaded is said once, and saved again once they are gone', async () => {
    const mock = createMock()
    const { log } = mock.target({ selfHosted: '' }).selfHosted!.references.sources
    const load = () => mock.loadRows(log!, [{ Timestamp: '2026-01-01T00:00:00Z', Body: 'x'.repeat(maxStateBytes) }])
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const kept = await keepState(mock, file)
    load()
    vi.advanceTimersByTime(1000)
    await vi.waitFor(() => expect(complaints).toEqual([expect.stringContaining('larger than the limit of 64 MiB')]))
    await createBoard(mock, 'More')
    expect(await kept.close()).toBe(false)
    expect(complaints).toHaveLength(1)
    expect(existsSync(file)).toBe(false)

    const again = await keepState(mock, file)
    vi.advanceTimersByTime(1000)
    await vi.waitFor(() => expect(complaints).toHaveLength(2))
    mock.reset()
    await createBoard(mock, 'Small again')
    expect(await again.close()).toBe(true)
    expect(readFileSync(file, 'utf8')).toContain('Small again')
  })

  it('that can no longer be saved is complained about, and not lost', async () => {
    const mock = createMock()
    const kept = await keepState(mock, file)
    await createBoard(mock, 'Lost')
    rmSync(folder, { recursive: true })
    expect(await kept.close()).toBe(false)
    expect(complaints).toEqual([expect.stringContaining('there is no such folder')])
  })
})

describe('worlds that are kept in a folder', () => {
  const inFolder = (name: string) => join(folder, name)
  const keepHere = (mock: Mock, options: Partial<KeepOptions> = {}) => keepState(mock, folder, options)
  const boards = (world: MockWorld | undefined) =>
    world?.records.list('dashboard', { within: 'self-hosted' }).map(({ name }) => name)

  it('are there again after a restart, each from its own file; those without a name are not', async () => {
    const before = createMock({ seed: 3 })
    const kept = await keepState(before, `${folder}/new/`)
    await createBoard(before, 'In the first')
    before.worlds.open({ name: 'untouched', size: { members: 3 }, scenario: 'incident' })
    await createBoard(before.worlds.open({ name: 'Job-4711', seed: 5 }).world, 'In the job')
    const longest = 'J'.repeat(100)
    before.worlds.open({ name: longest })
    before.worlds.open()
    expect(await kept.close()).toBe(true)
    expect(filesIn(inFolder('new'))).toEqual([
      `${'%j'.repeat(100)}.json`,
      '%job-4711.json',
      '_first.json',
      'untouched.json',
    ])

    const after = createMock({ seed: 3 })
    await keepState(after, inFolder('new'))
    expect(after.worlds.list().map(({ name }) => name)).toEqual([longest, 'Job-4711', 'untouched'])
    const job = after.worlds.open({ name: 'Job-4711', seed: 5 }).world
    const untouched = after.worlds.open({ name: 'untouched', size: { members: 3 }, scenario: 'incident' }).world
    expect([boards(after), boards(job)]).toEqual([
      expect.arrayContaining(['In the first']),
      expect.arrayContaining(['In the job']),
    ])
    expect(plain(job)).toEqual(plain(before.worlds.get('Job-4711')!))
    expect(plain(untouched)).toEqual(plain(before.worlds.get('untouched')!))
    expect(complaints).toEqual([])
  })

  it('are written when they changed, and their files go with them', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const mock = createMock()
    const kept = await keepHere(mock)
    const { world } = mock.worlds.open({ name: 'one' })
    mock.worlds.open({ name: 'other' })
    const turn = async (files: string[], text: string) => {
      vi.advanceTimersByTime(1000)
      await vi.waitFor(() => expect(filesIn(folder)).toEqual(files))
      await vi.waitFor(() => expect(readFileSync(inFolder('one.json'), 'utf8')).toContain(text))
    }
    await turn(['_first.json', 'one.json', 'other.json'], '"version":2')
    rmSync(inFolder('other.json'))
    await createBoard(world, 'Changed')
    await turn(['_first.json', 'one.json'], 'Changed')
    mock.worlds.close('one')
    await createBoard(mock.worlds.open({ name: 'one' }).world, 'Another of this name')
    await turn(['_first.json', 'one.json'], 'Another of this name')
    mock.worlds.close('one')
    expect(await kept.close()).toBe(true)
    expect(filesIn(folder)).toEqual(['_first.json'])
  })

  const broken = [
    ['job.json', '{"version":2,"seed":1,', /job\.json: the file holds no world: .*JSON/],
    ['_first.json', '', /_first\.json: the file holds no world/],
    ['Job.json', '{}', /Job\.json: no world has a file of this name/],
    ['world-1.json', '{}', /world-1\.json: open a world: name: worlds without a name are called world-1 /],
  ] as const

  it.each(broken)('set %s with %j aside, and the others are there', async (name, text, sentence) => {
    const before = createMock()
    await createBoard(before, 'In the first')
    await createBoard(before.worlds.open({ name: 'good' }).world, 'In the good one')
    await (await keepHere(before)).close()
    writeFileSync(inFolder(name), text)

    const after = createMock()
    await keepHere(after)
    expect(complaints).toEqual([expect.stringMatching(sentence)])
    const [, aside = ''] = /It is set aside as (\S+); --strict-state refuses it instead\.$/.exec(complaints[0]!) ?? []
    expect(aside).toMatch(/\.broken$/)
    expect(readFileSync(inFolder(aside), 'utf8')).toBe(text)
    expect(existsSync(inFolder(name))).toBe(false)
    expect(after.worlds.list().map(world => world.name)).toEqual(['good'])
    expect(boards(after.worlds.get('good'))).toContain('In the good one')
    if (name !== '_first.json') expect(boards(after)).toContain('In the first')
  })

  it.each(broken)('refuse %s with %j when they are strict, and leave it as it is', async (name, text, sentence) => {
    writeFileSync(inFolder(name), text)
    const refusal = keepHere(createMock(), { isStrict: true })
    await expect(refusal).rejects.toThrow(sentence)
    await expect(refusal).rejects.toThrow('It is not changed: repair it, move it away, or name another.')
    expect(readFileSync(inFolder(name), 'utf8')).toBe(text)
    expect(readdirSync(folder)).toEqual([name])
  })

  it('refuse a file of another release, which is whole', async () => {
    writeFileSync(inFolder('job.json'), '{"version":1}')
    await expect(keepHere(createMock())).rejects.toThrow('version: Expected 2: version 1 is of an older release')
    expect(readdirSync(folder)).toEqual(['job.json'])
  })

  it('leave other files alone, and clear away what a killed process left behind', async () => {
    for (const name of ['notes.txt', 'a.json.12.tmp', '_first.json.7.tmp', 'a.tmp']) writeFileSync(inFolder(name), 'x')
    await keepHere(createMock())
    expect(filesIn(folder)).toEqual(['a.tmp', 'notes.txt'])
  })

  it('are refused when there is no room for all of them', async () => {
    const mock = createMock()
    const kept = await keepHere(mock)
    for (const name of ['a', 'b']) mock.worlds.open({ name })
    await kept.close()
    await expect(keepHere(createMock({ limits: { worlds: 1 } }))).rejects.toThrow(/b\.json: open a world: 1 are open/)
  })
})
