import { describe, expect, it } from 'vitest'
import { alertOn, createStackClient, ids, lineTile } from '../../testing/example-stack.ts'

const hook = { name: 'hook', service: 'generic', url: 'https://hooks.example.test/in' }
const source = {
  kind: 'log',
  name: 'More logs',
  connection: ids.connection,
  from: { databaseName: 'default', tableName: 'otel_logs' },
  timestampValueExpression: 'Timestamp',
  defaultTableSelectExpression: 'Timestamp, Body',
}
const createNewerClient = () => createStackClient(undefined, { edition: '2.36' })

describe('sources', () => {
  it('are listed with `disabled` in the newer edition only', () => {
    const { answer } = createStackClient()
    expect(answer('source.list')[0]).not.toHaveProperty('disabled')
    expect(answer('source.list', { edition: '2.36' })[0]).toHaveProperty('disabled', false)
  })

  it('are created with empty lists and replaced as a whole', () => {
    const { answer } = createNewerClient()
    const created = answer('source.create', { body: { ...source, bodyExpression: 'Body' } })
    expect(created).toMatchObject({ querySettings: [], materializedViews: [], bodyExpression: 'Body' })
    expect(answer('source.update', { id: created.id, body: source })).not.toHaveProperty('bodyExpression')
  })

  it('answer granularities in the short form, also if the long form was sent', () => {
    const { answer } = createNewerClient()
    const view = {
      databaseName: 'default',
      tableName: 'view',
      dimensionColumns: '',
      timestampColumn: 'Timestamp',
      aggregatedColumns: [{ aggFn: 'count', mvColumn: 'n' }],
    }
    const materializedViews = ['5 minute', '5m'].map(minGranularity => ({ ...view, minGranularity }))
    const created = answer('source.create', { body: { ...source, materializedViews } })
    expect(created.materializedViews.map((one: { minGranularity: string }) => one.minGranularity)).toEqual(['5m', '5m'])
  })

  it('refuse an unknown connection', () => {
    const { refusal } = createNewerClient()
    const sentence = (connection: string) => refusal('source.create', { body: { ...source, connection } }).sentence
    expect(sentence('x')).toBe('connection must be a valid connection id')
    expect(sentence(ids.nobody)).toBe('connection must be an existing connection id')
  })
})

describe('webhooks', () => {
  it('never answer headers or query parameters', () => {
    const { answer } = createStackClient()
    expect(Object.keys(answer('webhook.list')[0]).sort()).toEqual(
      ['body', 'createdAt', 'id', 'name', 'service', 'updatedAt', 'url'].sort(),
    )
  })

  it('keep secret headers in a replacement, unless the URL changes', () => {
    const { answer, stack } = createNewerClient()
    const { id } = answer('webhook.create', { body: { ...hook, headers: { 'X-Key': 'secret' } } })
    answer('webhook.update', { id, body: { ...hook, name: 'renamed' } })
    expect(stack.webhooks.get(id)?.headers).toEqual({ 'X-Key': 'secret' })
    answer('webhook.update', { id, body: { ...hook, url: 'https://elsewhere.example.test/' } })
    expect(stack.webhooks.get(id)?.headers).toBeUndefined()
  })

  it('are refused with an existing name, and with a field that their service ignores', () => {
    const { answer, refusal, sentences } = createNewerClient()
    answer('webhook.create', { body: hook })
    expect(refusal('webhook.create', { body: hook }).sentence).toBe(
      'A webhook with this service and name already exists',
    )
    const slack = { ...hook, service: 'slack', url: 'https://hooks.slack.com/x', body: '{}' }
    expect(sentences('webhook.create', { body: slack })).toEqual([
      'body: body is not supported for the slack webhook service',
    ])
  })

  it('share a name only if their services differ, also after an update', () => {
    const { answer, refusal } = createNewerClient()
    const { id } = answer('webhook.create', { body: hook })
    const slack = { name: hook.name, service: 'slack', url: 'https://hooks.slack.com/x' }
    const other = answer('webhook.create', { body: slack })
    expect(other).toMatchObject({ name: hook.name, service: 'slack' })
    expect(answer('webhook.update', { id, body: hook }).id).toBe(id)
    expect(refusal('webhook.update', { id: other.id, body: hook }).sentence).toBe(
      'A webhook with this service and name already exists',
    )
  })

  it('refuse URLs of other schemes, and for Slack of other hosts, with the messages of deployments', () => {
    const { refusal, answer } = createNewerClient()
    const sentence = (service: string, url: string) =>
      refusal('webhook.create', { body: { name: 'x', service, url } }).sentence
    expect(sentence('generic', 'ftp://hooks.example.test/in')).toBe('Webhook URL must use HTTP or HTTPS')
    for (const url of ['https://hooks.example.test/in', 'https://notslack.com/in', 'https://slack.com.example.test/']) {
      expect(sentence('slack', url)).toBe(`Slack Webhook URL ${url} does not have hostname that ends in 'slack.com'`)
    }
    const slack = { name: 'x', service: 'slack', url: 'https://hooks.slack.com/x' }
    expect(answer('webhook.create', { body: slack }).url).toBe(slack.url)
  })

  it('refuse a private address by choice', () => {
    const { refusal, answer } = createNewerClient()
    const body = { ...hook, url: 'http://127.0.0.1:9/in' }
    const choices = { 'webhook/private-address': 'refuse' }
    expect(refusal('webhook.create', { body, choices }).sentence).toBe(
      'Webhook URL resolves to a private or reserved address.',
    )
    expect(answer('webhook.create', { body }).url).toBe(body.url)
  })

  it.each([
    ['192.0.0.1', true],
    ['192.0.2.1', true],
    ['192.0.1.1', false],
    ['198.18.0.1', true],
    ['198.20.0.1', false],
    ['198.51.100.7', true],
    ['203.0.113.9', true],
    ['[::ffff:10.0.0.1]', true],
    ['[::10.0.0.1]', true],
    ['[::ffff:8.8.8.8]', false],
    ['[ff02::1]', true],
    ['[2001:db8::1]', true],
    ['[2001:4860::8888]', false],
    ['[100::1]', true],
    ['localhost.', true],
    ['example.com.', false],
  ])('refuse the host %s by choice if it is reserved: %s', (host, isReserved) => {
    const { answer, refusal } = createNewerClient()
    const part = { body: { ...hook, url: `http://${host}/in` }, choices: { 'webhook/private-address': 'refuse' } }
    if (isReserved) {
      expect(refusal('webhook.create', part).sentence).toBe('Webhook URL resolves to a private or reserved address.')
    } else expect(answer('webhook.create', part).url).toBe(part.body.url)
  })

  it('cannot be deleted while an alert uses them', () => {
    const { answer, refusal, ask } = createNewerClient()
    const board = answer('dashboard.create', { body: { name: 'Shop', tiles: [lineTile] } })
    const alert = answer('alert.create', { body: alertOn(board) })
    expect(refusal('webhook.delete', { id: ids.webhook }).kind).toBe('conflict')
    ask('alert.delete', { id: alert.id })
    expect(ask('webhook.delete', { id: ids.webhook })).toEqual({ kind: 'deleted' })
  })
})

describe('connections', () => {
  it('never answer the password, and keep it when an update omits it', () => {
    const { answer, stack } = createNewerClient()
    const body = { name: 'Other', host: 'http://other.test', username: 'me' }
    const created = answer('connection.create', { body: { ...body, password: 'secret' } })
    expect(created).not.toHaveProperty('password')
    answer('connection.update', { id: created.id, body })
    expect(stack.connections.get(created.id)?.password).toBe('secret')
  })

  it('keep isPrometheusEndpoint, and ignore prometheusEndpoint', () => {
    const { answer, sentences } = createNewerClient()
    const body = { name: 'Other', host: 'http://other.test', username: 'me' }
    const sent = { ...body, isPrometheusEndpoint: true, prometheusEndpoint: 5 }
    const created = answer('connection.create', { body: sent })
    expect(created).toMatchObject({ isPrometheusEndpoint: true })
    expect(created).not.toHaveProperty('prometheusEndpoint')
    expect(answer('connection.update', { id: created.id, body }).isPrometheusEndpoint).toBe(true)
    const cleared = { ...body, isPrometheusEndpoint: false }
    expect(answer('connection.update', { id: created.id, body: cleared }).isPrometheusEndpoint).toBe(false)
    expect(sentences('connection.create', { body: { ...body, isPrometheusEndpoint: null } })).toEqual([
      'isPrometheusEndpoint: Expected boolean, received null',
    ])
  })
})
