import type { OperationId, RuleId } from '../../fixtures/contract/index.ts'
import { absent, type Check, judgeEach } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { payloadOf } from '../engine/recognise.ts'
import { setterOf } from '../visits/optional.ts'
import { answersAsDocumented } from './documented.ts'
import { mismatch, sentIn } from './fields.ts'

/** The checks of an optional singleton: a service has one or none, and none at first. */

type OptionalId<R extends string> = `${R}/${string}` & RuleId

export function optional<R extends string>(resource: R): Readonly<Record<OptionalId<R>, Check>> {
  const set = setterOf(resource)
  const operations = [`${resource}.get`, set, `${resource}.delete`] as OperationId[]
  const answers = operations.map(id => [`${id.replace('.', '/')}-answers`, answersAsDocumented(id)] as const)
  return {
    ...Object.fromEntries(answers),
    [`${resource}/set-is-got`]: setIsGot(`cloud:${set}`, `cloud:${resource}.get`),
    [`${resource}/absent-is-not-found`]: absentIsNotFound(`cloud:${resource}`),
  } as Readonly<Record<OptionalId<R>, Check>>
}

const setIsGot = (set: string, get: string): Check => ({
  reads: () => [set, get],
  judge: evidence => {
    const [written] = evidence.of(set).filter(isSuccess)
    const read = evidence.of(get).filter(isSuccess)
    return judgeEach(
      written ? read : [],
      ({ json }) => {
        const found = mismatch(sentIn(written), payloadOf(json), '$')
        return found ? [{ ...found, expected: `${found.expected}, as it was set` }] : []
      },
      () => absent(evidence, set, get),
    )
  },
})

/** A get finds nothing before it is set and after its deletion. */
const absentIsNotFound = (resource: string): Check => {
  const steps = [`${resource}.get-before`, `${resource}.get-after-delete`] as const
  return {
    reads: () => [...steps, `${resource}.delete`],
    judge: evidence => {
      const isDeleted = evidence.of(`${resource}.delete`).some(isSuccess)
      return judgeEach(
        evidence.of(steps[0], ...(isDeleted ? [steps[1]] : [])),
        ({ response: { status } }) => {
          if (status === 403) return undefined
          return status === 404 ? [] : [{ expected: 'status 404', got: status }]
        },
        () => absent(evidence, ...steps),
      )
    },
  }
}
