import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMock } from '../mock/mock.ts'
import { keepState } from './keep-state.ts'
import { isMounted, replaceFile } from './replace-file.ts'

/** Fails as for the mount of a single file in a container. */
const refuseMove = () => Promise.reject(Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY' }))

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stack-parity-'))
  file = join(folder, 'world.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a file that cannot be replaced', () => {
  it('is written in place, with a whole copy beside it until it is written', async () => {
    writeFileSync(file, 'before, and longer than the new content')
    const { ino } = statSync(file)
    await replaceFile(file, ['new ', 'content'], () => {}, refuseMove)
    expect(readFileSync(file, 'utf8')).toBe('new content')
    expect(statSync(file).ino).toBe(ino)
    expect(readdirSync(folder)).toEqual(['world.json'])
  })

  it('is loaded from the copy if the process was killed while it was written', async () => {
    const mock = createMock({ logs: 1 })
    mock.create('dashboard', { name: 'In the copy' })
    writeFileSync(`${file}.copy`, JSON.stringify(mock.state()))
    writeFileSync(file, '{"version":2,"se')
    const next = createMock({ logs: 1 })
    const warnings: string[] = []
    const kept = await keepState(next, file, { warn: sentence => void warnings.push(sentence) })
    expect(next.list('dashboard').map(({ name }) => name)).toContain('In the copy')
    expect(warnings).toEqual([expect.stringContaining('The world is loaded from ')])
    expect(await kept.close()).toBe(true)
    expect(readFileSync(file, 'utf8')).toContain('In the copy')
  })
})

it.runIf(process.platform === 'linux')('a mount is found among the mounts of the process', () => {
  expect(isMounted('/proc')).toBe(true)
  expect(isMounted(file)).toBe(false)
})
