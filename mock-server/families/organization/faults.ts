import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { failing, listedOtherwise } from '../../faults/rewrite.ts'

export const faults = {
  'organization/list-answers': failing('organization.list'),
  'organization/get-answers': failing('organization.get'),
  'organization/list-agrees-with-get': listedOtherwise('organization.list'),
  'organization/update-answers': failing('organization.update'),
  'organizationPrivateEndpointConfig/get-answers': failing('organizationPrivateEndpointConfig.get'),
} as const satisfies Partial<Record<RuleId, () => Fault>>
