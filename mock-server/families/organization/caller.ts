import type { Faults } from '../../faults/fault.ts'
import { anotherId, inRecords } from '../../faults/rewrite.ts'
import { unauthenticated } from '../../words/refusal.ts'
import { answerObject, type Handlers } from '../family.ts'

export const handlers = {
  'caller.get': ({ actor }) => {
    if (actor.kind !== 'key') throw unauthenticated('Expected an API key')
    const { id: keyId, name, organizationId } = actor
    return answerObject({ actorType: 'apiKey', keyId, name, organizationId })
  },
} as const satisfies Handlers

export const faults = {
  'caller/is-a-listed-key': inRecords('caller.get', one => ({ ...one, keyId: anotherId(one.keyId) })),
} as const satisfies Faults
