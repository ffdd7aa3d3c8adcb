import { describe, expect, it } from 'vitest'
import { openCloud } from '../../testing/open-cloud.ts'

const body = { runtime: 'native', type: 'executable', arguments: [{ name: 'x', type: 'UInt8' }], returnType: 'UInt8' }

function open() {
  const cloud = openCloud()
  const put = async (url: string, text = 'PK\u0003\u0004') => {
    const path = new URL(url).pathname
    return (await cloud.mock.answer({ method: 'PUT', path, query: '', headers: {}, body: text }, 'cloud')).status
  }
  const requestUpload = async () => (await cloud.send('POST', '/udfUploads/url')).result
  const upload = async () => {
    const { uploadId, uploadUrl } = await requestUpload()
    await put(uploadUrl)
    return uploadId as string
  }
  const create = async (functionName: string, more: object = {}) =>
    cloud.send('POST', '/udfs', { ...body, functionName, uploadId: await upload(), ...more })
  return { ...cloud, put, requestUpload, upload, create }
}

describe('a user-defined function', () => {
  it('is built from an upload, with the defaults of its type', async () => {
    const { create, send, wait } = open()
    const { status, result } = await create('double')
    expect(status).toBe(201)
    expect(result).toMatchObject({ ...body, version: 1, status: 'building', poolSize: null, format: 'TabSeparated' })
    wait(60)
    expect((await send('GET', '/udfs/double')).result).toMatchObject({ status: 'ready', error: null })
    expect((await create('pool', { type: 'executable_pool' })).result.poolSize).toBe(3)
    expect((await create('double')).status).toBe(409)
    expect((await create('odd', { poolSize: 2 })).error).toContain('poolSize')
  })

  it('has the sandbox version that is sent if it is in Python, and v1 if it is native', async () => {
    const { create } = open()
    expect((await create('native', { sandboxVersion: 'v3' })).result.sandboxVersion).toBe('v1')
    const python = { runtime: 'python3.11' }
    expect((await create('newer', { ...python, sandboxVersion: 'v3' })).result.sandboxVersion).toBe('v3')
    expect((await create('plain', python)).result.sandboxVersion).toBe('v2')
  })

  it('has further versions, which inherit no fields, and is listed with its newest version', async () => {
    const { create, send, upload } = open()
    await create('double', { format: 'Native' })
    const version = async () => send('POST', '/udfs/double/versions', { ...body, uploadId: await upload() })
    expect((await version()).result).toMatchObject({ version: 2, format: 'TabSeparated' })
    const { result: list } = await send('GET', '/udfs')
    expect(list.map((one: { functionName: string; version: number }) => [one.functionName, one.version])).toEqual([
      ['toEuro', 2],
      ['double', 2],
    ])
    expect((await send('GET', '/udfs/double/versions')).body.totalCount).toBe(2)
    expect((await send('DELETE', '/udfs/double/versions/1')).status).toBe(200)
    expect((await send('DELETE', '/udfs/double/versions/1')).status).toBe(404)
    expect((await send('DELETE', '/udfs/toEuro/versions/2')).status).toBe(409)
  })

  it('is listed in pages', async () => {
    const { create, send } = open()
    for (const name of ['a', 'b', 'c']) await create(name)
    const { body: first } = await send('GET', '/udfs?limit=3')
    expect(first).toMatchObject({ totalCount: 4, limit: 3, nextCursor: expect.any(String) })
    const { body: second } = await send('GET', `/udfs?limit=3&cursor=${encodeURIComponent(first.nextCursor)}`)
    expect(second.result.map((one: { functionName: string }) => one.functionName)).toEqual(['c'])
    expect(second.nextCursor).toBeNull()
    for (const wrong of ['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'page=2'])
      expect((await send('GET', `/udfs?${wrong}`)).status, wrong).toBe(400)
  })

  it('is listed in the shape of the August document by choice', async () => {
    const { send } = openCloud({ choices: { cloud: { 'udf/shape-of-lists': 'within the result' } } })
    const { items, pagination } = (await send('GET', '/udfs?limit=3')).result
    expect(items).toHaveLength(1)
    expect(pagination).toEqual({ totalRecords: 1, currentCursor: null, nextCursor: null, limit: 3 })
  })

  it('is attached to a running service, and deployed and detached some seconds later', async () => {
    const { send, serviceId, wait, mock } = open()
    const path = `/udfs/toEuro/attachments/${serviceId}`
    expect((await send('GET', path)).result).toMatchObject({ status: 'deployed', version: 2 })
    expect((await send('PUT', path, { version: 1 })).result).toMatchObject({ status: 'provisioning', version: 1 })
    wait(20)
    expect((await send('GET', path)).result).toMatchObject({ status: 'deployed', version: 1 })
    expect((await send('PUT', path, { version: 9 })).status).toBe(404)
    mock.records.update('service', serviceId!, { state: 'stopped' })
    expect((await send('GET', path)).result.status).toBe('standby')
    mock.records.update('service', serviceId!, { state: 'idle' })
    expect((await send('GET', path)).result.status).toBe('deployed')
    const refused = await send('PUT', path, {})
    expect(refused).toMatchObject({ status: 424, body: { code: 'SERVICE_IDLE', serviceState: 'idle', canWake: true } })
    expect((await send('DELETE', path)).status).toBe(200)
    expect((await send('GET', path)).result.status).toBe('deprovisioning')
    wait(20)
    expect((await send('GET', path)).status).toBe(404)
  })

  it('is deleted with its versions and attachments', async () => {
    const { send, serviceId } = open()
    expect((await send('DELETE', '/udfs/toEuro')).status).toBe(200)
    for (const path of ['', '/versions', '/attachments', `/attachments/${serviceId}`])
      expect((await send('GET', `/udfs/toEuro${path}`)).status, path).toBe(404)
  })
})

describe('an upload URL', () => {
  it('accepts an archive without credentials, in the world of the key that requested the URL', async () => {
    const { mock } = open()
    const { world } = mock.worlds.open({ name: 'other' })
    const { keyId, keySecret, organizationId } = world.target({ cloud: 'http://cloud.test' }).cloud!
    const authorization = `Basic ${btoa(`${keyId}:${keySecret}`)}`
    const send = async (path: string, text = '') => {
      const call = { method: 'POST', path: `/v1/organizations/${organizationId}${path}`, query: '', body: text }
      return mock.answer({ ...call, headers: { authorization, 'content-type': 'application/json' } }, 'cloud')
    }
    const { uploadUrl, uploadId } = JSON.parse((await send('/udfUploads/url')).body).result
    const { pathname: path, search } = new URL(uploadUrl)
    const archive = { method: 'PUT', path, query: search.slice(1), body: 'PK\u0003\u0004' }
    const headers = { 'content-type': 'application/zip' }
    expect((await mock.answer({ ...archive, headers }, 'cloud')).status).toBe(200)
    const made = await send('/udfs', JSON.stringify({ ...body, functionName: 'mine', uploadId }))
    expect(made.status).toBe(201)
  })

  it('accepts one archive, for one version, until it expires', async () => {
    const { requestUpload, put, send, wait } = open()
    const { uploadId, uploadUrl } = await requestUpload()
    const create = (functionName: string) => send('POST', '/udfs', { ...body, functionName, uploadId })
    expect((await create('early')).error).toContain('has no archive yet')
    expect(await put(uploadUrl, 'no archive')).toBe(400)
    expect(await put(uploadUrl)).toBe(200)
    expect(await put(uploadUrl)).toBe(403)
    expect((await create('first')).status).toBe(201)
    expect((await create('second')).status).toBe(410)
    const late = await requestUpload()
    wait(3600)
    expect(await put(late.uploadUrl)).toBe(404)
  })
})
