import { expect, it } from 'vitest'
import type { Usage } from '../../../fixtures/usage.ts'
import type { Drift } from '../../report/report.ts'
import { createUseMarker } from './mark-use.ts'

const usage: Usage = {
  usage: 1,
  operations: {
    'GET /v1/organizations/{organizationId}/members': {
      id: 'member.list',
      count: 3,
      statuses: { 200: 3, 404: 1 },
      ignored: ['$.result[].name'],
    },
    'GET /api/v2/alerts': { id: 'alert.list', count: 2, from: ['a > b'], statuses: { 200: 2 } },
  },
}

const path = '/v1/organizations/{organizationId}/members'
const isUsed = (id: string, part: Drift['part'], operations?: Drift['operations']) => {
  const drift = {
    fingerprint: '',
    part,
    kind: 'breaking',
    id,
    was: 1,
    is: 2,
    ...(operations && { operations }),
  } as const
  return createUseMarker(usage)([drift])[0]!.usedBy!.length > 0
}

it.each([
  ['shapes', 'cloud member.list $.result[].role', true],
  ['shapes', 'cloud member.list $.result[].name', false],
  ['shapes', 'cloud member.list', true],
  ['shapes', 'managed alert.list $.data[].name', false],
  ['shapes', 'selfHosted alert.list $.data[].name', true],
  ['shapes', 'cloud key.list $.result[].name', false],
  ['choices', 'selfHosted alert/order-of-list', true],
  ['choices', 'cloud key/order-of-list', false],
  ['choices', 'cloud path/unknown-path', true],
  ['choices', 'managed path/unknown-path', false],
] as const)('a difference of %s touches the use: %s, %s', (part, id, expected) => {
  expect(isUsed(id, part)).toBe(expected)
})

it.each([
  ['answered/member.list:$.result[].role/enum', true],
  ['answered/member.list:$.result[].name/type', false],
  ['answered/member.list:404$.error/type', true],
  ['answered/member.list:403$.error/type', false],
])('an answer that differs from a document touches the use: %s, %s', (id, expected) => {
  expect(isUsed(id, 'document', [{ id: 'member.list', method: 'GET', path }])).toBe(expected)
  expect(isUsed(id, 'document', [{ id: 'key.list', method: 'GET', path: '/v1/organizations/{id}/keys' }])).toBe(false)
})
