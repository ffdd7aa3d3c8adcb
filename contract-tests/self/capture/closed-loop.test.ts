import { expect, it } from 'vitest'
import { createMock } from '../../../mock-server/index.ts'
import { compareExaminations, type Difference } from '../../run/compare.ts'
import { type Examination, examine } from '../../run/verify.ts'
import { createDirectClient, directTarget } from '../direct-client.ts'
import { readMock, serve, writeWorld } from './captured.ts'

/** Resources whose values a mock generates from its seed, such as costs, metrics and logs; and its own journal of notifications. */
const generatedResources: readonly string[] = [
  ...['usageCost', 'creditBalances', 'activeBalances', 'clickPipeContext', 'postgresMetrics', 'slowQueryPattern'],
  ...['postgresLog', 'postgresBackup', 'servicePrivateEndpointConfig', 'prometheusTarget', 'chart', 'search'],
  'notifications',
]
/** Fields that get a random value when an object is created. */
const randomFields =
  /\.(?:password|keySecret|keySuffix|uploadUrl|host|dnsNames\[\d+\]|internalDnsName|endpointName|privateDnsHostname|hostname|connectionString|iamRole)$/

/** No answer shows when what is in progress will end: in a captured world, it ends at another time. */
const isUnderway = ({ step, path }: Difference) =>
  /:(?:backup|udfAttachment)\./.test(step) && /\.(?:status|finishedAt)$/.test(path)

const now = Date.UTC(2026, 10, 23, 10)
/** Lists in the order of creation, because an order by name would change with the replaced names. */
const ofStack = { 'dashboard/order-of-list': 'newest first', 'alert/order-of-list': 'oldest first' }
const inOrder = { cloud: { 'member/order-of-list': 'joinedAt' }, managed: ofStack, selfHosted: ofStack }

/** Sends all requests of a run: create, list, get, update, delete and query, in every family. */
const sendRun = (mock: ReturnType<typeof createMock>) =>
  examine({ target: directTarget(mock), client: createDirectClient(mock) })

/** The differences between the answers of two runs, except the marks of the runs in names, and random values. */
function findDifferences(one: Examination, other: Examination): readonly Difference[] {
  const withoutMark = (value: unknown, { sentSteps }: Examination) => {
    const { body } = sentSteps.exchanges.get('managed:dashboard.create-main')!.request
    const [, mark = ''] = /stack-parity (\w+)\w /.exec(String(body))!
    return JSON.stringify(value)
      ?.replaceAll(mark, '')
      .replace(/position .*/, '')
  }
  return compareExaminations(one, other, 'all').filter(
    difference =>
      !generatedResources.includes(/^\w+:(\w+)/.exec(difference.step)?.[1] ?? '') &&
      !randomFields.test(difference.path) &&
      !isUnderway(difference) &&
      withoutMark(difference.left, one) !== withoutMark(difference.right, other),
  )
}

it('a mock of a captured world answers a full run as the original mock does, in all forms and families', {
  timeout: 120_000,
}, async () => {
  const options = { now, freeze: true, logs: 100, services: 2, members: 4, backups: 2, as: 'clickhouse-cloud' } as const
  const one = createMock({ ...options, seed: 11, gaps: 5, choices: inOrder })
  const captured = await readMock(one)
  expect(captured.read.unread).toEqual([])
  expect(new Set(captured.read.answers.map(({ operation }) => operation.split('.')[0])).size).toBeGreaterThan(30)

  const original = await sendRun(one)
  const learned = { ...options, as: original.observe(), seed: 12 }
  const verbatim = writeWorld(captured, captured.records, { isVerbatim: true })
  expect(findDifferences(original, await sendRun(serve(verbatim.world, learned)))).toEqual([])

  const { world, treatments } = writeWorld(captured, captured.records)
  const namesIn = (path: string) => path.split(/[.[\]*]+/)
  const changed = new Set(
    [...treatments].flatMap(([path, { kept: _, ...others }]) =>
      Object.keys(others).length > 0 ? namesIn(path).slice(-2) : [],
    ),
  )
  const isChanged = (path: string) =>
    namesIn(path)
      .slice(2)
      .some(name => name !== '' && changed.has(name))
  const left = findDifferences(original, await sendRun(serve(world, learned)))
  // The state of an alert depends on telemetry, which is not captured.
  const isAlertState = ({ step, path }: Difference) => step.includes(':alert.list') && path.endsWith('.state')
  expect(left.filter(one => !isChanged(one.path) && !isAlertState(one))).toEqual([])
})
