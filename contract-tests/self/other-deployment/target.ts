import { type OperationId, operations } from '../../../fixtures/built-contract/index.ts'
import { isDocumented } from '../../engine/contract.ts'
import type { TargetFile } from '../../engine/target/target.ts'
import * as world from './world.ts'

/** The target file of this deployment, with its credentials written out. */
export function describeTarget(cloud: string, selfHosted: string, apiKey: string = world.apiKey) {
  const { dashboardId, tileId, sourceId, webhookIds, ids } = world
  return {
    name: 'other-deployment',
    cloud: {
      baseUrl: cloud,
      ...world.firstKey,
      organizationId: ids.organization,
      secondOrganizationId: ids.secondOrganization,
      secondKeyId: world.secondKey.keyId,
      secondKeySecret: world.secondKey.keySecret,
      serviceId: ids.service,
      backupId: ids.backup,
      observabilitySegment: world.segment,
      references: { dashboardId, tileId, webhookId: webhookIds.managed },
    },
    selfHosted: {
      baseUrl: selfHosted,
      apiKey,
      ingestionKey: world.ingestionKey,
      references: { dashboardId, tileId, webhookId: webhookIds.selfHosted, sourceId },
    },
    // It stands for a mock of ours: runs on it are fast, and try everything.
    control: { baseUrl: selfHosted },
    writes: true,
  }
}

export type Target = ReturnType<typeof describeTarget>

/**
 * The target without the operations that only the vendor's document has, except those of some resources. This shortens
 * runs that are about the specification.
 */
export const withoutDocumented = <Of extends TargetFile>(target: Of, resources: readonly string[] = []): Of => ({
  ...target,
  notOffered: (Object.keys(operations) as OperationId[]).filter(
    id => isDocumented(id) && !resources.includes(id.split('.')[0]!),
  ),
})
