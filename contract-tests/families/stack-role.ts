import { lifeOf } from '../visits/life.ts'
import { visit } from '../visits/visit.ts'

/** A role without members: it may read dashboards, and after its update alerts. */
export const { steps } = visit('managed', 'role', run => {
  const see = (...subjects: readonly string[]) =>
    subjects.map(subject => ({ action: 'read', subject, integration: 'mongodb' }))
  lifeOf(run, 'stackRole', {
    body: (_, name) => ({ name, description: 'stack-parity', permissions: see('Dashboard') }),
    change: (_, name) => ({ name, permissions: see('Dashboard', 'Alert') }),
  }).live()
})
