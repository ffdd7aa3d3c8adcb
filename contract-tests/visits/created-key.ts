import { isObject } from '../engine/recognise.ts'
import type { Past, Step } from '../engine/step.ts'
import { skip } from './life.ts'

/** The Authorization header of the key that a step created; its secret is shown in the answer alone. */
function credentialsOf(past: Past, creation: string): string | undefined {
  const json = past.exchange(creation)?.json
  const { result = json } = isObject(json) ? json : {}
  const { keyId, keySecret } = isObject(result) ? result : {}
  return past.created(creation) !== undefined && keyId && keySecret
    ? `Basic ${btoa(`${keyId}:${keySecret}`)}`
    : undefined
}

/** A request with the credentials of a key that the run created. */
export const asCreated = (creation: string, step: Omit<Step, 'as' | 'form'>): Step => ({
  ...step,
  form: 'cloud',
  as: 'created',
  from: [creation, ...(step.from ?? [])],
  draft(past) {
    const authorization = credentialsOf(past, creation)
    if (authorization === undefined) return skip('no key of this run is known with its secret')
    const draft = step.draft(past)
    return 'path' in draft ? { ...draft, headers: { ...draft.headers, authorization } } : draft
  },
})
