import type { OperationId, ResourceId, RuleId } from '../../fixtures/contract/index.ts'
import { isRecord } from '../words/check-options.ts'
import type { Fault } from './fault.ts'
import { keepDeleted } from './lifecycle.ts'
import { changeResult, failing, inAnswers, successOf } from './rewrite.ts'

/** Answers a get with another value of a field. */
export const mistake = (operation: OperationId, field: string, value: unknown): (() => Fault) =>
  inAnswers(successOf(operation), answer =>
    changeResult(answer, thing => (isRecord(thing) ? { ...thing, [field]: value } : thing)),
  )

/** What breaks each rule of what a service has at most one of; the pair is a field with another value than the suite sets. */
export const optionalFaults = <R extends ResourceId>(resource: R, setter: string, wrong: readonly [string, unknown]) =>
  ({
    ...Object.fromEntries(
      ['get', setter, 'delete'].map(verb => [
        `${resource}/${verb}-answers`,
        failing(`${resource}.${verb}` as OperationId),
      ]),
    ),
    [`${resource}/set-is-got`]: mistake(`${resource}.get` as OperationId, ...wrong),
    [`${resource}/absent-is-not-found`]: keepDeleted(resource),
  }) as Readonly<Record<`${R}/${string}` & RuleId, () => Fault>>
