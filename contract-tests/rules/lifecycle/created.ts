import { type Check, held, notApplicable } from '../../engine/check.ts'
import { isSuccess } from '../../engine/exchange.ts'
import { isReadToEnd, listIn } from '../../engine/pages.ts'
import { findObject, idOf, payloadOf } from '../../engine/recognise.ts'
import { setterOf } from '../../visits/singleton.ts'
import { findLostField, findMismatch, mayNormalise, sentIn } from '../fields.ts'
import { brokenBy, heldUnless, judgeTogether } from '../steps.ts'
import { createdId, creationSteps, hasId, isGone, isRequestFor, itemIn, objectIn } from './common.ts'

export const createdIsListed = (resource: string): Check =>
  judgeTogether([...creationSteps(resource), `${resource}.list`], exchanges => {
    const listed = exchanges.at(-1)
    const created = exchanges.slice(0, -1).flatMap(exchange => {
      const id = createdId(exchange, resource)
      return exchange && id !== undefined ? [{ exchange, id }] : []
    })
    if (!listed || created.length === 0) return undefined
    const list = listIn(listed, resource) ?? []
    if (!list.some(item => idOf(item, resource)) && !(list.length === 0 && isReadToEnd(listed, resource)))
      return notApplicable('the list could not be recognised')
    const missing = created.find(({ id }) => !itemIn(listed, resource, id))
    if (!missing) return held([listed])
    if (!isReadToEnd(listed, resource))
      return notApplicable('the list goes on in other pages, which could not be read to the end')
    const expected = `the ${resource} ${missing.id} that was created`
    return brokenBy({ path: '$', expected, got: `a list of ${list.length} without it` }, listed, missing.exchange)
  })

const isEmpty = (value: unknown) => value == null || (typeof value === 'object' && Object.keys(value).length === 0)

export const createdIsGot = (resource: string): Check =>
  judgeTogether([`${resource}.create-main`, `${resource}.get`], ([created, got]) => {
    const id = createdId(created, resource)
    const object = objectIn(got, resource)
    if (!created || !got || !id) return undefined
    if (isRequestFor(got, id) && isGone(got))
      return brokenBy(
        { path: '$', expected: `the ${resource} ${id} that was created`, got: got.response.status },
        got,
        created,
      )
    if (!object && isSuccess(got) && isRequestFor(got, id) && isEmpty(payloadOf(got.json)))
      return brokenBy({ path: '$', expected: `the ${resource} ${id} that was created`, got: got.json }, got, created)
    if (!object) return undefined
    if (!isRequestFor(got, id))
      return notApplicable(`the created object could not be distinguished from others, so another ${resource} was got`)
    const expected = `the id "${id}" of the created object`
    if (!hasId(object, resource, id))
      return brokenBy({ path: '$.id', expected, got: idOf(object, resource) }, got, created)
    // The answer to the creation shows how a deployment normalised a text.
    const answered = findObject(created.json, resource)
    const sent = sentIn(created)
    const mayDiffer = mayNormalise(resource)
    const finding = findMismatch(sent, object, '$', mayDiffer) ?? findLostField(resource, sent, object)
    if (finding || !answered) return heldUnless(finding, ', as it was sent', got, created)
    return heldUnless(findMismatch(sent, answered, '$', mayDiffer), ', as it was sent', created)
  })

export const setIsGot = (resource: string): Check =>
  judgeTogether([setterOf(resource), `${resource}.get`], ([set, got]) =>
    isSuccess(set) && isSuccess(got)
      ? heldUnless(findMismatch(sentIn(set), payloadOf(got.json), '$'), ', as it was set', got)
      : undefined,
  )
