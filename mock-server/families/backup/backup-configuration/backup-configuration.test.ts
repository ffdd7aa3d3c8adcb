import { describe, expect, it } from 'vitest'
import { createMock } from '../../../mock/mock.ts'
import { authorization, openCloud, start } from '../../../testing/open-cloud.ts'

const defaults = { backupPeriodInHours: 24, backupRetentionPeriodInHours: 24 }

/** The configuration of a service that was created just now. */
async function open() {
  const cloud = openCloud()
  const { result } = await cloud.send('POST', '/services', { name: 'new', provider: 'aws', region: 'us-east-1' })
  const path = `/services/${result.service.id}/backupConfiguration`
  return {
    ...cloud,
    get: async () => (await cloud.send('GET', path)).result,
    update: (body: object, as?: string) => cloud.send('PATCH', path, body, as ? { as } : {}),
    path,
  }
}

describe('the backup configuration of a service', () => {
  it('changes only the fields of an update, and resets fields that are null to their defaults', async () => {
    const { get, update, activities } = await open()
    expect(await get()).toEqual(defaults)
    expect((await update({ backupStartTime: '13:00' })).result).toEqual({ ...defaults, backupStartTime: '13:00' })
    expect((await update({ backupPeriodInHours: 48 })).result.backupStartTime).toBe('13:00')
    expect((await update({ backupStartTime: null, backupPeriodInHours: null })).result).toEqual(defaults)
    expect(await get()).toEqual(defaults)
    expect(await activities('api')).toEqual([...Array(3).fill('service_update_backup_configuration'), 'service_create'])
  })

  it.each([
    [{ backupStartTime: '13:30' }, 'BAD_REQUEST: customBackupStartTime must be a valid time (HH:00)'],
    [
      { backupStartTime: '13:00', backupPeriodInHours: 12 },
      'BAD_REQUEST: customBackupPeriod must be 24 or 48 hours when customBackupStartTime is set',
    ],
    [
      { backupRetentionPeriodInHours: 25 },
      'BAD_REQUEST: request body.backupRetentionPeriodInHours: Value must be a multiple of 24 <number:25>',
    ],
  ])('is not changed to %j', async (body, error) => {
    const { get, update } = await open()
    expect(await update(body)).toMatchObject({ status: 400, error })
    expect(await get()).toEqual(defaults)
  })

  it('validates a start time against the stored period', async () => {
    const { update } = await open()
    await update({ backupPeriodInHours: 12 })
    expect((await update({ backupStartTime: '13:00' })).status).toBe(400)
  })

  it('is read by a developer, and changed by an admin only', async () => {
    const { send, update, path } = await open()
    const { result } = await send('POST', '/keys', {
      name: 'x',
      roles: ['developer'],
      ipAccessList: [{ source: '0.0.0.0/0' }],
    })
    expect((await send('GET', path, undefined, { as: authorization(result) })).status).toBe(200)
    expect((await update({ backupPeriodInHours: 12 }, authorization(result))).status).toBe(403)
  })

  it('is kept in a saved state', async () => {
    const { update, mock } = await open()
    await update({ backupPeriodInHours: 12 })
    const other = createMock({ now: start, freeze: true })
    other.load(JSON.parse(JSON.stringify(mock.state())))
    expect(other.state()).toEqual(mock.state())
  })
})
