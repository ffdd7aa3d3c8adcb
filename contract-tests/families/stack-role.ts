import { lifeOf } from '../visits/life.ts'
import { visit } from '../visits/visit.ts'

/** A role without members. It may read dashboards and, once it is updated, alerts. */
export const { steps } = visit('managed', 'role', run => {
  const readPermissions = (...subjects: readonly string[]) =>
    subjects.map(subject => ({ action: 'read', subject, integration: 'mongodb' }))
  lifeOf(run, 'stackRole', {
    body: (_, name) => ({ name, description: 'stack-parity', permissions: readPermissions('Dashboard') }),
    change: (_, name) => ({ name, permissions: readPermissions('Dashboard', 'Alert') }),
  }).live()
})
