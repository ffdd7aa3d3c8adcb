import {
  type Form,
  type GapId,
  gaps,
  type Operation,
  type OperationId,
  operations,
  type RuleId,
  rules,
} from '../../../fixtures/contract/index.ts'
import type { Check } from '../../engine/check.ts'
import { isSuccess } from '../../engine/exchange.ts'
import { findList, findObject } from '../../engine/recognise.ts'
import { updateOf } from '../../visits/life.ts'
import { answersAsDocumented } from '../documented.ts'
import { answers, answersUnlessBodyIsRefused, look, refusalIn } from '../observations.ts'
import { type Resource, updates } from './common.ts'
import { createdIsGot, createdIsListed } from './created.ts'
import { deletedIsGone, deletionAnswers, gone } from './deleted.ts'
import { listAgreesWithGet, orderOfList, siblingsAreUntouched } from './listed.ts'
import { idNeverChanges, unsentStays, updatedIsGot } from './updated.ts'

/** The checks of a life cycle (§1): the same for every resource that can be created, listed, got, updated and deleted. */

/** Success, with the documented fields where the vendor documents the operation; else a deployment may refuse the body of the run. */
const succeeds = (operation: string, steps: (form: Form) => readonly string[]): Check => {
  const { basis, body } = (operations[operation as OperationId] ?? {}) as Partial<Operation>
  if (basis === 'documented') return answersAsDocumented(operation as OperationId, steps)
  return body === undefined ? answers(steps) : answersUnlessBodyIsRefused(steps)
}

const generic = {
  'list-answers': (resource: Resource) => succeeds(`${resource}.list`, form => [`${form}:${resource}.list`]),
  'get-answers': (resource: Resource) => succeeds(`${resource}.get`, form => [`${form}:${resource}.get`]),
  'create-answers': (resource: Resource) => succeeds(`${resource}.create`, form => [`${form}:${resource}.create-main`]),
  'update-answers': (resource: Resource) => succeeds(updateOf(resource) ?? '', form => updates(form, resource)),
  'delete-answers': deletionAnswers,
  'created-is-listed': createdIsListed,
  'created-is-got': createdIsGot,
  'updated-is-got': updatedIsGot,
  'deleted-is-gone': deletedIsGone,
  'siblings-are-untouched': siblingsAreUntouched,
  'list-agrees-with-get': listAgreesWithGet,
  'id-never-changes': idNeverChanges,
  'unsent-stays': unsentStays,
  'fields-present': (resource: Resource) =>
    look(
      form => [`${form}:${resource}.create-main`, `${form}:${resource}.get`, `${form}:${resource}.list`],
      exchanges => {
        const objects = exchanges
          .filter(isSuccess)
          .flatMap(({ json }) => findObject(json, resource) ?? findList(json, resource)?.[0] ?? [])
        const [object] = objects
        return object && Object.keys(object).sort()
      },
    ),
  'create-status': (resource: Resource) =>
    look(
      form => [`${form}:${resource}.create-main`],
      ([exchange]) => (exchange && isSuccess(exchange) ? String(exchange.response.status) : undefined),
    ),
  'update-method': (resource: Resource) =>
    look(
      form => updates(form, resource),
      exchanges => exchanges.find(isSuccess)?.request.method,
    ),
  'delete-answer': (resource: Resource) =>
    look(
      form => [`${form}:${resource}.delete`],
      ([exchange]) => (exchange && isSuccess(exchange) ? refusalIn(exchange) : undefined),
    ),
  'order-of-list': orderOfList,
  'unknown-id': (resource: Resource) => gone(resource, 'get'),
  'update-unknown': (resource: Resource) => gone(resource, 'update'),
  'delete-unknown': (resource: Resource) => gone(resource, 'delete'),
} satisfies Record<string, (resource: Resource) => Check>

type LifeId<R extends string> = `${R}/${keyof typeof generic}` & (RuleId | GapId)

/** The checks of a resource's life: of those that every resource can have, the ones that the contract has a rule or gap for. */
export const lifecycle = <R extends string>(resource: R): Readonly<Record<LifeId<R>, Check>> =>
  Object.fromEntries(
    Object.entries(generic)
      .map(([name, make]) => [`${resource}/${name}`, make(resource)] as const)
      .filter(([id]) => id in rules || id in gaps),
  ) as Record<LifeId<R>, Check>
