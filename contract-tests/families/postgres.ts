import { type Form, type OperationId, operations } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import { listIn } from '../engine/pages.ts'
import { lacksPath, pathOf, pathValues } from '../engine/paths.ts'
import { idOf } from '../engine/recognise.ts'
import type { Step } from '../engine/step.ts'
import { answersAsDocumented } from '../rules/documented.ts'
import { lifecycle } from '../rules/lifecycle.ts'
import { lifeSteps } from '../visits/life.ts'
import { neverShows } from './reads.ts'

const life = {
  form: 'cloud',
  resource: 'postgres',
  body: (_: unknown, name: string) => ({
    name: name.slice(0, 50),
    provider: 'aws',
    region: 'us-east-1',
    size: 'c6gd.large',
    tags: [],
  }),
  change: () => ({ tags: [{ key: 'changed', value: 'yes' }] }),
  ready: ['running'],
  alone: true,
} as const

const list = 'cloud:postgres.list'
const day = 86_400_000

/** A request about the first service that is listed. */
const ofFirst = (operation: OperationId, query?: (now: number) => Record<string, string>): Step => ({
  name: `cloud:${operation}`,
  form: 'cloud',
  phase: 9,
  operation,
  method: 'GET',
  as: 'key',
  why: operations[operation].says,
  from: [list],
  draft({ target, exchange, now }) {
    const postgresId = idOf(listIn(exchange(list), 'postgres')?.[0], 'postgres')
    if (postgresId === undefined) return { skip: 'no list shows a Postgres service' }
    const path = pathOf(operation, 'cloud', { ...pathValues(target), postgresId })
    return path
      ? { path: query ? `${path}?${new URLSearchParams(query(now))}` : path }
      : lacksPath(operation, 'cloud', target)
  },
})

const yesterday = (now: number) => ({
  from_date: new Date(now - day).toISOString(),
  to_date: new Date(now).toISOString(),
})

export const checks = {
  ...lifecycle('postgres'),
  'postgres/password-is-shown-once': neverShows(['password', 'connectionString'], [list]),
  'postgresConfig/get-answers': answersAsDocumented('postgresConfig.get'),
  'postgresMetrics/get-answers': answersAsDocumented('postgresMetrics.get'),
  'slowQueryPattern/list-answers': answersAsDocumented('slowQueryPattern.list'),
} as const satisfies Record<string, Check>

export const steps = (form: Form): readonly Step[] =>
  form === 'cloud'
    ? [
        ...lifeSteps(life),
        ofFirst('postgresConfig.get'),
        ofFirst('postgresMetrics.get', yesterday),
        ofFirst('slowQueryPattern.list', yesterday),
      ]
    : []
