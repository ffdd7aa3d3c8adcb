import type { GapId, RuleId } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import type { StepsBy } from '../visits/visit.ts'

/** All families; each exports a `Family`. */

export * as backup from './backup/backup.ts'
export * as backupBucket from './backup/backup-bucket.ts'
export * as snapshot from './backup/snapshot.ts'
export * as clickPipe from './click-pipe/index.ts'
export * as reversePrivateEndpoint from './click-pipe/reverse-private-endpoint.ts'
export * as connection from './connection.ts'
export * as key from './key.ts'
export * as activity from './organization/activity.ts'
export * as balance from './organization/balance.ts'
export * as byocInfrastructure from './organization/byoc-infrastructure.ts'
export * as caller from './organization/caller.ts'
export * as invitation from './organization/invitation.ts'
export * as member from './organization/member.ts'
export * as notification from './organization/notification.ts'
export * as organization from './organization/organization.ts'
export * as quota from './organization/quota.ts'
export * as usageCost from './organization/usage-cost.ts'
export * as page from './page.ts'
export * as postgres from './postgres.ts'
export * as role from './role.ts'
export * as savedSearch from './saved-search.ts'
export * as search from './search.ts'
export * as clickhouseSetting from './service/clickhouse-setting.ts'
export * as prometheus from './service/prometheus.ts'
export * as queryApiEndpoint from './service/query-api-endpoint.ts'
export * as savedQuery from './service/saved-query.ts'
export * as serviceScaling from './service/scaling.ts'
export * as scalingSchedule from './service/scaling-schedule.ts'
export * as service from './service/service.ts'
export * as serviceProfile from './service/service-profile.ts'
export * as singletons from './service/singletons.ts'
export * as tagFilter from './service/tag-filter.ts'
export * as source from './source.ts'
export * as stackRole from './stack-role.ts'
export * as team from './team.ts'
export * as udf from './udf.ts'
export * as webhook from './webhook.ts'
export * as whole from './whole.ts'

/** What a family adds to the checks of `rules/` and to the steps that follow from the contract. */
export interface Family {
  /** Besides those of `rules/lifecycle/`, or in place of them. */
  readonly checks?: Partial<Record<RuleId | GapId, Check>>
  /** The steps of its visits, in all forms. Their names begin with the ids of their operations, so that general rules find them. */
  readonly steps?: StepsBy | readonly StepsBy[]
}
