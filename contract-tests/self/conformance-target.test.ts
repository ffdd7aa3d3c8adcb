import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock-server/index.ts'
import { type ConformanceOptions, conformance } from '../index.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

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

  it('passes on the target of a mock', async () => {
    expect(await firstFailure(directTarget(createMock()))).toBeUndefined()
  })
})
