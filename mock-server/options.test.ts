import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { baselineNames } from './gaps/baselines.ts'
import { createFetch, createMock, createMswHandlers, startMock } from './index.ts'

const folder = new URL('../fixtures/baselines/', import.meta.url)
const read = (name: string) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))

const refusedOptions: readonly (readonly [options: object, sentence: string])[] = [
  [{ sed: 7 }, 'there is no option "sed"; the nearest is seed'],
  [{ colour: 'red' }, 'there is no option "colour"; there are seed, now, freeze,'],
  [{ seed: '7' }, 'seed: Expected a whole number, received "7"'],
  [{ seed: null }, 'seed: Expected a whole number, received null'],
  [{ members: '12' }, 'members: Expected a whole number from 0 to 1000000, received "12"'],
  [{ now: 'soon' }, 'now: Expected epoch milliseconds, an ISO 8601 text or a Date, from 1970 to 9999, received "soon"'],
  [{ latency: 50 }, 'there is no option "latency"; it is chaos: { latencyMs: … }'],
  [{ errorRate: 0.1 }, 'there is no option "errorRate"; it is chaos: { errorRate: … }'],
  [{ depth: 5 }, 'there is no option "depth"; it is limits: { depth: … }'],
  [{ segment: 'a/b' }, 'segment: Expected one segment of a path, such as observability, received "a/b"'],
  [{ as: 'self-hosted-2.35' }, 'as: the package ships no baseline "self-hosted-2.35"; the nearest is self-hosted-2.36'],
  [{ as: 'zzzz' }, `as: the package ships no baseline "zzzz"; there are ${baselineNames.join(', ')}`],
  [{ as: { name: 'mine' } }, 'as: Expected a baseline, which has "choices"'],
  [{ choices: [] }, 'choices: Expected an object of choices, by form, received []'],
  [{ gaps: 1.5 }, 'gaps: Expected a whole number, received 1.5'],
  [{ faults: 'alert/get-answers' }, 'faults: Expected a list of the ids of rules, received "alert/get-answers"'],
  [{ faults: ['alert/gets-answer'] }, 'there is no rule "alert/gets-answer"; the nearest is alert/get-answers'],
  [{ rateLimit: 'yes' }, 'rateLimit: Expected true or false, received "yes"'],
  [{ chaos: { errorRat: 1 } }, 'set chaos: there is no option "errorRat"; the nearest is errorRate'],
  [{ journal: -1 }, 'journal: Expected a whole number from 0 on, received -1'],
  [{ limits: { boddy: 1 } }, 'limits: there is no option "boddy"; the nearest is body'],
]

describe('the options of the library', () => {
  it.each(refusedOptions)('are refused with a reason by createMock and startMock: %j', async (options, sentence) => {
    expect(() => createMock(options)).toThrow(sentence)
    // startMock has more options, which its sentence lists, too.
    await expect(startMock(options)).rejects.toThrow(sentence.replace(/; there are seed.*/, '; there are '))
  })

  it.each<readonly [object, string]>([
    [{ cloudport: 1 }, 'start a mock: there is no option "cloudport"; the nearest is cloudPort'],
    [{ cloudPort: 65_536 }, 'start a mock: cloudPort: Expected a whole number from 0 to 65535, received 65536'],
    [
      { consolePort: true },
      'start a mock: consolePort: Expected a whole number from 0 to 65535, or false, received true',
    ],
    [{ host: '' }, 'start a mock: host: Expected a text that is not empty, received ""'],
    [
      { webhookHosts: ['http://a.b'] },
      'start a mock: webhookHosts: Expected a list of hosts, each a host without scheme',
    ],
    [{ evaluateAlerts: 1 }, 'start a mock: evaluateAlerts: Expected true or false, received 1'],
  ])('that only startMock has are refused with a reason: %j', async (options, sentence) => {
    await expect(startMock(options)).rejects.toThrow(sentence)
  })

  it('of faces and worlds are refused with a reason, too', () => {
    const bases = { selfhosted: 'http://a.test' } as object
    const sentence = 'bases: there is no option "selfhosted"; the nearest is selfHosted'
    expect(() => createMock({ bases })).toThrow(sentence)
    expect(() => createFetch(createMock(), bases)).toThrow(sentence)
    expect(() => createMswHandlers(createMock(), bases)).toThrow(sentence)
    expect(() => createMock().worlds.open({ sed: 1 } as object)).toThrow('open a world: there is no option "sed"')
  })
})

describe('the option as', () => {
  it('accepts the name of every baseline file', () => {
    const files = readdirSync(folder).filter(name => name.endsWith('.json'))
    expect(files).toEqual(baselineNames.map(name => `${name}.json`))
  })

  it.each(baselineNames)('makes the choices of %s, by its name and from its content', name => {
    const { choices, segment = 'observability' } = read(name)
    const choicesByName = createMock({ as: name }).choices()
    expect(choicesByName).toMatchObject({ ...choices, segment })
    expect(createMock({ as: read(name) }).choices()).toEqual(choicesByName)
    expect(choicesByName).not.toEqual(createMock().choices())
  })

  it('is overridden by the option choices, gap by gap', () => {
    const choices = { selfHosted: { 'auth/challenge': 'present' } }
    const { selfHosted } = createMock({ as: 'self-hosted-2.24', choices }).choices()
    expect(selfHosted).toEqual({
      ...createMock({ as: 'self-hosted-2.24' }).choices().selfHosted,
      ...choices.selfHosted,
    })
  })
})

it('target() works alike in process and on ports, and follows a reset', async () => {
  const [inProcess, onPorts] = [createMock(), await startMock({ consolePort: false })]
  try {
    const { baseUrl, ...cloud } = inProcess.target().cloud
    expect(onPorts.target().cloud).toMatchObject(cloud)
    expect(onPorts.target().cloud.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    for (const { target } of [inProcess, onPorts]) {
      expect(target({ cloud: 'http://a.test' })).toMatchObject({ cloud: { ...cloud, baseUrl: 'http://a.test' } })
    }
    onPorts.mock.reset({ seed: 2 })
    inProcess.reset({ seed: 2 })
    expect(onPorts.target().cloud.keyId).toBe(inProcess.target().cloud.keyId)
    expect(onPorts.target().cloud.keyId).not.toBe(cloud.keyId)
  } finally {
    await onPorts.close()
  }
})

it('startMock answers a mock: its members arrange the world behind its ports', async () => {
  const running = await startMock({ consolePort: false, now: '2026-03-01T12:00:00Z', freeze: true, logs: 0 })
  running.stub({ when: { operation: 'alert.list' }, answer: { status: 503 } })
  running.advance('5m')
  const { status } = await fetch(`${running.target().selfHosted.baseUrl}/api/v2/alerts`)
  const [call] = running.calls()
  await running.close()
  expect([status, call?.at]).toEqual([503, '2026-03-01T12:05:00.000Z'])
  expect(running.records.list('member')).toEqual(running.mock.list('member'))
})

describe('a target for which no addresses are given', () => {
  it('has the addresses of the mock, also for other worlds', async () => {
    const bases = { cloud: 'https://cloud.test', selfHosted: 'https://stack.test' }
    const mock = createMock({ bases })
    const other = mock.worlds.open({ name: 'job' }).world.target()
    expect([mock.target().cloud.baseUrl, other.cloud?.baseUrl]).toEqual([bases.cloud, bases.cloud])
    expect(other.cloud?.organizationId).not.toBe(mock.target().cloud.organizationId)
    expect(
      createMock({ bases: { cloud: bases.cloud } })
        .worlds.open()
        .world.target(),
    ).not.toHaveProperty('selfHosted')
  })

  it('has the ports of a listening mock, also for other worlds', async () => {
    const running = await startMock()
    const { cloud, selfHosted, control } = running.mock.worlds.open().world.target()
    const target = running.target()
    await running.close()
    expect([cloud?.baseUrl, selfHosted?.baseUrl, control]).toEqual([
      target.cloud.baseUrl,
      target.selfHosted.baseUrl,
      target.control,
    ])
  })
})
