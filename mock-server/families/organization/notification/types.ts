import type { ValuesOf } from '../../../../fixtures/contract/index.ts'
import type { notificationType } from '../../../../fixtures/contract/organization/notification.ts'

type Type = Omit<ValuesOf<typeof notificationType.fields>, 'isAvailable'> & {
  /** The permission that a key needs to see them. */
  readonly permission: string
}

const about = (resourceType: Type['resourceType'], category: Type['category'], permission: string) => ({
  resourceType,
  category,
  permission,
  isConfigurable: category !== 'billing',
})

/** The types of notifications. The vendor's document names the first; the names of the others are the mock's. */
export const types = {
  service_backup_failed: { title: 'Backup failed', severity: 'warning', ...about('service', 'service', 'svc:view') },
  service_degraded: { title: 'Service degraded', severity: 'warning', ...about('service', 'service', 'svc:view') },
  service_failed: { title: 'Service failed', severity: 'critical', ...about('service', 'service', 'svc:view') },
  clickpipe_failed: {
    title: 'ClickPipe failed',
    severity: 'critical',
    ...about('clickpipe', 'clickpipe', 'svc:manage-clickpipes'),
  },
  postgres_unavailable: {
    title: 'Postgres service unavailable',
    severity: 'critical',
    ...about('postgres', 'postgres', 'pg:view'),
  },
  organization_quota_reached: {
    title: 'Quota reached',
    severity: 'warning',
    ...about('organization', 'service', 'org:view'),
  },
  organization_credits_expiring: {
    title: 'Credits expire soon',
    severity: 'info',
    ...about('organization', 'billing', 'org:view-billing'),
  },
} as const satisfies Readonly<Record<string, Omit<Type, 'name'>>>

export type TypeName = keyof typeof types
