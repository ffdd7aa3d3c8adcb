import { absent, type Check, type Evidence, held } from '../../engine/check.ts'
import { type Exchange, isSuccess } from '../../engine/exchange.ts'
import { isWhole, listIn } from '../../engine/pages.ts'
import { findObject, idOf, sameId } from '../../engine/recognise.ts'
import { mismatch, only, sentIn, valueAt } from '../fields.ts'
import { look } from '../observations.ts'
import { createdId, creations, isOfItself, type Resource, updates, updatesRead, wrong } from './common.ts'

/** Lists agree with gets, siblings are left alone, and the order of a list is observed. */

export const listAgreesWithGet = (resource: Resource): Check => ({
  reads: form => [...updatesRead(resource)(form), `${form}:${resource}.list`],
  judge: evidence => {
    const step = (name: string) => evidence.of(`${evidence.form}:${resource}.${name}`)[0]
    const pairs = [
      [step('create-main'), step('get'), step('list')],
      [
        evidence.of(...updates(evidence.form, resource)).find(isSuccess),
        step('get-after-update'),
        step('list-after-update'),
      ],
    ] as const
    let judged: Exchange | undefined
    for (const [written, got, listed] of pairs) {
      const object = got && isSuccess(got) ? findObject(got.json, resource) : undefined
      const id = idOf(object, resource)
      const item = listIn(listed, resource)?.find(one => sameId(idOf(one, resource) ?? '', id ?? ''))
      if (!written || !got || !object || !item || !listed) continue
      judged = listed
      const sent = sentIn(written)
      const names = Object.keys(sent)
      // When the list shows what was sent and the get does not, the get is wrong, not the list.
      const found = mismatch(only(object, names), only(item, names), '$', (value, shown, keys) => {
        const wanted = valueAt(sent, keys)
        return mismatch(wanted, value, '$') !== undefined && mismatch(wanted, shown, '$') === undefined
      })
      if (found) return wrong(`${found.expected}, as a get of ${id} shows it`, found.got, found.path!, listed, got)
    }
    return judged
      ? held([judged])
      : absent(evidence, `${evidence.form}:${resource}.list`, `${evidence.form}:${resource}.get`)
  },
})

/** Whatever happens to `main`, `spare` stays as it was, in lists and gets. */
export const siblingsAreUntouched = (resource: Resource): Check => {
  const names = [
    'create-spare',
    'list',
    'get-spare',
    'list-after-update',
    'list-after-delete',
    'get-spare-after-delete',
  ]
  return {
    reads: form => [
      ...names.map(name => `${form}:${resource}.${name}`),
      ...updates(form, resource),
      `${form}:${resource}.delete`,
    ],
    judge: evidence => {
      const { form } = evidence
      const [created, listed, got, ...after] = names.map(name => evidence.of(`${form}:${resource}.${name}`)[0])
      const [listedAfterUpdate, listedAfterDelete, gotAfterDelete] = after
      const updated = evidence.of(...updates(form, resource)).find(isSuccess)
      const deleted = evidence.of(`${form}:${resource}.delete`).find(isSuccess)
      const id = createdId(created, resource)
      if (!created || !id) return absent(evidence, `${form}:${resource}.create-spare`)
      const fields = Object.keys(sentIn(created))
      const inList = (exchange: Exchange | undefined) =>
        listIn(exchange, resource)?.find(item => sameId(idOf(item, resource) ?? '', id))
      const inGet = (exchange: Exchange | undefined) => {
        const object = exchange && isSuccess(exchange) ? findObject(exchange.json, resource) : undefined
        return object && isOfItself(object, id, resource) ? object : undefined
      }
      const pairs = [
        { write: updated, what: 'update', was: inList(listed), now: listedAfterUpdate, is: inList(listedAfterUpdate) },
        {
          write: deleted,
          what: 'deletion',
          was: inList(listed),
          now: listedAfterDelete,
          is: inList(listedAfterDelete),
        },
        { write: deleted, what: 'deletion', was: inGet(got), now: gotAfterDelete, is: inGet(gotAfterDelete) },
      ]
      let judged: Exchange | undefined
      for (const { write, what, was, now, is } of pairs) {
        if (!write || !was || !now) continue
        const isGone =
          !is && (now === gotAfterDelete ? [404, 410].includes(now.response.status) : isWhole(now, resource))
        if (isGone) return wrong(`${id}, untouched by the ${what} of another`, 'it is gone', '$', now, write)
        if (!is) continue
        judged = now
        const found = mismatch(only(was, fields), only(is, fields), '$')
        if (found)
          return wrong(`${found.expected}, as before the ${what} of another`, found.got, found.path!, now, write)
      }
      return judged ? held([judged]) : absent(evidence, `${form}:${resource}.get-spare-after-delete`)
    },
  }
}

const orders: Record<string, (a: number, b: number, names: readonly string[]) => boolean> = {
  'name descending': (a, b, names) => names[a]! >= names[b]!,
  name: (a, b, names) => names[a]! <= names[b]!,
  'oldest first': (a, b) => a < b,
  'newest first': (a, b) => a > b,
}

/** The order of the run's three objects in the list; their names are chosen so that the four orders differ. */
export const orderOfList = (resource: Resource): Check =>
  look(
    form => [...creations(form, resource), `${form}:${resource}.list`],
    (_, evidence: Evidence) => {
      const created = evidence.of(...creations(evidence.form, resource))
      const [listed] = evidence.of(`${evidence.form}:${resource}.list`)
      const ids = created.map(exchange => createdId(exchange, resource))
      const names = created.map(exchange => String(sentIn(exchange).name))
      const list = listIn(listed, resource) ?? []
      const sequence = list.map(item => ids.indexOf(idOf(item, resource))).filter(index => index >= 0)
      if (sequence.length < 3) return undefined
      const fits = (name: string) =>
        sequence.every((at, index) => index === 0 || orders[name]!(sequence[index - 1]!, at, names))
      return Object.keys(orders).find(fits) ?? 'another order'
    },
  )
