import type { OperationId } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import type { Past, Step } from '../engine/step.ts'
import { lifeSteps } from '../visits/life-steps.ts'
import { asking, call, neverShows, newestFirst, staysInWindow } from './calls.ts'

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

const day = 86_400_000

/** The query of what lies in the day before the run. */
const yesterday = ({ now }: Past) =>
  `${new URLSearchParams({ from_date: new Date(now - day).toISOString(), to_date: new Date(now).toISOString() })}`

/** A reading of the first service that is listed, when none is being created or deleted. */
const ofFirst = (operation: OperationId): Step => ({ ...call(operation), phase: 9 })

export const checks = {
  'postgres/password-is-shown-once': neverShows(['password', 'connectionString'], ['cloud:postgres.list']),
  'postgresBackup/newest-comes-first': newestFirst('postgresBackup.list', 'lastModified'),
  'postgresLog/window-is-kept': staysInWindow('cloud:postgresLog.list', 'postgresLog', 'timestamp'),
} as const satisfies Record<string, Check>

export const steps: readonly Step[] = [
  ...lifeSteps(life),
  ofFirst('postgresConfig.get'),
  asking(ofFirst('postgresMetrics.get'), yesterday),
  asking(ofFirst('slowQueryPattern.list'), yesterday),
  ofFirst('postgresBackup.list'),
  asking(ofFirst('postgresLog.list'), yesterday),
]
