import { describe, expect, it } from 'vitest'
import { contract } from '../../../fixtures/built-contract/index.ts'
import { exampleOf } from '../../core/openapi/openapi-examples.ts'
import { schemasIn } from '../../core/openapi/schemas.ts'
import { openCloud } from '../../testing/open-cloud.ts'

const read = [{ action: 'read', subject: 'Dashboard', integration: 'mongodb', conditions: { team: 'shop' } }]

function open() {
  const cloud = openCloud({ as: { choices: { managed: { 'version/self-hosted-edition': '2.36' } } } })
  const path = `/services/${cloud.serviceId}/observability`
  return { ...cloud, path, roles: `${path}/roles` }
}

describe('a role of a managed stack', () => {
  it('is created, replaced and deleted, and a replacement keeps omitted fields', async () => {
    const { send, roles } = open()
    const made = await send('POST', roles, { name: 'Viewers', description: 'See', permissions: read })
    expect(made.result).toMatchObject({ name: 'Viewers', permissions: read, isPredefined: false })
    const path = `${roles}/${made.result.id}`
    const { result } = await send('PUT', path, { permissions: [] })
    expect(result).toEqual({ ...made.result, permissions: [], updatedAt: result.updatedAt })
    expect((await send('GET', path)).result).toEqual(result)
    expect((await send('GET', roles)).result).toContainEqual(result)
    expect((await send('DELETE', path)).status).toBe(200)
    expect((await send('GET', path)).status).toBe(404)
    expect((await send('DELETE', path)).status).toBe(404)
  })

  it('has a unique name, and requires permissions', async () => {
    const { send, roles } = open()
    await send('POST', roles, { name: 'Viewers', permissions: [] })
    const { result } = await send('POST', roles, { name: 'Others', permissions: [] })
    for (const name of ['viewers', 'Admin'])
      expect(await send('POST', roles, { name, permissions: [] })).toMatchObject({
        status: 400,
        error: 'BAD_REQUEST: A role with this name already exists',
      })
    expect((await send('PUT', `${roles}/${result.id}`, { name: 'Viewers', permissions: [] })).status).toBe(400)
    expect((await send('PUT', `${roles}/${result.id}`, { name: 'Others', permissions: [] })).status).toBe(200)
    expect((await send('POST', roles, { name: 'x' })).error).toBe('BAD_REQUEST: request body.permissions: Required')
  })

  it('has permissions for documents by default, or for rows; those for rows require complete conditions', async () => {
    const { send, roles } = open()
    const make = async (name: string, more: object) =>
      send('POST', roles, { name, permissions: [{ action: 'read', subject: 'Source', ...more }] })
    expect((await make('Older', {})).result.permissions[0].integration).toBe('mongodb')
    const conditions = { connection: '0'.repeat(24), from: {}, where: "team = 'shop'", whereLanguage: 'sql' }
    expect((await make('Rows', { integration: 'clickhouse', conditions })).status).toBe(200)
    expect((await make('Some', { integration: 'clickhouse', conditions: { where: '' } })).status).toBe(400)
    expect((await make('Fax', { subject: 'Fax' })).status).toBe(400)
  })

  it('that is predefined cannot be changed or deleted', async () => {
    const { send, roles } = open()
    const { result } = await send('GET', roles)
    expect(result.map(({ name }: { name: string }) => name)).toEqual(['Admin', 'Member', 'ReadOnly'])
    expect((await send('DELETE', `${roles}/${result[0].id}`)).status).toBe(400)
    expect((await send('PUT', `${roles}/${result[0].id}`, { permissions: [] })).status).toBe(400)
  })
})

describe('the managed stack of the newer edition', () => {
  it('creates, replaces and deletes sources', async () => {
    const { send, path } = open()
    const [first] = (await send('GET', `${path}/sources`)).result
    const body = {
      name: 'Other logs',
      kind: 'log',
      connection: first.connection,
      from: { databaseName: 'default', tableName: 'other_logs' },
      defaultTableSelectExpression: 'Timestamp, Body',
      timestampValueExpression: 'Timestamp',
      filterSettings: { databaseName: 'default', tableName: 'f', columns: [{ name: 'ServiceName', label: 'Service' }] },
    }
    const { result } = await send('POST', `${path}/sources`, body)
    expect(result).toMatchObject(body)
    const ownPath = `${path}/sources/${result.id}`
    expect((await send('PUT', ownPath, { ...body, id: first.id, name: 'Renamed' })).result).toMatchObject({
      id: result.id,
      name: 'Renamed',
    })
    expect((await send('GET', ownPath)).result.name).toBe('Renamed')
    expect((await send('DELETE', ownPath)).status).toBe(200)
    expect((await send('GET', ownPath)).status).toBe(404)
  })

  it('validates a dashboard without creating it, and answers in an envelope', async () => {
    const { send, path } = open()
    const validate = (body: object) => send('POST', `${path}/dashboards/validate`, body)
    expect((await validate({ name: 'Shop', tiles: [] })).result).toMatchObject({ valid: true, errors: [] })
    expect((await validate({ name: 'Shop' })).result).toMatchObject({
      valid: false,
      errors: [{ path: 'tiles' }],
      normalized: null,
    })
  })
})

describe('the OpenAPI example of a role of a managed stack', () => {
  it("names an integration that the vendor's command line knows", () => {
    expect(exampleOf('StackRoleBody', schemasIn(contract, '2.36', 'managed'))).toMatchObject({
      permissions: [{ integration: 'mongodb' }],
    })
  })
})
