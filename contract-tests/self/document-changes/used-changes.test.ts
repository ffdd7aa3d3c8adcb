import { beforeAll, describe, expect, it } from 'vitest'
import { createProofMock } from '../../../cli.ts'
import type { Usage } from '../../../fixtures/usage.ts'
import { createMock } from '../../../mock-server/index.ts'
import { compareDocuments } from '../../run/document/compare-documents.ts'
import { readDocument } from '../../run/document/read-document.ts'
import type { ProofMock } from '../../run/usage/arrange-request.ts'
import { createUseJudge } from '../../run/usage/judge-use.ts'
import { proveUse } from '../../run/usage/prove-use.ts'
import type { Loose } from './changes.ts'
import { described } from './describe-changed.ts'

/** Single changes of a document, half of which touch what an example uses. */

const below = (name: string) => `/v1/organizations/{organizationId}/${name}`
const paths = ['keys', 'invitations', 'usageCost', 'activities'].map(below)

/** Our description of the paths that the example uses, and of others. */
const whole = described('cloud')
whole.paths = Object.fromEntries(paths.map(path => [path, whole.paths[path]]))
// Comparisons take a tenth of the time without the schemas of other operations.
const schemas = Object.entries<Loose>(whole.components.schemas)
const isNeeded = (name: string) => /^(?:Key|CreatedKey|Invitation|UsageCost|Activity|Assigned)/.test(name)
whole.components.schemas = Object.fromEntries(schemas.filter(([name]) => isNeeded(name)))
// A field that may be null, and is not sent.
whole.components.schemas.KeyBody.properties.hashData.type = ['object', 'null']
const text = JSON.stringify(whole)

let usage: Usage
beforeAll(async () => {
  const mock = createMock({ logs: 1 })
  const { baseUrl, organizationId, keyId, keySecret } = mock.target().cloud
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}`, 'content-type': 'application/json' }
    const { status } = await mock.fetch(`${baseUrl}/v1/organizations/${organizationId}/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(status).toBe(200)
  }
  const key = { name: 'deploy', roles: ['developer'], ipAccessList: [{ source: '10.0.0.0/8' }] }
  await send('POST', 'keys', { ...key, state: 'enabled', expireAt: null })
  await send('POST', 'keys', key)
  await send('GET', 'keys?limit=20')
  await send('GET', 'usageCost?from_date=2026-01-01&to_date=2026-01-02')
  usage = mock.usage()
})

const body = ({ components }: Loose, name = 'KeyBody') => components.schemas[name]
const parameter = ({ paths }: Loose, path: string, name: string) =>
  paths[below(path)].get.parameters.find((one: Loose) => one.name === name)
const operation = ({ paths }: Loose, path: string, method = 'get') => paths[below(path)][method]
const jsonOf = (operation: Loose) => operation.responses[200].content['application/json'].schema

type Change = (document: Loose) => unknown

/** By name: a change that touches the example, and one of the same kind that does not. */
const changes: Readonly<Record<string, { readonly touching: Change; readonly other: Change }>> = {
  'an operation is gone': {
    touching: ({ paths }) => delete paths[below('usageCost')].get,
    other: ({ paths }) => delete paths[below('activities')].get,
  },
  'a field of a request is gone': {
    touching: document => delete body(document).properties.state,
    other: document => delete body(document).properties.hashData,
  },
  'a field has another type': {
    touching: document => (body(document).properties.name = { type: 'integer' }),
    other: document => (body(document).properties.assignedRoleIds = { type: 'string' }),
  },
  'a field is required now': {
    // One of two calls omits it.
    touching: document => body(document).required.push('state'),
    other: document => body(document).required.push('ipAccessList'),
  },
  'a nested field changes': {
    touching: document => body(document).properties.ipAccessList.items.required.push('description'),
    other: document => (body(document).properties.hashData.properties.keyIdHash.minLength = 9),
  },
  'a new field is required': {
    touching: document => {
      body(document).properties.team = { type: 'string' }
      body(document).required.push('team')
    },
    other: document => {
      body(document, 'InvitationBody').properties.team = { type: 'string' }
      body(document, 'InvitationBody').required.push('team')
    },
  },
  'a value is gone': {
    touching: document => body(document).properties.roles.items.enum.splice(1, 1),
    other: document => body(document).properties.roles.items.enum.splice(2, 1),
  },
  'values are listed': {
    touching: document => (body(document).properties.name.enum = ['a', 'b']),
    other: document => (body(document).properties.assignedRoleIds.items.enum = ['a']),
  },
  'a text is shorter': {
    touching: document => (body(document).properties.name.maxLength = 3),
    other: document => (body(document).properties.name.maxLength = 64),
  },
  'a list has a bound': {
    touching: document => (body(document).properties.ipAccessList.minItems = 2),
    other: document => (body(document).properties.ipAccessList.maxItems = 9),
  },
  'a number has a bound': {
    touching: document => (parameter(document, 'keys', 'limit').schema.maximum = 10),
    other: document => (parameter(document, 'keys', 'limit').schema.maximum = 25),
  },
  'a field has a format': {
    touching: document => (body(document).properties.name.format = 'uuid'),
    other: document => (body(document).properties.hashData.properties.keyIdHash.format = 'uuid'),
  },
  'null is refused': {
    touching: document => (body(document).properties.expireAt.type = 'string'),
    other: document => (body(document).properties.hashData.type = 'object'),
  },
  'a parameter is gone': {
    touching: document => operation(document, 'keys').parameters.splice(1, 1),
    other: document => operation(document, 'keys').parameters.splice(2, 1),
  },
  'a parameter is required now': {
    touching: document => (parameter(document, 'usageCost', 'filter').required = true),
    other: document => (parameter(document, 'keys', 'limit').required = true),
  },
  'a field of an answer is gone': {
    touching: document => delete body(document, 'Key').properties.keySuffix,
    other: document => delete body(document, 'Invitation').properties.email,
  },
  'a field of an answer has another type': {
    touching: document => (body(document, 'UsageCost').properties.grandTotalCHC = { type: 'string' }),
    other: document => (body(document, 'Activity').properties.type = { type: 'integer' }),
  },
  'an answer is an object': {
    touching: document => (jsonOf(operation(document, 'keys')).properties.result = { type: 'object' }),
    other: document => (jsonOf(operation(document, 'invitations')).properties.result = { type: 'object' }),
  },
  'a permission is needed': {
    touching: document => operation(document, 'keys', 'post').security[0].basic.push('more'),
    other: document => operation(document, 'invitations', 'post').security[0].basic.push('more'),
  },
  'a media type is gone': {
    touching: document => (operation(document, 'keys', 'post').requestBody.content = { 'text/csv': {} }),
    other: document => (operation(document, 'invitations', 'post').requestBody.content = { 'text/csv': {} }),
  },
}

/** The breaking differences that a change makes, and the uses that they touch. */
function judge(change: Change) {
  const changed = JSON.parse(text)
  change(changed)
  const drift = compareDocuments(whole, changed, { judgeUse: createUseJudge(usage) })
  return drift.filter(({ kind }) => kind === 'breaking')
}

describe('20 changes that touch what an example uses, and 20 that do not', () => {
  it.each(Object.entries(changes))('are told apart: %s', (_, { touching, other }) => {
    const [own, others] = [touching, other].map(judge)
    expect(own!.map(({ usedBy }) => usedBy!.length > 0)).toEqual(own!.map(() => true))
    expect(own!.length).toBeGreaterThan(0)
    expect(others!.length).toBeGreaterThan(0)
    expect(others!.flatMap(({ usedBy }) => usedBy)).toEqual([])
  })

  it('are 20 and 20', () => {
    expect(Object.keys(changes)).toHaveLength(20)
  })
})

/** By name: what no request shows, since the mock keeps to the specification and to deployments, or does not take it over. */
const unshown: Readonly<Record<string, string>> = {
  'a parameter is required now': 'the mock of the newer document accepts what the recorded requests send',
  'an answer is an object': 'the answers of both mocks are alike there',
  'a permission is needed': 'the mock of the newer document accepts what the recorded requests send',
  'a media type is gone': 'the mock of the newer document accepts what the recorded requests send',
}

describe('the recorded requests, sent to mocks of both documents', () => {
  let was: ProofMock
  beforeAll(async () => {
    was = await createProofMock('cloud', whole)
  })
  const prove = async (...all: readonly Change[]) => {
    const changed = JSON.parse(text)
    for (const change of all) change(changed)
    const drift = compareDocuments(whole, changed, { judgeUse: createUseJudge(usage) })
    return proveUse(drift, usage, readDocument(whole).operations, { was, is: await createProofMock('cloud', changed) })
  }

  it.each(Object.entries(changes))('show what touches them, or why they do not: %s', async (name, { touching }) => {
    const { drift, proof } = await prove(touching)
    const uses = drift.flatMap(({ kind, usedBy = [] }) => (kind === 'breaking' ? usedBy : []))
    expect(uses.map(one => one.unproven ?? (one.proof && 'shown'))).toEqual(uses.map(() => unshown[name] ?? 'shown'))
    expect(proof).toMatchObject({ refused: 0, unexpected: [] })
  })

  it('show nothing of changes that do not touch them', async () => {
    // What removes a place comes last.
    const all = Object.values(changes)
      .map(({ other }) => other)
      .reverse()
    const { drift, proof } = await prove(...all)
    expect(drift.flatMap(({ usedBy }) => usedBy)).toEqual([])
    expect(proof).toMatchObject({ requests: 3, refused: 0, unexpected: [] })
  })
})

describe('the fix of a change that touches the example', () => {
  it.each([
    ['a field of a request is gone', 'Leave out $.state.'],
    ['a field has another type', 'Send $.name as integer.'],
    ['a field is required now', 'Send $.state ("enabled" or "disabled").'],
    ['a nested field changes', 'Send $.ipAccessList[].description (string).'],
    ['a new field is required', 'Send $.team (string).'],
    ['a value is gone', 'Send another value for $.roles[] than "developer": "admin" or "query_endpoints".'],
    ['values are listed', 'Send for $.name only "a" or "b".'],
    ['a text is shorter', 'Send at most 3 characters for $.name.'],
    ['a list has a bound', 'Send at least 2 items for $.ipAccessList.'],
    ['a number has a bound', 'Send at most 10 for the parameter limit.'],
    ['a field has a format', 'Send $.name in the format uuid.'],
    ['null is refused', 'Send $.expireAt (string), or leave it out, instead of null.'],
    ['a parameter is gone', 'Leave out the parameter limit.'],
    ['a parameter is required now', 'Send the parameter filter (array).'],
    ['a permission is needed', 'Give the key the permission more.'],
    ['a media type is gone', 'Send the body as text/csv.'],
    ['an operation is gone', undefined],
    ['a field of an answer is gone', undefined],
  ])('%s: %s', (name, fix) => {
    expect([...new Set(judge(changes[name]!.touching).flatMap(({ usedBy }) => usedBy!.map(use => use.fix)))]).toEqual([
      fix,
    ])
  })
})
