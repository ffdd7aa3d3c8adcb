import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock-server/index.ts'
import { type ConformanceOptions, conformance, rules } from '../index.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

/** Collects the messages of the failing tests, each after the id of its rule. */
async function collectFailures(target: ConformanceOptions['target']): Promise<string[]> {
  const messages: string[] = []
  const tests: (() => Promise<void>)[] = []
  conformance({
    target,
    // The specification has no list of backups, so a run finds no id of one.
    client: createDirectClient(createMock({ offer: ['specified'] })),
    readOnly: true,
    rate: 1e6,
    describe: (_, register) => register(),
    test: (title, run) =>
      tests.push(() =>
        run({}).catch((error: Error) => void messages.push(`${title.split(/[ :]/)[1]}: ${error.message}`)),
      ),
  })
  for (const test of tests) await test()
  return messages
}

/** Runs the first test of the suite as a library: returns its message, or undefined when it passes. */
async function runFirstTest(target: unknown): Promise<string | undefined> {
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
  it('fails on a target without a form, instead of skipping every test', async () => {
    expect(await runFirstTest({})).toContain('the target cannot be used: it names neither `cloud` nor `selfHosted`')
    expect(await runFirstTest(() => ({}))).toContain('the target cannot be used')
  })

  it('fails on a secret that is still the name of a variable, and names parseTarget', async () => {
    const { selfHosted } = directTarget(createMock())
    expect(await runFirstTest({ selfHosted: { ...selfHosted, apiKey: '$OSS_API_KEY' } })).toBe(
      'the target cannot be used: `selfHosted.apiKey` is $OSS_API_KEY, a name that was not looked up in the environment: read the target file with parseTarget(text, process.env).',
    )
  })

  it('fails the test of a must rule that needs an id which the target lacks, and says what to add', async () => {
    const { backupId: _, ...cloud } = directTarget(createMock()).cloud!
    const sentence =
      'not judged in cloud: neither the target file nor reading gives cloud.backupId; add cloud.backupId to the target file, or list "backup.get" under notOffered'
    expect(await collectFailures({ cloud })).toEqual(
      rules
        .filter(({ id, level }) => id.startsWith('backup/') && level === 'must')
        .map(({ id }) => `${id}: ${sentence}`),
    )
    expect(await collectFailures({ cloud, notOffered: ['backup.get'] })).toEqual([])
  })

  it('passes on the target of a mock', async () => {
    expect(await runFirstTest(directTarget(createMock()))).toBeUndefined()
  })
})
