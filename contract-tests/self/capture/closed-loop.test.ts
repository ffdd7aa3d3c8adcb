import { expect, it } from 'vitest'
import { createMock } from '../../../mock-server/index.ts'
import { compareExaminations, type Difference } from '../../run/compare.ts'
import { examine } from '../../run/verify.ts'
import { createDirectClient, directTarget } from '../direct-client.ts'
import { readMock, serve, writeWorld } from './captured.ts'

/** What a mock invents from its seed: what services cost, and what they and their pipes are observed to do. */
const invented: readonly string[] = [
  ...['usageCost', 'creditBalances', 'activeBalances', 'clickPipeContext', 'postgresMetrics', 'slowQueryPattern'],
  ...['postgresLog', 'postgresBackup', 'servicePrivateEndpointConfig', 'prometheusTarget'],
]
const isInvented = ({ step }: Difference) => invented.includes(/^\w+:(\w+)/.exec(step)?.[1] ?? '')

const now = Date.UTC(2026, 10, 23, 10)
/** Lists in the order of creation: an order by name is another one once names are replaced. */
const ofStack = { 'dashboard/order-of-list': 'newest first', 'alert/order-of-list': 'oldest first' }
const inOrder = { cloud: { 'member/order-of-list': 'joinedAt' }, managed: ofStack, selfHosted: ofStack }

it('a mock of what was captured answers as the captured one, in both forms and all families', {
  timeout: 60_000,
}, async () => {
  const options = { now, freeze: true, logs: 100, services: 2, members: 4, backups: 2, as: 'clickhouse-cloud' } as const
  const one = createMock({ ...options, seed: 11, gaps: 5, choices: inOrder })
  const look = (mock: typeof one) =>
    examine({ target: directTarget(mock), client: createDirectClient(mock), readOnly: true, readsAll: true })
  const original = await look(one)
  const captured = await readMock(one)
  expect(captured.read.unread).toEqual([])

  // The choices of the other mocks are those that a run observed, which creates things, too.
  const { observed } = await examine({ target: directTarget(one), client: createDirectClient(one) })
  const learned = { ...options, as: observed, seed: 12 }
  const verbatim = writeWorld(captured, captured.sighted, { isVerbatim: true })
  const twin = await look(serve(verbatim.world, learned))
  expect(compareExaminations(original, twin, 'all').filter(one => !isInvented(one))).toEqual([])

  const { world, fates } = writeWorld(captured, captured.sighted)
  const namesIn = (path: string) => path.split(/[.[\]*]+/)
  const changed = new Set(
    [...fates].flatMap(([path, { kept: _, ...others }]) =>
      Object.keys(others).length > 0 ? namesIn(path).slice(-2) : [],
    ),
  )
  const isChanged = (path: string) =>
    namesIn(path)
      .slice(3)
      .some(name => name !== '' && changed.has(name))
  const masked = await look(serve(world, learned))
  const left = compareExaminations(original, masked, 'all').filter(one => !isInvented(one) && !isChanged(one.path))
  expect(left).toEqual([])
  const families = new Set(captured.read.answers.map(({ operation }) => operation.split('.')[0]))
  expect(families.size).toBeGreaterThan(30)
})
