import type { Form } from '../../../fixtures/contract/index.ts'
import { absent, type Check, judgeEach, notApplicable } from '../../engine/check.ts'
import { isSuccess } from '../../engine/exchange.ts'
import { listIn } from '../../engine/pages.ts'
import { isDateTime, isObject, momentOf, sameId } from '../../engine/recognise.ts'
import type { Step } from '../../engine/step.ts'
import { backupIn } from '../../rules/2.3-backup.ts'
import { answersAsDocumented } from '../../rules/documented.ts'
import { mismatch, only } from '../../rules/fields.ts'
import { read } from '../reads.ts'

const list = 'cloud:backup.list'

export const checks = {
  'backup/list-answers': answersAsDocumented('backup.list'),
  'backup/newest-comes-first': {
    reads: () => [list],
    judge: evidence =>
      judgeEach(
        evidence.of(list).filter(isSuccess),
        exchange => {
          const starts = (listIn(exchange, 'backup') ?? []).map(one => (isObject(one) ? one.startedAt : undefined))
          const isLater = (at: unknown, before: unknown) =>
            isDateTime(at) && isDateTime(before) && momentOf(at) > momentOf(before)
          const index = starts.findIndex((at, place) => place > 0 && isLater(at, starts[place - 1]))
          if (starts.length < 2) return undefined
          const path = `$.result[${index}].startedAt`
          return index < 0 ? [] : [{ path, expected: `a time not after ${starts[index - 1]}`, got: starts[index] }]
        },
        () => (evidence.of(list).length > 0 ? notApplicable('there are fewer than two') : absent(evidence, list)),
      ),
  },
  'backup/listed-is-got': {
    reads: () => [list, 'cloud:backup'],
    judge: evidence =>
      judgeEach(
        evidence.of('cloud:backup'),
        exchange => {
          const got = backupIn(exchange)
          const listed = evidence
            .of(list)
            .flatMap(one => listIn(one, 'backup') ?? [])
            .find(one => isObject(one) && sameId(String(one.id), String(got?.id)))
          if (!got || !isObject(listed) || listed.status === 'in_progress') return undefined
          const found = mismatch(only(listed, ['status', 'type']), got, '$.result')
          return found ? [found] : []
        },
        () => (evidence.of(list).length > 0 ? notApplicable('the list does not have it') : absent(evidence, list)),
      ),
  },
} as const satisfies Record<string, Check>

export const steps = (form: Form): readonly Step[] => (form === 'cloud' ? [read('backup.list')] : [])
