import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
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
const warnings: string[] = []
const warn = (sentence: string) => void warnings.push(sentence)
const opened: KeptState[] = []

async function keepState(mock: Mock, path: string, options: Partial<KeepOptions> = {}): Promise<KeptState> {
  const state = await keep(mock, path, { warn, ...options })
  opened.push(state)
  return state
}

/** The files without the lock. */
const listFiles = (path: string) =>
  readdirSync(path)
    .filter(name => !name.endsWith('lock'))
    .sort()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stack-parity-'))
  file = join(folder, 'world.json')
  warnings.length = 0
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

const plainState = (mock: MockWorld) => JSON.parse(JSON.stringify(mock.state()))

describe('a world in a state file', () => {
  it('continues after a restart with its records and loaded rows', async () => {
    const before = createMock({ seed: 3 })
    const kept = await keepState(before, file)
    await createBoard(before, 'Kept')
    const { log } = before.target({ selfHosted: '' }).selfHosted!.references.sources
    before.loadRows(log!, [{ Timestamp: '2026-01-01T00:00:00Z', Body: 'loaded' }])
    await kept.close()

    const after = createMock()
    await keepState(after, file)
    expect(plainState(after)).toEqual(plainState(before))
    expect(after.target({ selfHosted: '' })).toEqual(before.target({ selfHosted: '' }))
    expect(JSON.stringify(plainState(after).rows['self-hosted'])).toContain('loaded')
    expect(warnings).toEqual([])
  })

  it('is saved at most once a second, and only if it has changed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const mock = createMock()
    const kept = await keepState(mock, file)
    expect(listFiles(folder)).toEqual([])
    vi.advanceTimersByTime(1000)
    await vi.waitFor(() => expect(listFiles(folder)).toEqual(['world.json']), 30_000)
    const first = readFileSync(file, 'utf8')
    await createBoard(mock, 'One')
    await createBoard(mock, 'Two')
    expect(readFileSync(file, 'utf8')).toBe(first)
    vi.advanceTimersByTime(1000)
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain('Two'), 30_000)
    expect(listFiles(folder)).toEqual(['world.json'])
    rmSync(file)
    vi.advanceTimersByTime(5000)
    await kept.close()
    expect(existsSync(file)).toBe(false)
  })

  it('has a new revision after a reset, a load and a change of the clock, but not after a read', async () => {
    const mock = createMock()
    const state = plainState(mock)
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
    ['invalid JSON', '{"version":1,', /the file holds no world: .*JSON.*It is not changed/],
    ['an incomplete world', '{"version":2}', /the file holds no world: load a state: seed/],
    ['another version', '{"version":1}', /version: Expected 2: version 1 is of an older release/],
  ])('is not read from a file with %s, and the file is not changed', async (_, text, sentence) => {
    writeFileSync(file, text)
    await expect(keepState(createMock(), file)).rejects.toThrow(sentence)
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(listFiles(folder)).toEqual(['world.json'])
  })

  it('is refused if its file is too large, cannot exist or cannot be read', async () => {
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

  it('that is too large causes one warning, and is saved again once it is smaller', async () => {
    const mock = createMock()
    const { log } = mock.target({ selfHosted: '' }).selfHosted!.references.sources
    const load = () => mock.loadRows(log!, [{ Timestamp: '2026-01-01T00:00:00Z', Body: 'x'.repeat(maxStateBytes) }])
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const kept = await keepState(mock, file)
    load()
    vi.advanceTimersByTime(1000)
    await vi.waitFor(
      () => expect(warnings).toEqual([expect.stringContaining('larger than the limit of 64 MiB')]),
      30_000,
    )
    await createBoard(mock, 'More')
    expect(await kept.close()).toBe(false)
    expect(warnings).toHaveLength(1)
    expect(existsSync(file)).toBe(false)

    const reopened = await keepState(mock, file)
    vi.advanceTimersByTime(1000)
    await vi.waitFor(() => expect(warnings).toHaveLength(2), 30_000)
    mock.reset()
    await createBoard(mock, 'Small again')
    expect(await reopened.close()).toBe(true)
    expect(readFileSync(file, 'utf8')).toContain('Small again')
  })

  it('is saved again after a failure, without another change, and says meanwhile why it is not', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const mock = createMock({ logs: 1 })
    const kept = await keepState(mock, file)
    await createBoard(mock, 'Kept')
    rmSync(folder, { recursive: true })
    vi.advanceTimersByTime(1000)
    await vi.waitFor(() => expect(kept.problem()).toBe('there is no such folder'), 30_000)
    expect(warnings).toEqual([`--state ${file}: there is no such folder. Saving is tried again.`])
    mkdirSync(folder)
    // The first repetition comes after a second, the next ones later and later.
    vi.advanceTimersByTime(1000)
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain('Kept'), 30_000)
    await vi.waitFor(() => expect(kept.problem()).toBeUndefined(), 30_000)
    expect(warnings.slice(1)).toEqual([`--state ${file}: it is saved again.`])
  })

  it('is kept in the target of a link, in a file of mode 0600 whose later mode stays', async () => {
    const target = join(folder, 'target.json')
    symlinkSync('target.json', file)
    const mock = createMock({ logs: 1 })
    const kept = await keepState(mock, file)
    await createBoard(mock, 'Linked')
    await kept.close()
    expect(readFileSync(target, 'utf8')).toContain('Linked')
    expect(statSync(target).mode & 0o777).toBe(0o600)

    chmodSync(target, 0o640)
    const next = createMock({ logs: 1 })
    const keptAgain = await keepState(next, file)
    await createBoard(next, 'Again')
    await keptAgain.close()
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(readFileSync(target, 'utf8')).toContain('Again')
    expect(statSync(target).mode & 0o777).toBe(0o640)
  })

  it('has one owner, by whichever path', async () => {
    const keepSmall = (path: string) => keepState(createMock({ logs: 1 }), path)
    const link = join(folder, 'link.json')
    symlinkSync(file, link)
    const other = join(folder, 'other')
    const [owner] = await Promise.all([keepSmall(file), keepSmall(`${other}/`)])
    const refusals = [link, `${folder}/`, join(other, '_first.json')].map(keepSmall)
    await Promise.all(
      refusals.map(one => expect(one).rejects.toThrow(/saves its worlds there\. Stop it, or name another/)),
    )
    owner!.release()
    await keepSmall(link)
  })

  it('is saved beside an edit of its file, which is kept', async () => {
    const mock = createMock({ logs: 1 })
    await createBoard(mock, 'Saved')
    await (await keepState(mock, file)).close()
    const kept = await keepState(mock, file)
    writeFileSync(file, '{"edited":true}')
    await createBoard(mock, 'Changed')
    expect(await kept.close()).toBe(true)
    expect(readFileSync(file, 'utf8')).toContain('Changed')
    expect(readFileSync(`${file}.edited`, 'utf8')).toBe('{"edited":true}')
    // A save of an earlier test may still end with a warning about its removed folder.
    expect(warnings).toContainEqual(expect.stringContaining(`The change is kept as ${file}.edited`))
  })

  it('is saved as it is at one moment, while other calls are answered', async () => {
    const mock = createMock({ logs: 1 })
    const { log } = mock.target({ selfHosted: '' }).selfHosted!.references.sources
    const row = { Timestamp: '2026-01-01T00:00:00Z', Body: 'x'.repeat(100) }
    mock.loadRows(log!, Array(8000).fill(row))
    const kept = await keepState(mock, file)
    const saving = kept.close()
    let calls = 0
    // The calls come in the middle of the save: before its file is there.
    while (!existsSync(file)) {
      await createBoard(mock, `During ${calls++}`)
      mock.loadRows(log!, [{ ...row, Body: 'later' }])
      await new Promise(setImmediate)
    }
    await saving
    const saved = JSON.parse(readFileSync(file, 'utf8'))
    const names = saved.records.dashboard['self-hosted'].map(({ name }: { name: string }) => name)
    const during = names.filter((name: string) => name.startsWith('During'))
    const rows = saved.rows['self-hosted'][log!].filter(({ Body }: { Body: string }) => Body === 'later')
    expect(calls).toBeGreaterThan(10)
    expect(during.length).toBeLessThan(calls)
    expect(rows.length).toBe(during.length)
  })

  it('that can no longer be saved causes a warning', async () => {
    const mock = createMock()
    const kept = await keepState(mock, file)
    await createBoard(mock, 'Lost')
    rmSync(folder, { recursive: true })
    expect(await kept.close()).toBe(false)
    expect(warnings).toEqual([expect.stringContaining('there is no such folder')])
  })
})

describe('worlds in a state folder', () => {
  const inFolder = (name: string) => join(folder, name)
  const keepHere = (mock: Mock, options: Partial<KeepOptions> = {}) => keepState(mock, folder, options)
  const boards = (world: MockWorld | undefined) =>
    world?.records.list('dashboard', { within: 'self-hosted' }).map(({ name }) => name)

  it('continue after a restart from a file for each named world; worlds without a name are not saved', async () => {
    const before = createMock({ seed: 3 })
    const kept = await keepState(before, `${folder}/new/`)
    await createBoard(before, 'In the first')
    before.worlds.open({ name: 'untouched', size: { members: 3 }, scenario: 'incident' })
    await createBoard(before.worlds.open({ name: 'Job-4711', seed: 5 }).world, 'In the job')
    const longest = 'J'.repeat(100)
    before.worlds.open({ name: longest })
    before.worlds.open()
    expect(await kept.close()).toBe(true)
    expect(listFiles(inFolder('new'))).toEqual([
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
    expect(plainState(job)).toEqual(plainState(before.worlds.get('Job-4711')!))
    expect(plainState(untouched)).toEqual(plainState(before.worlds.get('untouched')!))
    expect(warnings).toEqual([])
  })

  it('are saved when they change, and their files are removed when they are closed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const mock = createMock()
    const kept = await keepHere(mock)
    const { world } = mock.worlds.open({ name: 'one' })
    mock.worlds.open({ name: 'other' })
    const passSecond = async (files: string[], text: string) => {
      vi.advanceTimersByTime(1000)
      await vi.waitFor(() => expect(listFiles(folder)).toEqual(files), 30_000)
      await vi.waitFor(() => expect(readFileSync(inFolder('one.json'), 'utf8')).toContain(text), 30_000)
    }
    await passSecond(['_first.json', 'one.json', 'other.json'], '"version":2')
    rmSync(inFolder('other.json'))
    await createBoard(world, 'Changed')
    await passSecond(['_first.json', 'one.json'], 'Changed')
    mock.worlds.close('one')
    await createBoard(mock.worlds.open({ name: 'one' }).world, 'Another of this name')
    await passSecond(['_first.json', 'one.json'], 'Another of this name')
    mock.worlds.close('one')
    expect(await kept.close()).toBe(true)
    expect(listFiles(folder)).toEqual(['_first.json'])
  })

  const broken = [
    ['job.json', '{"version":2,"seed":1,', /job\.json: the file holds no world: .*JSON/],
    ['_first.json', '', /_first\.json: the file holds no world/],
    ['Job.json', '{}', /Job\.json: no world has a file of this name/],
    ['world-1.json', '{}', /world-1\.json: open a world: name: worlds without a name are called world-1 /],
  ] as const

  it.each(broken)('are loaded while a broken file is set aside: %s with %j', async (name, text, sentence) => {
    const before = createMock()
    await createBoard(before, 'In the first')
    await createBoard(before.worlds.open({ name: 'good' }).world, 'In the good one')
    await (await keepHere(before)).close()
    writeFileSync(inFolder(name), text)

    const after = createMock()
    await keepHere(after)
    expect(warnings).toEqual([expect.stringMatching(sentence)])
    const [, aside = ''] = /It is set aside as (\S+); --strict-state refuses it instead\.$/.exec(warnings[0]!) ?? []
    expect(aside).toMatch(/\.broken$/)
    expect(readFileSync(inFolder(aside), 'utf8')).toBe(text)
    expect(existsSync(inFolder(name))).toBe(false)
    expect(after.worlds.list().map(world => world.name)).toEqual(['good'])
    expect(boards(after.worlds.get('good'))).toContain('In the good one')
    if (name !== '_first.json') expect(boards(after)).toContain('In the first')
  })

  it.each(broken)(
    'are refused with --strict-state, and a broken file is not changed: %s with %j',
    async (name, text, sentence) => {
      writeFileSync(inFolder(name), text)
      const refusal = keepHere(createMock(), { isStrict: true })
      await expect(refusal).rejects.toThrow(sentence)
      await expect(refusal).rejects.toThrow('It is not changed: repair it, move it away, or name another.')
      expect(readFileSync(inFolder(name), 'utf8')).toBe(text)
      expect(readdirSync(folder)).toEqual([name])
    },
  )

  it('are refused if a file is from another release, even without --strict-state', async () => {
    writeFileSync(inFolder('job.json'), '{"version":1}')
    await expect(keepHere(createMock())).rejects.toThrow('version: Expected 2: version 1 is of an older release')
    expect(readdirSync(folder)).toEqual(['job.json'])
  })

  it('leave other files unchanged, and remove temporary files of a killed process', async () => {
    for (const name of ['notes.txt', 'a.json.12.tmp', '_first.json.7.tmp', 'a.tmp']) writeFileSync(inFolder(name), 'x')
    await keepHere(createMock())
    expect(listFiles(folder)).toEqual(['a.tmp', 'notes.txt'])
  })

  it('are refused if there are more than the limit of worlds', async () => {
    const mock = createMock()
    const kept = await keepHere(mock)
    for (const name of ['a', 'b']) mock.worlds.open({ name })
    await kept.close()
    await expect(keepHere(createMock({ limits: { worlds: 1 } }))).rejects.toThrow(/b\.json: open a world: 1 are open/)
  })
})
