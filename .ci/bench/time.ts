import type * as Library from '../../mock-server/index.ts'
import { dist } from './built-mock.ts'
import { type Bench, type Chapter, round } from './chapter.ts'

const now = Date.parse('2026-06-01T12:00:00Z')
const choices = { selfHosted: { 'version/self-hosted-edition': '2.36' } }
const within = { within: 'self-hosted' }

/** Measures what it costs to move the clock past alerts that do not fire, beside a list of alerts in the same process. */
export async function measureTime({ isQuick }: Bench): Promise<Chapter> {
  const { createMock } = (await import(`${dist}mock-server.js`)) as typeof Library

  /** A world with alerts of a minute. Half of the dashboards' tiles count the same rows. */
  function open(alerts: number, options: Library.MockOptions = {}) {
    const mock = createMock({ now, freeze: true, choices, ...options })
    const { sources } = mock.target({ selfHosted: '' }).selfHosted!.references
    const webhook = mock.create('webhook', { name: 'none', service: 'generic', url: 'http://127.0.0.1:1/' }, within)
    const tile = (number: number) => ({
      id: `tile${number}`,
      name: `Tile ${number}`,
      ...{ x: 0, y: 0, w: 6, h: 3 },
      config: {
        displayType: 'line',
        sourceId: sources.log,
        asRatio: false,
        fillNulls: true,
        select: [{ aggFn: 'count', valueExpression: '', where: `Body:"${number}"`, whereLanguage: 'lucene' }],
      },
    })
    const tiles = Array.from({ length: 100 }, (_, number) => tile(number)).slice(0, Math.max(1, alerts / 2))
    const board = mock.create('dashboard', { name: 'Watched', tiles: tiles as never }, within)
    for (let number = 0; number < alerts; number++)
      mock.create(
        'alert',
        {
          name: `Alert ${number}`,
          source: 'tile',
          dashboardId: board.id,
          tileId: `tile${number % tiles.length}`,
          interval: '1m',
          threshold: 1e6,
          thresholdType: 'above',
          channels: [{ type: 'webhook', webhookId: webhook.id }],
        },
        within,
      )
    return mock
  }

  async function costOfList(): Promise<number> {
    const mock = createMock({ now, freeze: true, choices })
    const { apiKey } = mock.target({ selfHosted: '' }).selfHosted!
    const headers = { authorization: `Bearer ${apiKey}` }
    const list = () =>
      mock.answer({ method: 'GET', path: '/api/v2/alerts', query: '', headers, body: '' }, 'selfHosted')
    for (let i = 0; i < 500; i++) await list()
    const began = process.cpuUsage()
    for (let i = 0; i < 2000; i++) await list()
    return millisecondsSince(began) / 2000
  }

  const ofList = await costOfList()
  const row = (what: string, ms: number) => ({
    what,
    'CPU ms': round(ms, 1),
    'lists of alerts': Math.round(ms / ofList),
  })
  const advance = (mock: Library.Mock, by: string) => {
    const began = process.cpuUsage()
    mock.advance(by)
    return millisecondsSince(began)
  }
  const test = open(5, { scenario: 'empty', logs: 0 })
  const start = createMock({ now, freeze: true, choices })
  start.list('alert', within)
  start.deployment().stackOf('self-hosted')
  const rows: Record<string, string | number>[] = [
    row('5 minutes, a world of a test with 5 alerts', advance(test, '5m')),
    row('5 minutes more', advance(test, '5m')),
    row('5 minutes, the world of the start', advance(start, '5m')),
    row('24 hours, the world of the start', advance(start, '24h')),
    row('24 hours, 200 alerts', advance(open(200), isQuick ? '2h' : '24h')),
    row('1 minute, 20,000 alerts', advance(open(20_000), '1m')),
  ]
  const lags = [
    ['24 hours, 200 alerts', await measureLag(open(200), isQuick ? '2h' : '24h')],
    ['1 minute, 20,000 alerts', await measureLag(open(20_000), '1m')],
  ] as const
  for (const [what, lag] of lags)
    rows.push({ what: `longest slice of CPU over the control plane: ${what}`, 'CPU ms': round(lag, 1) })
  return {
    title: 'Time',
    description:
      'The clock moves past alerts that do not fire; also as the number of lists of alerts that cost as much.',
    rows,
  }
}

const millisecondsSince = (began: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}

/** The most CPU time between two turns of the event loop while the clock moves in slices. */
async function measureLag(mock: Library.Mock, by: string): Promise<number> {
  let worst = 0
  let isDone = false
  let began = process.cpuUsage()
  const look = () => {
    worst = Math.max(worst, millisecondsSince(began))
    began = process.cpuUsage()
    if (!isDone) setImmediate(look)
  }
  look()
  await mock.inSlices.advance(by, () => {})
  isDone = true
  return worst
}
