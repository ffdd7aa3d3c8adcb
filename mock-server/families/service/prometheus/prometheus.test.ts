import { describe, expect, it } from 'vitest'
import { openCloud } from '../../../testing/open-cloud.ts'

function open() {
  const cloud = openCloud()
  // A primary can be stopped only when no other service of its warehouse runs.
  for (const { id, isPrimary } of cloud.mock.records.list('service')) {
    if (!isPrimary) cloud.mock.records.update('service', id, { state: 'stopped' })
  }
  const { keyId, keySecret, organizationId, serviceId } = cloud.mock.target({ cloud: '' }).cloud!
  const authorization = `Basic ${btoa(`${keyId}:${keySecret}`)}`
  async function scrape(below: string, query = '') {
    const path = `/v1/organizations/${organizationId}${below}/prometheus`
    return cloud.mock.answer({ method: 'GET', path, query, headers: { authorization }, body: '' }, 'cloud')
  }
  const scrapeService = async (query?: string) => (await scrape(`/services/${serviceId}`, query)).body
  return {
    ...cloud,
    scrape,
    scrapeService,
    command: (command: string) => cloud.send('PATCH', `/services/${serviceId}/state`, { command }),
  }
}

const namesIn = (text: string) => new Set(text.match(/^[a-z]\w*/gim))
const readValue = (text: string, name: string) =>
  Number(new RegExp(`^${name}{.*-0",table.*} (\\S+)$`, 'm').exec(text)?.[1])

describe('metrics', () => {
  it('of a running service are answered for each replica, as text without an envelope', async () => {
    const { scrape, serviceId, organizationId, scrapeService } = open()
    const { status, headers, body } = await scrape(`/services/${serviceId}`)
    expect([status, headers['content-type']]).toEqual([200, 'text/plain'])
    const own = `clickhouse_org="${organizationId}",clickhouse_service="${serviceId}",clickhouse_service_name="production"`
    expect(body).toContain('# TYPE ClickHouse_ServiceInfo untyped\n')
    expect(body).toContain(
      `ClickHouse_ServiceInfo{${own},clickhouse_cluster_status="running",clickhouse_version="25.12",scrape="full"} 1\n`,
    )
    expect(body.match(/^ClickHouseProfileEvents_Query{.*-[012]",table="system.events"} \d+$/gm)).toHaveLength(3)
    expect(await scrapeService()).toBe(body)
  })

  it('that count queries grow, and start again from zero when the service restarts', async () => {
    const { scrapeService, wait, command } = open()
    const queries = async () => readValue(await scrapeService(), 'ClickHouseProfileEvents_Query')
    const first = await queries()
    wait(3600)
    const second = await queries()
    expect(second).toBeGreaterThan(first)
    await command('stop')
    wait(60)
    await command('start')
    wait(120)
    const third = await queries()
    expect(third).toBeGreaterThan(0)
    expect(third).toBeLessThan(second)
  })

  it('are fewer with filtered_metrics', async () => {
    const { scrapeService } = open()
    const [all, filtered] = [namesIn(await scrapeService()), namesIn(await scrapeService('filtered_metrics=true'))]
    expect(filtered.size).toBeLessThan(all.size / 2)
    expect([...filtered].filter(name => !all.has(name))).toEqual([])
  })

  it('of a stopped or idle service are only its state, and reading them does not wake the service', async () => {
    const { scrapeService, command, wait, mock, serviceId } = open()
    mock.records.update('service', serviceId, { state: 'idle' })
    expect([...namesIn(await scrapeService())]).toEqual(['ClickHouse_ServiceInfo'])
    expect(await scrapeService()).toContain('clickhouse_cluster_status="idle"')
    expect(mock.records.get('service', serviceId)?.state).toBe('idle')
    await command('stop')
    wait(60)
    expect(await scrapeService()).toContain('clickhouse_cluster_status="stopped"')
  })

  it('of the organization contain each service that is not stopped, and declare each metric once', async () => {
    const { scrape, mock } = open()
    const { body } = await scrape('')
    const types = body.match(/^# TYPE \S+/gm)!
    expect(new Set(types).size).toBe(types.length)
    const named = Array.from(body.matchAll(/^ClickHouse_ServiceInfo.*clickhouse_service="([^"]+)/gm), ([, id]) => id)
    const awake = mock.records.list('service').filter(({ state }) => state !== 'stopped')
    expect(named).toEqual(awake.map(({ id }) => id))
    expect(awake.map(({ state }) => state)).toEqual(['running', 'idle'])
    for (const { id } of mock.records.list('service')) mock.records.update('service', id, { state: 'stopped' })
    expect(await scrape('')).toMatchObject({ status: 200, body: '' })
  })

  it('escape special characters in the names of services', async () => {
    const { mock, serviceId, scrapeService } = open()
    mock.records.update('service', serviceId, { name: 'a "b" \\ c' })
    expect(await scrapeService()).toContain('clickhouse_service_name="a \\"b\\" \\\\ c"')
  })

  it('of an unknown service are refused as JSON', async () => {
    const { scrape } = open()
    const { status, body } = await scrape('/services/0b6f3c1e-9d0a-4c57-8f3e-2a1b4c5d6e7f')
    expect([status, JSON.parse(body).status]).toEqual([404, 404])
  })

  it('of the pipes of a service grow while a pipe runs, and stay the same while it is stopped', async () => {
    const { scrapeService, wait, send, serviceId } = open()
    const events = async () =>
      Number(/^ClickPipes_SentEvents_Total{.*"confluent"} (\d+)$/m.exec(await scrapeService())?.[1])
    const before = await events()
    wait(60)
    const after = await events()
    expect(after).toBeGreaterThan(before)
    const pipes = `/services/${serviceId}/clickpipes`
    const { result } = await send('GET', pipes)
    await send('PATCH', `${pipes}/${result[0].id}/state`, { command: 'stop' })
    wait(60)
    expect(await scrapeService()).toMatch(
      /^ClickPipes_Info{.*clickpipe_name="orders",clickpipe_source="confluent",clickpipe_status="Stopped"} 1$/m,
    )
    expect(await events()).toBe(after)
  })

  it('are announced to Prometheus with a target for each existing service, with its tags', async () => {
    const { mock, send, serviceId, organizationId } = open()
    await send('PATCH', `/services/${serviceId}`, {
      tags: { add: [{ key: 'cost-center', value: '7' }, { key: 'pii' }] },
    })
    const discover = async (host = '127.0.0.1:8001') => {
      const { keyId, keySecret } = mock.target({ cloud: '' }).cloud!
      const headers = { authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}`, host }
      const path = `/v1/organizations/${organizationId}/prometheus/discovery`
      return JSON.parse((await mock.answer({ method: 'GET', path, query: '', headers, body: '' }, 'cloud')).body)
    }
    const targets = await discover()
    expect(targets).toHaveLength(mock.records.list('service').length)
    expect(targets[0]).toMatchObject({
      targets: ['127.0.0.1:8001'],
      labels: {
        __scheme__: 'http',
        __metrics_path__: `/v1/organizations/${organizationId}/services/${serviceId}/prometheus`,
        __param_filtered_metrics: 'true',
        __meta_clickhouse_tag_cost_center: '7',
        __meta_clickhouse_tagpresent_pii: 'true',
      },
    })
    expect(targets[0].labels).not.toHaveProperty('__meta_clickhouse_tag_pii')
    // Such a Host reaches the mock: Node.js does not refuse it.
    expect((await discover('127.0.0.1:99999'))[0].targets).toEqual(['cloud.localhost'])
    mock.records.update('service', serviceId!, { state: 'terminating' })
    expect(JSON.stringify(await discover())).not.toContain(serviceId)
  })
})
