import { describe, expect, it } from 'vitest'
import { openCloud } from '../../testing/open-cloud.ts'

const aws = {
  bucketProvider: 'AWS',
  bucketPath: 'https://own.s3.amazonaws.com/nightly',
  iamRoleArn: 'arn:aws:iam::123456789012:role/Backups',
  iamRoleSessionName: 'backups',
}
const gcp = { bucketProvider: 'GCP', bucketPath: 'https://storage.googleapis.com/own/nightly', accessKeyId: 'GOOG1E' }
const azure = { bucketProvider: 'AZURE', containerName: 'backups' }

async function open() {
  const cloud = openCloud()
  const { result } = await cloud.send('POST', '/services', { name: 'new', provider: 'aws', region: 'us-east-1' })
  const service = `/services/${result.service.id}`
  const path = `${service}/backupBucket`
  return {
    ...cloud,
    // Advances the clock without evaluating alerts, which would slow the test.
    wait: (seconds: number) => cloud.mock.clock.advance(seconds * 1000),
    service,
    ask: (method: string, body?: object) => cloud.send(method, path, body),
  }
}

describe('the backup bucket of a service', () => {
  it('does not exist for a new service, and for a seeded service is the bucket of its backups', async () => {
    const { ask, send, serviceId } = await open()
    expect((await ask('GET')).status).toBe(404)
    const { result } = await send('GET', `/services/${serviceId}/backupBucket`)
    const [newest] = (await send('GET', `/services/${serviceId}/backups`)).result
    expect(result).toEqual({ id: expect.any(String), ...newest.bucket })
  })

  it.each([
    [aws, {}],
    [gcp, { secretAccessKey: 'hidden' }],
    [azure, { connectionString: 'hidden' }],
  ])('is created as %j, without showing its secret', async (bucket, secret) => {
    const { ask } = await open()
    const created = await ask('POST', { ...bucket, ...secret })
    expect(created.result).toEqual({ id: expect.any(String), ...bucket })
    expect((await ask('GET')).result).toEqual(created.result)
    expect((await ask('POST', { ...bucket, ...secret })).status).toBe(409)
  })

  it('changes only the fields of an update, which must repeat the secrets of the provider', async () => {
    const { ask } = await open()
    const { id } = (await ask('POST', { ...gcp, secretAccessKey: 'hidden' })).result
    expect(await ask('PATCH', { accessKeyId: 'other' })).toMatchObject({
      status: 400,
      error: 'BAD_REQUEST: request body.secretAccessKey: Required',
    })
    const changed = await ask('PATCH', { accessKeyId: 'other', secretAccessKey: 'hidden' })
    expect(changed.result).toEqual({ id, ...gcp, accessKeyId: 'other' })
    expect((await ask('PATCH', aws)).result).toEqual({ id, ...aws })
    const { iamRoleSessionName: _, ...unnamed } = aws
    expect((await ask('PATCH', { iamRoleSessionName: null })).result).toEqual({ id, ...unnamed })
  })

  it.each([
    [{ ...aws, containerName: 'x' }, "request body property can't be validated: containerName"],
    [{ bucketProvider: 'AZURE', connectionString: 'x' }, 'BAD_REQUEST: request body.containerName: Required'],
  ])('is not created as %j', async (body, error) => {
    const { ask } = await open()
    expect(await ask('POST', body)).toMatchObject({ status: 400, error })
  })

  it('receives the backups until it is deleted', async () => {
    const { ask, send, service, wait } = await open()
    const newest = async () => (await send('GET', `${service}/backups`)).result[0]
    await ask('POST', { ...azure, connectionString: 'hidden' })
    wait(25 * 3600)
    expect(await newest()).toMatchObject({ bucket: azure, backupName: expect.any(String) })
    expect((await ask('DELETE')).status).toBe(200)
    expect((await ask('DELETE')).status).toBe(404)
    wait(24 * 3600)
    expect(await newest()).not.toHaveProperty('bucket')
  })
})
