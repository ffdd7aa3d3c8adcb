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
    writes: true,
  }
}

export type Target = ReturnType<typeof describeTarget>
