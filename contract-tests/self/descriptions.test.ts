import { expect, it } from 'vitest'
import { describe as describeForm } from '../../mock-server/core/openapi/openapi.ts'
import { compareDocuments } from '../run/document/compare-documents.ts'

it.each(['cloud', 'selfHosted'] as const)('finds no difference between a description of the %s API and itself', api => {
  const document = () => JSON.parse(JSON.stringify(describeForm(api)))
  expect(compareDocuments(document(), document())).toEqual([])
  expect(compareDocuments(document(), document(), { isContract: true })).toEqual([])
})
