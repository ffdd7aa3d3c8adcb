import type { RuleId } from '../../fixtures/contract/index.ts'
import { alertFaults } from '../families/alert/faults.ts'
import { backupFaults } from '../families/backup/faults.ts'
import { chartFaults } from '../families/chart/faults.ts'
import { dashboardFaults } from '../families/dashboard/faults.ts'
import { memberFaults } from '../families/member/faults.ts'
import { sourceFaults } from '../families/source/faults.ts'
import { webhookFaults } from '../families/webhook/faults.ts'
import { authenticationFaults } from './authentication.ts'
import { envelopeFaults } from './envelope.ts'
import type { Fault } from './fault.ts'
import { serviceFaults } from './service.ts'

export type { Fault, Place } from './fault.ts'

/** One fault for every rule of the contract: `faults[id]()` makes a fresh one, with a memory of its own. */
export const faults = {
  ...serviceFaults,
  ...envelopeFaults,
  ...memberFaults,
  ...backupFaults,
  ...dashboardFaults,
  ...alertFaults,
  ...sourceFaults,
  ...chartFaults,
  ...webhookFaults,
  ...authenticationFaults,
} satisfies Record<RuleId, () => Fault>
