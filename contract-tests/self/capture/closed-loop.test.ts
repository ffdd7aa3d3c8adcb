import { expect, it } from 'vitest'
import { createMock } from '../../../mock-server/index.ts'
import { compareExaminations, type Difference } from '../../run/compare.ts'
import { type Examination, examine } from '../../run/verify.ts'
import { createDirectClient, directTarget } from '../direct-client.ts'
import { readMock, serve, writeWorld } from './captured.ts'

/** What a mock invents from its seed: what services cost, and what they and their pipes are observed to do. */
const invented: readonly string[] = [
  ...['usageCost', 'creditBalances', 'activeBalances', 'clickPipeContext', 'postgresMetrics', 'slowQueryPattern'],
  ...['postgresLog', 'postgresBackup', 'servicePrivateEndpointConfig', 'prometheusTarget', 'chart', 'search'],
]
/** What is drawn for each thing that is created. */
const drawn =
  /\.(?:password|keySecret|keySuffix|uploadUrl|host|dnsNames\[\d+\]|internalDnsName|endpointName|privateDnsHostname|hostname|connectionString|iamRole)$/

const now = Date.UTC(2026, 10, 23, 10)
/** Lists in the order of creation: an order by name is another one once names are replaced. */
const ofStack = { 'dashboard/order-of-list': 'newest first', 'alert/order-of-list': 'oldest first' }
const inOrder = { cloud: { 'member/order-of-list': 'joinedAt' }, managed: ofStack, selfHosted: ofStack }

/** Runs all that clients do: create, list, get, update, delete and query, in every family. */
const live = (mock: ReturnType<typeof createMock>) =>
  examine({ target: directTarget(mock), client: createDirectClient(mock) })

/** What two runs got otherwise, in other words than their own names and what is drawn anew. */
function differ(one: Examination, other: Examination): readonly Difference[] {
  const unnamed = (value: unknown, { sentSteps }: Examination) => {
    const { body } = sentSteps.exchanges.get('managed:dashboard.create-main')!.request
    const [, mark = ''] = /stack-parity (\w+)\w /.exec(String(body))!
    return JSON.stringify(value)
      ?.replaceAll(mark, '')
      .replace(/position .*/, '')
  }
  return compareExaminations(one, other, 'all').filter(
    ({ step, path, left, right }) =>
      !invented.includes(/^\w+:(\w+)/.exec(step)?.[1] ?? '') &&
      !drawn.test(path) &&
      unnamed(left, one) !== unnamed(right, other),
  )
}

it('clients meet the same at a mock of what was captured as at the captured one, in both forms and all families', {
  timeout: 120_000,
}, async () => {
  const options = { now, freeze: true, logs: 100, services: 2, members: 4, backups: 2, as: 'clickhouse-cloud' } as const
  const one = createMock({ ...options, seed: 11, gaps: 5, choices: inOrder })
  const captured = await readMock(one)
  expect(captured.read.unread).toEqual([])
  expect(new Set(captured.read.answers.map(({ operation }) => operation.split('.')[0])).size).toBeGreaterThan(30)

  const original = await live(one)
  const learned = { ...options, as: original.observe(), seed: 12 }
  const verbatim = writeWorld(captured, captured.records, { isVerbatim: true })
  expect(differ(original, await live(serve(verbatim.world, learned)))).toEqual([])

  const { world, treatments } = writeWorld(captured, captured.records)
  const namesIn = (path: string) => path.split(/[.[\]*]+/)
  const changed = new Set(
    [...treatments].flatMap(([path, { kept: _, ...others }]) =>
      Object.keys(others).length > 0 ? namesIn(path).slice(-2) : [],
    ),
  )
  const isChanged = (path: string) =>
    namesIn(path)
      .slice(3)
      .some(name => name !== '' && changed.has(name))
  const left = differ(original, await live(serve(world, learned)))
  // Alerts are evaluated over the telemetry, which is invented.
  const isEvaluated = ({ step, path }: Difference) => step.includes(':alert.list') && path.endsWith('.state')
  expect(left.filter(one => !isChanged(one.path) && !isEvaluated(one))).toEqual([])
})
