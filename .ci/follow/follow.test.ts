import { describe, expect, it } from 'vitest'
import { contract } from '../../fixtures/built-contract/index.ts'
import { layOver } from '../../fixtures/built-contract/lay-over.ts'
import { readDocument } from '../../fixtures/built-contract/read-document.ts'
import { canMatch, isKept } from '../../fixtures/built-contract/terms.ts'
import { createMock } from '../../mock-server/index.ts'
import { listDecisions, listOperations } from './decisions.ts'
import { renderDocument, stripDocument } from './strip-document.ts'

const service = '/v1/organizations/{organizationId}/services/{serviceId}'

/** The description of the mock with a new resource and a new field of keys. */
function writeNewer() {
  const document = JSON.parse(JSON.stringify(createMock({ as: 'clickhouse-cloud' }).describe('cloud')))
  const item = { type: 'object', properties: { id: { type: 'string' }, description: { type: 'string', maxLength: 9 } } }
  const answer = { content: { 'application/json': { schema: { properties: { result: item } } } } }
  const body = { content: { 'application/json': { schema: item } } }
  document.paths[`${service}/pipelines`] = {
    get: { tags: ['Pipes'], summary: 'Prose.', responses: { 200: { description: 'Prose.', ...answer } } },
    post: { requestBody: body, responses: { 200: answer } },
  }
  document.paths[`${service}/pipelines/{id}`] = { get: { responses: { 200: answer } } }
  document.components.schemas.KeyBody.properties.team = { type: 'string', description: 'Prose.', example: 'ops' }
  return document
}

const files = [
  { path: 'fixtures/contract/families.ts', text: '' },
  { path: 'fixtures/contract/key.ts', text: "\nexport const keyBody = {\n  'key.list': {" },
]
const decide = (document: unknown) => {
  const hasModel = (resource: string) => `${resource}.get` in contract.operations
  return listDecisions(layOver(contract, readDocument(document), { stays: isKept, canMatch, hasModel }), files)
}

describe('a newer document', () => {
  const document = writeNewer()

  it('leaves to decide what its new operations do, and what it says otherwise, with the place to write it', () => {
    expect(decide(createMock({ as: 'clickhouse-cloud' }).describe('cloud'))).toEqual([])
    const decisions = decide(document)
    expect(decisions).toContain(
      `fixtures/contract/families.ts(1,1): error: pipeline.create (POST ${service}/pipelines): nobody has decided its effect, permission, lag, undo and activities; write 'pipeline.create': { effect: …, lagInSeconds: …, activities: […] }`,
    )
    expect(decisions).toContain(
      'fixtures/contract/key.ts(2,1): error: keyBody.team: new string; change the contract, or list it in fixtures/documents/stays.ts',
    )
  })

  it('is written without prose, a line for each operation, and says the same', () => {
    const text = renderDocument(stripDocument(document))
    for (const prose of ['Prose.', '"example":"ops"', '"summary":"']) expect(text.includes(prose)).toBe(false)
    expect(text.includes('"description":{"type":"string","maxLength":9}')).toBe(true)
    expect(text.split('\n').filter(line => line.includes('"maxLength":9')).length).toBe(3)
    expect(decide(JSON.parse(text))).toEqual(decide(document))
  })

  it('keeps the groups of known operations in the list', () => {
    const lines = listOperations(document, ['Keys\tGET\t/v1/organizations/{organizationId}/keys'])
    expect(lines).toContain('Keys\tGET\t/v1/organizations/{organizationId}/keys')
    expect(lines).toContain(`Pipes\tGET\t${service}/pipelines`)
  })
})
