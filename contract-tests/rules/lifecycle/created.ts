import { absent, type Check, held, notApplicable, type Verdict } from '../../engine/check.ts'
import { type Exchange, isSuccess } from '../../engine/exchange.ts'
import { isWhole, listIn } from '../../engine/pages.ts'
import { findObject, idOf, sameId } from '../../engine/recognise.ts'
import { hasGrown, mismatch, sentIn, valueAt } from '../fields.ts'
import { asksFor, createdId, creations, type Resource, wrong } from './common.ts'

/** What was created is listed and got. */

export const createdIsListed = (resource: Resource): Check => ({
  reads: form => [...creations(form, resource), `${form}:${resource}.list`],
  judge: evidence => {
    const listing = `${evidence.form}:${resource}.list`
    const [listed] = evidence.of(listing)
    const created = evidence.of(...creations(evidence.form, resource)).filter(exchange => createdId(exchange, resource))
    if (!listed || created.length === 0) return absent(evidence, ...creations(evidence.form, resource), listing)
    const list = listIn(listed, resource)
    if (!list?.some(item => idOf(item, resource)))
      return list?.length === 0 && isWhole(listed, resource)
        ? missing(created, listed)
        : notApplicable('the list could not be recognised')
    const verdict = missing(created, listed, list)
    return verdict.outcome === 'held' || isWhole(listed, resource)
      ? verdict
      : notApplicable('the list goes on in other pages, which could not be read to the end')
  },
})

function missing(created: readonly Exchange[], listed: Exchange, list: readonly object[] = []): Verdict {
  const resource = created[0]!.operation!.split('.')[0]!
  const lost = created.find(
    exchange => !list.some(item => sameId(idOf(item, resource) ?? '', createdId(exchange, resource)!)),
  )
  if (!lost) return held([listed])
  return wrong(
    `the ${resource} ${createdId(lost, resource)} that was created`,
    `a list of ${list.length} without it`,
    '$',
    listed,
    lost,
  )
}

export const createdIsGot = (resource: Resource): Check => ({
  reads: form => [`${form}:${resource}.create-main`, `${form}:${resource}.get`],
  judge: evidence => {
    const steps = [`${evidence.form}:${resource}.create-main`, `${evidence.form}:${resource}.get`] as const
    const [created, got] = steps.map(step => evidence.of(step)[0])
    const id = createdId(created, resource)
    const object = got && isSuccess(got) ? findObject(got.json, resource) : undefined
    if (!created || !got || !id || !object) return absent(evidence, ...steps)
    if (!asksFor(got, id))
      return notApplicable(`what was created could not be told from others, so another ${resource} was got`)
    const gotId = idOf(object, resource)
    if (!sameId(gotId ?? '', id)) return wrong(`the id "${id}" of what was created`, gotId, '$.id', got, created)
    // A deployment may normalise a text; the answer to the creation then shows the normalised text.
    const answered = findObject(created.json, resource)
    const found = mismatch(
      sentIn(created),
      object,
      '$',
      (sent, value, keys) =>
        hasGrown(resource, sent, value, keys) ||
        (typeof sent === 'string' && typeof value === 'string' && valueAt(answered, keys) === value),
    )
    return found ? wrong(`${found.expected}, as it was sent`, found.got, found.path!, got, created) : held([got])
  },
})
