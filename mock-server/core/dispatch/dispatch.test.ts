import { describe, expect, it } from 'vitest'
import { contract } from '../../../fixtures/built-contract/index.ts'
import { type Choices, resolveChoices } from '../../gaps/choices.ts'
import { createDispatch } from './dispatch.ts'
import { listRoutes } from './routes.ts'

function createRouter(host: 'cloud' | 'selfHosted', choices?: Choices) {
  const resolved = resolveChoices(contract, choices)
  const dispatch = createDispatch(contract, listRoutes(contract, host, resolved, 'here'), resolved, 'here')
  return (method: string, path: string) => {
    const { form, route, params, refusal, isWithinResource } = dispatch({
      method,
      path,
      query: '',
      headers: {},
      body: '',
    })
    return { form, operation: route?.operation, params, refusal, isWithinResource }
  }
}

const service = '/v1/organizations/o/services/s'
const dashboard = '/api/v2/dashboards'

describe('a path of the cloud listener', () => {
  const route = (method: string, path: string) => createRouter('cloud')(method, path)

  it('leads to an operation, with the ids in it', () => {
    expect(route('GET', '/v1/organizations/Org/members')).toEqual({
      form: 'cloud',
      operation: 'member.list',
      params: { organizationId: 'Org' },
      refusal: undefined,
      isWithinResource: false,
    })
    expect(route('GET', `${service}/backups/b`)).toMatchObject({
      operation: 'backup.get',
      params: { organizationId: 'o', serviceId: 's', backupId: 'b' },
    })
    expect(route('POST', `${service}/here/alerts`)).toMatchObject({ form: 'managed', operation: 'alert.create' })
  })

  it('belongs to a form by its first segments, even if it has no route', () => {
    const forms = ['/v1/nothing', `${service}/nothing`, `${service}/here`, `${service}/here/nothing`, '/v2', '/']
    expect(forms.map(path => route('GET', path).form)).toEqual([
      'cloud',
      'cloud',
      'managed',
      'managed',
      undefined,
      undefined,
    ])
    for (const path of forms) {
      const { operation, refusal } = route('GET', path)
      expect(operation).toBeUndefined()
      expect(refusal).toMatchObject({ kind: 'unrouted', sentence: `Cannot GET ${path}` })
    }
  })

  it('is percent-decoded only in its ids', () => {
    expect(route('GET', '/v1/organizations/a%20b/members').params).toEqual({ organizationId: 'a b' })
    expect(route('GET', '/v1/organizations/o/m%65mbers').refusal?.kind).toBe('unrouted')
    expect(route('GET', '/v1/organizations/%ZZ/members')).toMatchObject({
      operation: 'member.list',
      params: { organizationId: '%ZZ' },
      refusal: {
        kind: 'malformed',
        sentence: 'path: "%ZZ" is not percent-encoded text, such as %20',
        details: { gap: 'path/malformed-id' },
      },
    })
  })

  it('is refused with a hint, if it is one of the real cloud API', () => {
    const hintOf = (method: string, path: string) => route(method, path).refusal?.details.hint
    const ofReal = 'mock --as clickhouse-cloud answers it'
    expect(hintOf('POST', `${service}/clickpipes/`)).toBe(`a slash at the end is another path here; ${ofReal}`)
    const segment = 'the segment here is here, not clickstack'
    expect(hintOf('GET', `${service}/clickstack/webhooks`)).toBe(`${segment}; ${ofReal}`)
    expect(hintOf('GET', `${service}/clickstack/alerts/`)).toMatch(/not clickstack, and a slash at the end/)
    expect(hintOf('GET', `${service}/nothing/`)).toBe('')
    expect(route('GET', `${service}/clickstack/dashboards`).refusal?.details.advice).toBe(
      'The nearest operation is GET /v1/organizations/{organizationId}/services/{serviceId}/here/dashboards',
    )
  })

  it('has no route if an id is empty', () => {
    expect(route('GET', '/v1/organizations//members').refusal?.kind).toBe('unrouted')
  })

  it('refuses other methods, and names its own', () => {
    const refusalOf = (method: string, path: string) => route(method, path).refusal
    expect(refusalOf('PATCH', '/v1/organizations/o/members')).toMatchObject({
      kind: 'wrongMethod',
      sentence: 'Cannot PATCH /v1/organizations/o/members',
      details: { allow: 'GET, HEAD, OPTIONS' },
    })
    expect(refusalOf('PATCH', `${service}/here/alerts`)?.details.allow).toBe('GET, POST, HEAD, OPTIONS')
  })

  it('has a literal segment taken literally, even where an id is possible', () => {
    const { params, refusal } = route('TRACE', `${service}/clickpipes/schemaDiscovery`)
    expect(params).not.toHaveProperty('clickPipeId')
    expect(refusal).toMatchObject({ kind: 'wrongMethod', details: { allow: 'POST, OPTIONS' } })
  })
})

describe('a path of the self-hosted listener', () => {
  const route = (method: string, path: string) => createRouter('selfHosted')(method, path)

  it('lies at or below a resource if its first segment after the version names a resource', () => {
    const paths = ['/api/v2', '/api/v2/nothing', '/health', dashboard, `${dashboard}/x`, `${dashboard}/x/y`]
    expect(paths.map(path => route('GET', path).isWithinResource)).toEqual([false, false, false, true, true, true])
    expect(route('GET', '/health')).toMatchObject({ form: 'selfHosted', operation: 'health.get', params: {} })
    expect(route('GET', '/health/').operation).toBe('health.get')
  })

  it('may end with a slash, and with two slashes after the name of a resource', () => {
    expect(
      [`${dashboard}/`, `${dashboard}//`, '/api/v2/', `${dashboard}/x/`].map(path => route('GET', path).operation),
    ).toEqual(['dashboard.list', 'dashboard.list', 'root.get', 'dashboard.get'])
    for (const path of [`${dashboard}///`, `${dashboard}/x//`, '/api/v2//', '/api//v2']) {
      expect(route('GET', path).refusal?.kind).toBe('unrouted')
    }
    const routeStrictly = createRouter('selfHosted', { selfHosted: { 'path/trailing-slash': 'refused' } })
    expect(routeStrictly('GET', `${dashboard}/`).refusal?.kind).toBe('unrouted')
    expect(routeStrictly('GET', dashboard).refusal).toBeUndefined()
  })

  it('may have two slashes after the version and after a resource, as in deployments, which route in steps', () => {
    expect(
      ['/api/v2//dashboards', `${dashboard}//x`, '/api/v2/charts//series'].map(path => route('GET', path)),
    ).toEqual([
      expect.objectContaining({ operation: 'dashboard.list', refusal: undefined }),
      expect.objectContaining({ operation: 'dashboard.get', params: { id: 'x' } }),
      expect.objectContaining({ refusal: expect.objectContaining({ kind: 'wrongMethod' }) }),
    ])
    for (const path of ['/api/v2///dashboards', '//api/v2/dashboards', '/api/v2//nothing']) {
      expect(route('GET', path).refusal?.kind).toBe('unrouted')
    }
    const routeStrictly = createRouter('selfHosted', { selfHosted: { 'path/trailing-slash': 'refused' } })
    expect(routeStrictly('GET', '/api/v2//dashboards').refusal?.kind).toBe('unrouted')
  })

  it('may have any letter case, which ids keep', () => {
    expect(route('GET', '/API/V2/Dashboards/AbC')).toMatchObject({ operation: 'dashboard.get', params: { id: 'AbC' } })
    const routeStrictly = createRouter('selfHosted', { selfHosted: { 'path/letter-case': 'refused' } })
    expect(routeStrictly('GET', '/api/v2/Dashboards').refusal?.kind).toBe('unrouted')
    expect(routeStrictly('GET', `${dashboard}/AbC`).refusal).toBeUndefined()
    const edition = { 'version/self-hosted-edition': '2.36', 'path/letter-case': 'refused' }
    expect(createRouter('selfHosted', { selfHosted: edition })('GET', `${dashboard}/AbC`).refusal).toBeUndefined()
    for (const path of ['/API', '/nothing/']) expect(route('GET', path).refusal?.kind).toBe('unrouted')
  })

  it('is routed for HEAD as for GET, unless the choice is to refuse HEAD', () => {
    expect(['/health', dashboard].map(path => route('HEAD', path).operation)).toEqual(['health.get', 'dashboard.list'])
    expect(route('HEAD', '/api/v2/charts/series').refusal).toMatchObject({ details: { allow: 'POST, OPTIONS' } })
    const routeStrictly = createRouter('selfHosted', { selfHosted: { 'service/head': 'refused' } })
    expect(routeStrictly('HEAD', dashboard).refusal?.kind).toBe('wrongMethod')
  })

  it('has a literal segment taken as an id where the literal has no route for the method', () => {
    const routeNewer = createRouter('selfHosted', { selfHosted: { 'version/self-hosted-edition': '2.36' } })
    expect(routeNewer('POST', `${dashboard}/validate`).operation).toBe('dashboard.validate')
    expect(routeNewer('PUT', `${dashboard}/validate`)).toMatchObject({
      operation: 'dashboard.update',
      params: { id: 'validate' },
    })
  })
})
