import { describe, expect, it } from 'vitest'
import { openCloud } from '../../../testing/open-cloud.ts'

/** In seconds. */
const minutes = 60

async function open() {
  const cloud = openCloud()
  const body = { name: 'new', provider: 'aws', region: 'us-east-1', idleScaling: false }
  const { id } = (await cloud.send('POST', '/services', body)).result.service
  const configure = (sent: object) => cloud.send('PATCH', `/services/${id}/snapshotConfiguration`, sent)
  const list = async (query = '') => (await cloud.send('GET', `/services/${id}/snapshots${query}`)).body
  return { ...cloud, id, configure, list }
}

describe('the snapshots of a service', () => {
  it('are taken and expire as its configuration says', async () => {
    const { configure, list, wait, send, id } = await open()
    expect((await send('GET', `/services/${id}/snapshotConfiguration`)).result).toEqual({ enabled: false })
    wait(5 * minutes)
    expect((await configure({ enabled: true, gap: 30, timeFrame: 1440 })).result).toEqual({
      enabled: true,
      gap: 30,
      timeFrame: 1440,
    })
    expect((await list()).result).toEqual([])
    wait(90 * minutes + 60)
    const { result, totalCount } = await list('?limit=2')
    expect(totalCount).toBe(3)
    expect(result.map(({ status, type }: Record<string, string>) => [status, type])).toEqual([
      ['done', 'full'],
      ['done', 'full'],
    ])
    expect((await send('GET', `/services/${id}/snapshots/${result[0].id}`)).result).toEqual(result[0])
    wait(30 * 24 * 60 * minutes)
    expect((await list()).totalCount).toBe(48)
    expect((await configure({ enabled: false })).result).toEqual({ enabled: false, gap: 30, timeFrame: 1440 })
  })

  it('are not taken of a stopped service', async () => {
    const { configure, list, wait, send, id } = await open()
    wait(5 * minutes)
    await configure({ enabled: true, gap: 60, timeFrame: 2880 })
    await send('PATCH', `/services/${id}/state`, { command: 'stop' })
    wait(180 * minutes)
    expect((await list()).result).toEqual([])
  })

  it('need a documented pair of gap and time frame, and an organization with the capability', async () => {
    const { configure, mock, organizationId } = await open()
    for (const wrong of [{}, { enabled: true }, { gap: 30, timeFrame: 2880 }, { enabled: null }])
      expect((await configure(wrong)).status, JSON.stringify(wrong)).toBe(400)
    mock.records.update('organization', organizationId, { capabilities: { snapshots: false } })
    expect((await configure({ enabled: true, gap: 30, timeFrame: 1440 })).status).toBe(403)
    expect((await configure({ enabled: false })).status).toBe(200)
  })
})
