import type { Edition } from '../../fixtures/contract/index.ts'
import type { Handlers } from './family.ts'
import { teams } from './team/model.ts'

export { faults } from '../faults/api.ts'

/** The releases whose answers were recorded as the editions. */
const releases: Readonly<Record<Edition, string>> = { '2.24': '2.24.1', '2.36': '2.36.0' }

export const handlers = {
  'description.get': ({ describe }) => ({ kind: 'bare', json: JSON.stringify(describe()) }),
  'root.get': request => {
    const { user } = request.in(teams).get('team')!
    return { kind: 'bare', json: JSON.stringify({ version: 'v2', user }) }
  },
  'health.get': ({ edition }) => {
    const health = { data: 'OK', version: releases[edition], ip: '127.0.0.1', env: 'production' }
    return { kind: 'bare', json: JSON.stringify(health) }
  },
} as const satisfies Handlers
