import { expect, it } from 'vitest'
import type { Form } from '../../../fixtures/contract/index.ts'
import { createMock, type MockOptions } from '../../../mock-server/index.ts'
import { addCaller, writeAll, writeFixtures } from '../../../mock-server/testing/write-bodies.ts'
import type { CapturedRecord } from '../../run/capture/collect.ts'
import { directTarget } from '../direct-client.ts'
import { readMock, serve, writeWorld } from './captured.ts'

const now = Date.UTC(2026, 5, 1, 12)

/** The secret in the address of an invitation, what a mock generates from its seed, and the trace of the reading itself. */
const ownToMock = /^(?:url|totalRemainingCredits|amountSpent|remainingCredits|usedAt)$/
const comparable = (records: readonly CapturedRecord[]) =>
  records.map(one => JSON.parse(JSON.stringify(one), (name, value) => (ownToMock.test(name) ? undefined : value)))

it.each([
  ['self-hosted-2.24', (form: Form) => form === 'selfHosted', 12],
  ['self-hosted-2.36', (form: Form) => form === 'selfHosted', 16],
  ['clickhouse-cloud', (form: Form) => form !== 'selfHosted', 20],
] as const)(
  'what calls created in all operations is captured whole, as %s',
  async (as, isServed, leastKinds) => {
    const options: MockOptions = { now, freeze: true, logs: 100, organizations: 1, services: 2, members: 2, as }
    const original = createMock(options)
    addCaller(original)
    await writeAll(original, isServed, 6)
    if (as !== 'self-hosted-2.24') await writeFixtures(original)
    original.advance('5m')
    const { cloud, ...others } = directTarget(original)
    const asCaller = { ...others, cloud: { ...cloud!, keyId: 'caller', keySecret: 'secret' } }
    const captured = await readMock(original, asCaller)
    const boards = captured.records.filter(({ name }) => name === 'dashboard').map(({ shown }) => shown)
    const configs = boards.flatMap(({ tiles }) => tiles as readonly { config?: Readonly<Record<string, string>> }[])
    const kinds = configs.map(({ config }) => [config?.displayType, config?.configType, config?.heatmapMode].join(' '))
    expect(new Set(kinds).size).toBeGreaterThanOrEqual(leastKinds)

    const { world } = writeWorld(captured, captured.records, { isVerbatim: true })
    const twin = serve(JSON.parse(JSON.stringify(world)), { ...options, now: original.clock.now() })
    expect(twin.leftOut()).toEqual([])
    const again = await readMock(twin)
    expect(again.read.unread).toEqual([])
    expect(comparable(again.records)).toEqual(comparable(captured.records))
  },
  30_000,
)

it('a captured tile or state that the mock does not know is left out with a sentence, and nothing else is', async () => {
  const options: MockOptions = { now, freeze: true, logs: 0, services: 1, as: 'self-hosted-2.36' }
  const captured = await readMock(createMock(options))
  const { world } = writeWorld(captured, captured.records, { isVerbatim: true })
  // biome-ignore lint/suspicious/noExplicitAny: the file is edited as somebody edits JSON.
  const edited: any = JSON.parse(JSON.stringify(world))
  const [board] = edited.dashboard
  const { tiles } = structuredClone(board)
  delete board.tiles[1].config.displayType
  edited.alert[0].state = 'NEWER'
  const twin = serve(edited, options)
  expect(twin.leftOut()).toEqual([
    expect.stringMatching(/^alert \(".*"\): state has its default: state: Invalid enum value.* received 'NEWER'$/),
    `dashboard ("${board.name}"): an item of tiles ("${tiles[1].name}") is left out: tiles.1.config.displayType: It is required`,
  ])
  const shown = twin.get('dashboard', board.id)!.tiles.map(({ name }) => name)
  expect(shown).toEqual(tiles.map(({ name }: { name: string }) => name).toSpliced(1, 1))
  twin.reset({ scenario: 'empty' })
  expect(twin.leftOut()).toEqual([])
})

it('a captured time keeps its microseconds, also in a world that starts at another time', () => {
  const createdAt = '2026-05-31T09:00:00.123456789Z'
  const original = createMock({ now, freeze: true, logs: 0, services: 1 })
  const [[organization], [service]] = [original.list('organization'), original.list('service')]
  const pipe = { ...original.list('clickPipe')[0], createdAt, within: service!.id }
  const records = {
    organization: [organization],
    service: [{ ...service, within: organization!.id }],
    clickPipe: [pipe],
  }
  const twin = serve({ captured: { at: new Date(now).toISOString() }, ...records }, { now: now + 86_400_500 })
  expect(twin.list('clickPipe')[0]?.createdAt).toBe('2026-06-01T09:00:00.623456789Z')
})
