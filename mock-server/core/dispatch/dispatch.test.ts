import { describe, expect, it } from 'vitest'
import { type Choices, resolveChoices } from '../../gaps/choices.ts'
import { createDispatch } from './dispatch.ts'
import { listRoutes } from './routes.ts'

function open(host: 'cloud' | 'selfHosted', choices?: Choices) {
  const taken = resolveChoices(choices)
  const dispatch = createDispatch(listRoutes(host, taken, 'here'), taken, 'here')
  return (method: string, path: string) => {
    const { form, route, params, refusal, isBelowResource } = dispatch({
      method,
      path,
      query: '',
      headers: {},
      body: '',
    })
    return { form, operation: route?.operation, params, refusal, isBelowResource }
  }
}

const service = '/v1/organizations/o/services/s'
const dashboard = '/api/v2/dashboards'

describe('a path of the cloud listener', () => {
  const go = (method: string, path: string) => open('cloud')(method, path)

  it('leads to an operation, with the ids in it', () => {
    expect(go('GET', '/v1/organizations/Org/members')).toEqual({
      form: 'cloud',
      operation: 'member.list',
      params: { organizationId: 'Org' },
      refusal: undefined,
      isBelowResource: false,
    })
    expect(go('GET', `${service}/backups/b`)).toMatchObject({
      operation: 'backup.get',
      params: { organizationId: 'o', serviceId: 's', backupId: 'b' },
    })
    expect(go('POST', `${service}/here/alerts`)).toMatchObject({ form: 'managed', operation: 'alert.create' })
  })

  it('belongs to the form in which it begins, also where it ends nowhere', () => {
    const forms = ['/v1/nothing', `${service}/nothing`, `${service}/here`, `${service}/here/nothing`, '/v2', '/']
    expect(forms.map(path => go('GET', path).form)).toEqual([
      'cloud',
      'cloud',
      'managed',
      'managed',
      undefined,
      undefined,
    ])
    for (const path of forms) {
      const { operation, refusal } = go('GET', path)
      expect(operation).toBeUndefined()
      expect(refusal).toMatchObject({ kind: 'unrouted', sentence: `Cannot GET ${path}` })
    }
  })

  it('has its ids decoded, and no others of its words', () => {
    expect(go('GET', '/v1/organizations/a%20b/members').params).toEqual({ organizationId: 'a b' })
    expect(go('GET', '/v1/organizations/o/m%65mbers').refusal?.kind).toBe('unrouted')
    expect(go('GET', '/v1/organizations/%ZZ/members')).toMatchObject({
      operation: 'member.list',
      params: { organizationId: '%ZZ' },
      refusal: {
        kind: 'malformed',
        sentence: 'path: "%ZZ" is not percent-encoded text, such as %20',
        details: { gap: 'path/malformed-id' },
      },
    })
  })

  it('needs every id', () => {
    expect(go('GET', '/v1/organizations//members').refusal?.kind).toBe('unrouted')
  })

  it('names the methods that it has when another one comes', () => {
    const refusalOf = (method: string, path: string) => go(method, path).refusal
    expect(refusalOf('PATCH', '/v1/organizations/o/members')).toMatchObject({
      kind: 'wrongMethod',
      sentence: 'Cannot PATCH /v1/organizations/o/members',
      details: { allow: 'GET, HEAD, OPTIONS' },
    })
    expect(refusalOf('PATCH', `${service}/here/alerts`)?.details.allow).toBe('GET, POST, HEAD, OPTIONS')
  })

  it('does not take a literal segment for the id beside it, nor names the methods of the id', () => {
    const { params, refusal } = go('TRACE', `${service}/clickpipes/schemaDiscovery`)
    expect(params).not.toHaveProperty('clickPipeId')
    expect(refusal).toMatchObject({ kind: 'wrongMethod', details: { allow: 'POST, OPTIONS' } })
  })
})

describe('a path of the self-hosted listener', () => {
  const go = (method: string, path: string) => open('selfHosted')(method, path)

  it('is known from the first word below the version on', () => {
    const known = ['/api/v2', '/api/v2/nothing', '/health', dashboard, `${dashboard}/x`, `${dashboard}/x/y`]
    expect(known.map(path => go('GET', path).isBelowResource)).toEqual([false, false, false, true, true, true])
    expect(go('GET', '/health')).toMatchObject({ form: 'selfHosted', operation: 'health.get', params: {} })
  })

  it('may end in a slash, the name of a resource also in two', () => {
    expect(
      [`${dashboard}/`, `${dashboard}//`, '/api/v2/', `${dashboard}/x/`].map(path => go('GET', path).operation),
    ).toEqual(['dashboard.list', 'dashboard.list', 'root.get', 'dashboard.get'])
    for (const path of [`${dashboard}///`, `${dashboard}/x//`, '/api/v2//', '/api//v2']) {
      expect(go('GET', path).refusal?.kind).toBe('unrouted')
    }
    const strict = open('selfHosted', { selfHosted: { 'path/trailing-slash': 'refused' } })
    expect(strict('GET', `${dashboard}/`).refusal?.kind).toBe('unrouted')
    expect(strict('GET', dashboard).refusal).toBeUndefined()
  })

  it('may have two slashes after the version and after a resource, where deployments route in steps', () => {
    expect(['/api/v2//dashboards', `${dashboard}//x`, '/api/v2/charts//series'].map(path => go('GET', path))).toEqual([
      expect.objectContaining({ operation: 'dashboard.list', refusal: undefined }),
      expect.objectContaining({ operation: 'dashboard.get', params: { id: 'x' } }),
      expect.objectContaining({ refusal: expect.objectContaining({ kind: 'wrongMethod' }) }),
    ])
    for (const path of ['/api/v2///dashboards', '//api/v2/dashboards', '/api/v2//nothing']) {
      expect(go('GET', path).refusal?.kind).toBe('unrouted')
    }
    const strict = open('selfHosted', { selfHosted: { 'path/trailing-slash': 'refused' } })
    expect(strict('GET', '/api/v2//dashboards').refusal?.kind).toBe('unrouted')
  })

  it('may come in any letter case, but for its ids', () => {
    expect(go('GET', '/API/V2/Dashboards/AbC')).toMatchObject({ operation: 'dashboard.get', params: { id: 'AbC' } })
    const strict = open('selfHosted', { selfHosted: { 'path/letter-case': 'refused' } })
    expect(strict('GET', '/api/v2/Dashboards').refusal?.kind).toBe('unrouted')
    expect(strict('GET', `${dashboard}/AbC`).refusal).toBeUndefined()
    const edition = { 'version/self-hosted-edition': '2.36', 'path/letter-case': 'refused' }
    expect(open('selfHosted', { selfHosted: edition })('GET', `${dashboard}/AbC`).refusal).toBeUndefined()
    for (const path of ['/API', '/nothing/']) expect(go('GET', path).refusal?.kind).toBe('unrouted')
  })

  it('answers HEAD as GET, unless that is refused', () => {
    expect(['/health', dashboard].map(path => go('HEAD', path).operation)).toEqual(['health.get', 'dashboard.list'])
    expect(go('HEAD', '/api/v2/charts/series').refusal).toMatchObject({ details: { allow: 'POST, OPTIONS' } })
    const strict = open('selfHosted', { selfHosted: { 'service/head': 'refused' } })
    expect(strict('HEAD', dashboard).refusal?.kind).toBe('wrongMethod')
  })

  it('is an id for the methods that a word in its place has no route for', () => {
    const newer = open('selfHosted', { selfHosted: { 'version/self-hosted-edition': '2.36' } })
    expect(newer('POST', `${dashboard}/validate`).operation).toBe('dashboard.validate')
    expect(newer('PUT', `${dashboard}/validate`)).toMatchObject({
      operation: 'dashboard.update',
      params: { id: 'validate' },
    })
  })
})
