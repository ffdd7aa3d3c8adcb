import { expect, it } from 'vitest'
import { createMock } from '../../mock-server/mock/mock.ts'
import { compareDocuments } from '../run/document/compare-documents.ts'

it.each(['cloud', 'selfHosted'] as const)('finds no difference between a description of the %s API and itself', api => {
  const document = () => JSON.parse(JSON.stringify(createMock().describe(api)))
  expect(compareDocuments(document(), document())).toEqual([])
  expect(compareDocuments(document(), document(), { isContract: true })).toEqual([])
})

it('ignores a known deviation only for the values that it names', () => {
  const roles = (format?: string) => {
    const document = JSON.parse(JSON.stringify(createMock().describe('cloud')))
    const { id } = document.components.schemas.Role.properties
    if (format) id.format = format
    else delete id.format
    return document
  }
  const changes = (is: object) => compareDocuments(roles('uuid'), is, { isContract: true }).map(({ id }) => id)
  expect(changes(roles())).toEqual([])
  expect(changes(roles('email'))).toEqual(['answer/Role.id/format'])
})

it('finds no difference between a flat list of alternatives and the same alternatives nested', () => {
  const createAlternative = (kind: string, field: string) => ({
    type: 'object',
    required: ['kind', field],
    properties: { kind: { type: 'string', enum: [kind] }, [field]: { type: 'string' } },
  })
  const [plain, sql, other] = [
    createAlternative('line', 'source'),
    createAlternative('line', 'sql'),
    createAlternative('bar', 'source'),
  ]
  const document = (...oneOf: object[]) => {
    const answer = { description: 'Success.', content: { 'application/json': { schema: { oneOf } } } }
    const paths = { '/api/v2/tiles': { get: { operationId: 'tiles', responses: { 200: answer } } } }
    return { openapi: '3.1.0', info: { title: 'Tiles', version: '1' }, paths }
  }
  expect(compareDocuments(document(plain, sql, other), document({ oneOf: [plain, sql] }, other))).toEqual([])
})
