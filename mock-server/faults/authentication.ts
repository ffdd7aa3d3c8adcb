import { type Operation, operations } from '../../fixtures/contract/index.ts'
import type { Fault, FaultContext, Faults } from './fault.ts'
import { type Probe, recogniseProbe } from './recognise-probe.ts'
import { answerWithoutWriting } from './rewrite.ts'

/** Whether the specification shows the operation in this form; undefined for one without authentication. */
function findProminence({ form, operation }: FaultContext): 'shown' | 'elsewhere' | undefined {
  if (form === undefined || operation === undefined) return undefined
  const { shownForms, isPublic }: Operation = operations[operation]
  if (isPublic) return undefined
  return shownForms?.includes(form) ? 'shown' : 'elsewhere'
}

/**
 * Accepts one kind of wrong credentials. Creations are performed; changes and deletions are answered without being done,
 * because other rules are judged by the same records.
 */
const acceptProbe =
  (probe: Probe, where: 'shown' | 'elsewhere'): (() => Fault) =>
  () =>
  async (call, next, context) => {
    if (findProminence(context) !== where || recogniseProbe(call.headers.authorization, context) !== probe)
      return next(call)
    const good = { ...call, headers: { ...call.headers, authorization: context.authorization.own } }
    return ['PUT', 'PATCH', 'DELETE'].includes(call.method) ? answerWithoutWriting(good, next) : next(good)
  }

export const faults = {
  'auth/no-credentials-are-refused': acceptProbe('none', 'shown'),
  'auth/no-credentials-are-refused-elsewhere': acceptProbe('none', 'elsewhere'),
  'auth/empty-secret-is-refused': acceptProbe('empty secret', 'shown'),
  'auth/empty-secret-is-refused-elsewhere': acceptProbe('empty secret', 'elsewhere'),
  'auth/wrong-secret-is-refused': acceptProbe('wrong secret', 'shown'),
  'auth/wrong-secret-is-refused-elsewhere': acceptProbe('wrong secret', 'elsewhere'),
  'auth/near-miss-is-refused': acceptProbe('near miss', 'shown'),
  'auth/missing-scheme-is-refused': acceptProbe('no scheme', 'shown'),
  'auth/wrong-key-id-is-refused': acceptProbe('wrong key id', 'shown'),
  'auth/wrong-key-id-is-refused-elsewhere': acceptProbe('wrong key id', 'elsewhere'),
  'auth/wrong-scheme-is-refused': acceptProbe('wrong scheme', 'shown'),
  'auth/wrong-scheme-is-refused-elsewhere': acceptProbe('wrong scheme', 'elsewhere'),
  'auth/malformed-credentials-are-refused': acceptProbe('malformed', 'shown'),
  'auth/malformed-credentials-are-refused-elsewhere': acceptProbe('malformed', 'elsewhere'),
  'auth/other-forms-credentials-are-refused': acceptProbe('other form', 'shown'),
  'auth/other-forms-credentials-are-refused-elsewhere': acceptProbe('other form', 'elsewhere'),
  'auth/ingestion-key-is-refused': acceptProbe('ingestion key', 'shown'),
  'auth/ingestion-key-is-refused-elsewhere': acceptProbe('ingestion key', 'elsewhere'),
} as const satisfies Faults
