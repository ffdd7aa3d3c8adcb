import type { Check } from '../engine/check.ts'
import type { Past } from '../engine/step.ts'
import { lifeOf } from '../visits/life.ts'
import { visit } from '../visits/visit.ts'
import { neverShows, newestFirst, staysInWindow } from './calls.ts'

const day = 86_400_000

/** The query of what lies in the day before the run. */
const yesterday = ({ now }: Past) => ({
  from_date: new Date(now - day).toISOString(),
  to_date: new Date(now).toISOString(),
})

export const checks = {
  'postgres/password-is-shown-once': neverShows(['password', 'connectionString'], ['cloud:postgres.list']),
  'postgresBackup/newest-comes-first': newestFirst('postgresBackup.list', 'lastModified'),
  'postgresLog/window-is-kept': staysInWindow('cloud:postgresLog.list', 'postgresLog', 'timestamp'),
} as const satisfies Record<string, Check>

export const { steps } = visit('cloud', 'Postgres', run => {
  const services = lifeOf(run, 'postgres', {
    body: (_, name) => ({
      name: name.slice(0, 50),
      provider: 'aws',
      region: 'us-east-1',
      size: 'c6gd.large',
      tags: [],
    }),
    change: () => ({ tags: [{ key: 'changed', value: 'yes' }] }),
    ready: ['running'],
  })
  services.begin()
  services.read()
  // Of the first service that is listed.
  run.call('postgresConfig.get')
  run.call('postgresMetrics.get', { query: yesterday })
  run.call('slowQueryPattern.list', { query: yesterday })
  run.call('postgresBackup.list')
  run.call('postgresLog.list', { query: yesterday })
  services.update()
  services.probe()
  services.end()
})
