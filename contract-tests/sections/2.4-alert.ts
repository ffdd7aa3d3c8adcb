import { absent, type Check, observed } from '../harness/check.ts'
import { isSuccess } from '../harness/exchange.ts'
import { listIn } from '../harness/pages.ts'
import { findObject, idOf } from '../harness/recognise.ts'
import { omissions } from '../visits/things.ts'
import { lifecycle } from './lifecycle.ts'
import { look } from './observations.ts'

/** §2.4 Alert: the sample is accepted; which fields are required, and what comes back, is observed. */

const alert = lifecycle('alert')

export const checks = {
  'alert/create-accepts-the-sample': alert.create,
  'alert/list-answers': alert.list,
  'alert/get-answers': alert.get,
  'alert/update-answers': alert.update,
  'alert/delete-answers': alert.delete,
  'alert/created-is-listed': alert.createdIsListed,
  'alert/created-is-got': alert.createdIsGot,
  'alert/updated-is-got': alert.updatedIsGot,
  'alert/deleted-is-gone': alert.deletedIsGone,
  'alert/fields-present': alert.fieldsPresent,
  'alert/create-status': alert.createStatus,
  'alert/update-method': alert.updateMethod,
  'alert/delete-answer': alert.deleteAnswer,
  'alert/order-of-list': alert.orderOfList,
  'alert/unknown-id': alert.unknownId,
  'alert/update-unknown': alert.updateUnknown,
  'alert/delete-unknown': alert.deleteUnknown,
  'alert/required-fields': {
    reads: form => omissions.map(field => `${form}:alert.create-without-${field}`),
    judge: evidence => {
      const tried = omissions.flatMap(field => {
        const [exchange] = evidence.of(`${evidence.form}:alert.create-without-${field}`)
        return exchange ? [{ field, exchange }] : []
      })
      const untried = omissions.find(field => !tried.some(one => one.field === field))
      if (untried) return absent(evidence, `${evidence.form}:alert.create-without-${untried}`)
      const required = tried.filter(({ exchange }) => !isSuccess(exchange)).map(({ field }) => field)
      return observed(required.sort(), ...tried.slice(0, 1).map(({ exchange }) => exchange))
    },
  },
  'alert/allowed-values': look(
    form => [`${form}:alert.create-every-five-minutes`],
    ([exchange]) => exchange && (isSuccess(exchange) ? 'accepted' : 'refused'),
  ),
  'alert/state-at-creation': look(
    form => [`${form}:alert.create-main`, `${form}:alert.list`],
    (_, evidence) => {
      const [created, listed] = ['create-main', 'list'].map(step =>
        evidence.of(`${evidence.form}:alert.${step}`).find(isSuccess),
      )
      const alert = findObject(created?.json, 'alert')
      const id = idOf(alert, 'alert')
      // The state of somebody else's alert says nothing of a creation, and changes with time.
      const own = listIn(listed, 'alert')?.find(item => id !== undefined && idOf(item, 'alert') === id)
      return alert?.state ?? own?.state
    },
  ),
} as const satisfies Record<string, Check>
