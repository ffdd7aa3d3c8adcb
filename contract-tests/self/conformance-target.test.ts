import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock-server/index.ts'
import { type ConformanceOptions, conformance, rules } from '../index.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

/** What the failing tests say, by the ids of their rules. */
async function failures(target: ConformanceOptions['target']): Promise<string[]> {
  const said: string[] = []
  const tests: (() => Promise<void>)[] = []
  conformance({
    target,
    // Nothing lists backups there.
    client: createDirectClient(createMock({ offer: ['specified'] })),
    readOnly: true,
    describe: (_, register) => register(),
    test: (title, run) =>
      tests.push(() => run({}).catch((error: Error) => void said.push(`${title.split(/[ :]/)[1]}: ${error.message}`))),
  })
  for (const test of tests) await test()
  return said
}

/** What the first test says when the suite is registered as a library with a target; undefined when it passes. */
async function firstFailure(target: unknown): Promise<string | undefined> {
  const tests: (() => Promise<void>)[] = []
  conformance({
    target: target as ConformanceOptions['target'],
    client: createDirectClient(createMock()),
    readOnly: true,
    describe: (_, register) => register(),
    test: (_, run) => tests.push(() => run({})),
  })
  return tests[0]!().then(
    () => undefined,
    (error: Error) => error.message,
  )
}

describe('the suite as a library', () => {
  it('fails on a target that there is nothing to verify of, instead of skipping everything', async () => {
    expect(await firstFailure({})).toContain('the target cannot be used: it names neither `cloud` nor `selfHosted`')
    expect(await firstFailure(() => ({}))).toContain('the target cannot be used')
  })

  it('fails on a secret that was not looked up, and says what looks it up', async () => {
    const { selfHosted } = directTarget(createMock())
    expect(await firstFailure({ selfHosted: { ...selfHosted, apiKey: '$OSS_API_KEY' } })).toBe(
      'the target cannot be used: `selfHosted.apiKey` is $OSS_API_KEY, a name that was not looked up in the environment: read the target file with parseTarget(text, process.env).',
    )
  })

  it('fails the test of a must rule that cannot be judged for want of something in the target, and says what to add', async () => {
    const { backupId: _, ...cloud } = directTarget(createMock()).cloud!
    const sentence =
      'not judged in cloud: neither the target file nor reading gives cloud.backupId; add cloud.backupId to the target file, or list "backup.get" under notOffered'
    expect(await failures({ cloud })).toEqual(
      rules
        .filter(({ id, level }) => id.startsWith('backup/') && level === 'must')
        .map(({ id }) => `${id}: ${sentence}`),
    )
    expect(await failures({ cloud, notOffered: ['backup.get'] })).toEqual([])
  })

  it('passes on the target of a mock', async () => {
    expect(await firstFailure(directTarget(createMock()))).toBeUndefined()
  })
})
