import * as service from './1-service.ts'
import * as envelope from './2.1-response-envelope.ts'
import * as member from './2.2-member.ts'
import * as backup from './2.3-backup.ts'
import * as alert from './2.4-alert.ts'
import * as chart from './2.5-chart.ts'
import * as otherResources from './2.6-other-resources.ts'
import * as cloud from './4.1-cloud-management-api.ts'
import * as isolation from './4.1-isolation.ts'
import * as paths from './4.3-paths.ts'
import * as authentication from './5-authentication.ts'
import * as errors from './7-errors.ts'
import * as limits from './8-limits.ts'
import * as versioning from './9-versioning.ts'

/** The checks of the specification's sections, by the rule that each judges or the gap that it observes. */
export const checks = {
  ...service.checks,
  ...envelope.checks,
  ...member.checks,
  ...backup.checks,
  ...alert.checks,
  ...chart.checks,
  ...otherResources.checks,
  ...cloud.checks,
  ...isolation.checks,
  ...paths.checks,
  ...authentication.checks,
  ...errors.checks,
  ...limits.checks,
  ...versioning.checks,
}
