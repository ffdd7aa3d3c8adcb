import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock-server/index.ts'
import type { Client, Incoming } from '../engine/clients/client.ts'
import { exitStatus } from '../report/exit-status.ts'
import { type Baseline, parseBaseline, renderBaseline } from '../run/baseline.ts'
import { examine, type VerifyOptions, verify } from '../run/verify.ts'
import { createDirectClient, directTarget } from './direct-client.ts'
import { withoutDocumented } from './other-deployment/target.ts'

/** A nightly job compares with yesterday's baseline, while people go on working with the deployment. */

type Fields = Record<string, unknown>
type Item = Fields & { id: string }
interface State {
  /** By model and stack. */
  readonly records: Readonly<Record<'webhook' | 'dashboard' | 'alert', Record<string, Item[]>>>
}

/** Creates a new deployment with one webhook and one dashboard, which has a single tile. */
function createYoungDeployment() {
  const mock = createMock({ logs: 5000 })
  const arrange = (change: (state: State) => void) => {
    const state = JSON.parse(JSON.stringify(mock.state()))
    change(state)
    mock.load(state)
  }
  const removed = new Map<string, { webhooks: Item[]; dashboards: Item[]; alerts: Item[]; tiles: Item[] }>()
  arrange(({ records: { webhook, dashboard, alert } }) => {
    for (const [stack, dashboards] of Object.entries(dashboard)) {
      const tiles = dashboards[0]!.tiles as Item[]
      removed.set(stack, {
        webhooks: webhook[stack]!.splice(1),
        dashboards: dashboards.splice(1),
        alerts: alert[stack]!.splice(0),
        tiles: tiles.splice(1),
      })
    }
  })
  /** Adds the removed webhooks, tiles, dashboards and alerts, and a saved query. */
  const grow = () =>
    arrange(({ records: { webhook, dashboard, alert } }) => {
      for (const [stack, { webhooks, dashboards, alerts, tiles }] of removed) {
        const [first] = dashboard[stack]!
        webhook[stack]!.push(...webhooks)
        ;(first!.tiles as Item[]).push(...tiles)
        first!.savedQuery = 'level:error'
        first!.savedQueryLanguage = 'lucene'
        dashboard[stack]!.push(...dashboards)
        alert[stack]!.push(...alerts)
      }
    })
  return { target: withoutDocumented(directTarget(mock)), client: createDirectClient(mock), grow }
}

type Deployment = ReturnType<typeof createYoungDeployment>

const run = ({ target, client }: Deployment, options: Partial<VerifyOptions>) => examine({ target, client, ...options })

/** Writes a baseline as a file has it, and reads it again. */
const saveAndLoad = (baseline: Baseline) => parseBaseline(renderBaseline(baseline))

describe('on a deployment whose software did not change', () => {
  it.each([
    ['writes', false],
    ['only reads', true],
  ])(
    'additional webhooks, tiles, saved queries and alerts are no breaking drift for a run that %s',
    async (_, readOnly) => {
      const deployment = createYoungDeployment()
      const baseline = saveAndLoad((await run(deployment, { readOnly })).observe())
      expect(baseline.shapes.selfHosted?.operations?.['webhook.list']?.['$.data[].body']).toMatchObject({ records: 1 })
      deployment.grow()
      const { report } = await run(deployment, { readOnly, baseline })
      expect(report.drift.map(({ id }) => id)).toContain('selfHosted webhook/fields-present')
      expect(report.drift.filter(({ kind }) => kind === 'breaking')).toEqual([])
      expect(exitStatus(report, { drift: 'error' })).toBe(0)
    },
  )
})

/** Makes the client of the deployment after an update of its software, which changes some answers. */
const update =
  (change: (answer: Fields, path: string) => void, status?: [RegExp, number]) =>
  (client: Client): Client => ({
    ...client,
    async send(request) {
      const answer: Incoming = await client.send(request)
      if (answer.status < 300 && answer.text.startsWith('{')) {
        const json = JSON.parse(answer.text)
        change(json, request.path)
        return { ...answer, text: JSON.stringify(json) }
      }
      return status?.[0].test(`${request.method} ${request.path}`) ? { ...answer, status: status[1] } : answer
    },
  })

const changeEach = (json: Fields, path: string, resource: string, change: (item: Fields) => void) => {
  if (!path.includes(resource)) return
  for (const item of [json.data, json.result].flat()) if (item && typeof item === 'object') change(item as Fields)
}

describe('on a deployment whose software changed', () => {
  it.each<[string, string, ReturnType<typeof update>]>([
    [
      'a field that is gone from all records',
      'selfHosted source.list $.data[].name',
      update((json, path) => changeEach(json, path, '/sources', item => delete item.name)),
    ],
    [
      'a field that is gone from the backup of the target',
      'cloud backup.get $.result.sizeInBytes',
      update((json, path) => changeEach(json, path, '/backups/', item => delete item.sizeInBytes)),
    ],
    [
      'a field that is gone from what the run creates',
      'managed alert.create $.result.threshold',
      update((json, path) => changeEach(json, path, '/alerts', item => delete item.threshold)),
    ],
    [
      'a type that replaces another',
      'selfHosted alert.create $.data.threshold',
      update((json, path) =>
        changeEach(json, path, '/api/v2/alerts', item => {
          item.threshold = String(item.threshold)
        }),
      ),
    ],
    [
      'another answer in a silent place',
      'cloud path/unknown-path',
      update(() => {}, [/organizations\/[^/]+\/no-such-resource$/, 410]),
    ],
  ])('%s is breaking drift', async (_, id, updated) => {
    const deployment = createYoungDeployment()
    const baseline = saveAndLoad((await run(deployment, {})).observe())
    const { report } = await run(deployment, { baseline, client: updated(deployment.client) })
    expect(report.drift.filter(({ kind }) => kind === 'breaking').map(drift => drift.id)).toContain(id)
    expect(exitStatus({ ...report, rules: [] }, { drift: 'error' })).toBe(1)
  })
})

it('a get may differ from the list in a value that grows while an operation is in progress', async () => {
  const mock = createMock({ logs: 100 })
  const client = createDirectClient(mock)
  const send: Client['send'] = async request => {
    const received = await client.send(request)
    if (!request.path.includes('/snapshots')) return received
    const text = received.text.replaceAll('"status":"done"', '"status":"in_progress"')
    const isGet = /\/snapshots\/[\w-]+$/.test(request.path)
    return { ...received, text: isGet ? text.replace(/("durationInSeconds":)[\d.]+/, '$1123456') : text }
  }
  const options = { target: directTarget(mock), rules: ['snapshot/list-agrees-with-get'] }
  const { rules } = await verify({ ...options, client: { ...client, send } })
  expect(rules.map(({ outcome }) => outcome)).toEqual(['held'])
})

describe('a list in pages whose second page repeats the first', () => {
  const judge = async (hasMoved: boolean) => {
    const mock = createMock({ logs: 100 })
    const client = createDirectClient(mock)
    let areBothPagesRead = false
    const paging: Client = {
      ...client,
      send(request) {
        const { path } = request
        if (/\/keys\?.*cursor=/.test(path)) areBothPagesRead = true
        const isWholeAgain = areBothPagesRead && path.endsWith('/keys')
        const changed = isWholeAgain && hasMoved ? `${path}?limit=1` : path.replace(/(\/keys\?.*)&cursor=.*/, '$1')
        return client.send({ ...request, path: changed })
      },
    }
    const rules = ['page/cursor-leads-on']
    const report = await verify({ target: directTarget(mock), client: paging, rules })
    return report.rules.find(({ form }) => form === 'cloud')!.outcome
  }

  it('breaks no rule when the whole list has changed, too', async () => {
    expect(await judge(true)).toBe('held')
  })

  it('breaks the rule when the whole list did not change', async () => {
    expect(await judge(false)).toBe('broken')
  })
})

it('a scrape that is answered late does not look like a falling counter, because the next scrape waits for it', async () => {
  const mock = createMock({ freeze: true })
  const direct = createDirectClient(mock)
  const client: Client = {
    ...direct,
    async send(request) {
      if (request.path.endsWith('/prometheus')) {
        await new Promise(resolve => setTimeout(resolve, 20))
        mock.moveClock(mock.clock.now() + 60_000)
      }
      return direct.send(request)
    },
  }
  const report = await verify({ target: directTarget(mock), client, rules: ['prometheus/counters-never-fall'] })
  expect(report.rules.map(({ outcome }) => outcome)).toEqual(['held'])
})
