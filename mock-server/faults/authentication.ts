import { type Operation, operations } from '../../fixtures/contract/index.ts'
import type { Fault, FaultContext, Faults } from './fault.ts'
import { type Probe, recogniseProbe } from './recognise-probe.ts'
import { pretend } from './rewrite.ts'

function findStanding({ form, operation }: FaultContext): 'shown' | 'elsewhere' | undefined {
  if (form === undefined || operation === undefined) return undefined
  const { shown, isPublic }: Operation = operations[operation]
  if (isPublic) return undefined
  return shown?.includes(form) ? 'shown' : 'elsewhere'
}

/**
 * Accepts one kind of wrong credentials. Creations are performed; changes and deletions are only pretended, because other
 * rules are judged by the same records.
 */
const letThrough =
  (probe: Probe, where: 'shown' | 'elsewhere'): (() => Fault) =>
  () =>
  async (call, next, context) => {
    if (findStanding(context) !== where || recogniseProbe(call.headers.authorization, context) !== probe)
      return next(call)
    const good = { ...call, headers: { ...call.headers, authorization: context.authorization.own } }
    return ['PUT', 'PATCH', 'DELETE'].includes(call.method) ? pretend(good, next) : next(good)
  }

export const faults = {
  'auth/no-credentials-are-refused': letThrough('none', 'shown'),
  'auth/no-credentials-are-refused-elsewhere': letThrough('none', 'elsewhere'),
  'auth/empty-secret-is-refused': letThrough('empty secret', 'shown'),
  'auth/empty-secret-is-refused-elsewhere': letThrough('empty secret', 'elsewhere'),
  'auth/wrong-secret-is-refused': letThrough('wrong secret', 'shown'),
  'auth/wrong-secret-is-refused-elsewhere': letThrough('wrong secret', 'elsewhere'),
  'auth/near-miss-is-refused': letThrough('near miss', 'shown'),
  'auth/missing-scheme-is-refused': letThrough('no scheme', 'shown'),
  'auth/wrong-key-id-is-refused': letThrough('wrong key id', 'shown'),
  'auth/wrong-key-id-is-refused-elsewhere': letThrough('wrong key id', 'elsewhere'),
  'auth/wrong-scheme-is-refused': letThrough('wrong scheme', 'shown'),
  'auth/wrong-scheme-is-refused-elsewhere': letThrough('wrong scheme', 'elsewhere'),
  'auth/malformed-credentials-are-refused': letThrough('malformed', 'shown'),
  'auth/malformed-credentials-are-refused-elsewhere': letThrough('malformed', 'elsewhere'),
  'auth/other-forms-credentials-are-refused': letThrough('other form', 'shown'),
  'auth/other-forms-credentials-are-refused-elsewhere': letThrough('other form', 'elsewhere'),
  'auth/ingestion-key-is-refused': letThrough('ingestion key', 'shown'),
  'auth/ingestion-key-is-refused-elsewhere': letThrough('ingestion key', 'elsewhere'),
} as const satisfies Faults
