import type { RuleId } from '../../../fixtures/contract/index.ts'
import { alertFaults } from './alert.ts'
import { authenticationFaults } from './authentication.ts'
import { backupFaults } from './backup.ts'
import { chartFaults } from './chart.ts'
import { dashboardFaults } from './dashboard.ts'
import { envelopeFaults } from './envelope.ts'
import type { Fault } from './fault.ts'
import { isolationFaults } from './isolation.ts'
import { memberFaults } from './member.ts'
import { serviceFaults } from './service.ts'
import { sourceFaults } from './source.ts'
import { webhookFaults } from './webhook.ts'

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
  ...isolationFaults,
  ...authenticationFaults,
} satisfies Record<RuleId, () => Fault>
