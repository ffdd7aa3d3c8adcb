import type { Check } from '../../engine/check.ts'
import { isSuccess } from '../../engine/exchange.ts'
import type { Step } from '../../engine/step.ts'
import { look, neverSucceeds, refusalIn } from '../../rules/observations.ts'
import { inOwnService, singletonSteps, stepsOn } from '../../visits/singleton.ts'
import { call, newestFirst } from '../calls.ts'

/** The snapshots of the service that the target names, and the configuration of the one that the run created. */

const unpaired = 'cloud:snapshotConfiguration.update-unpaired'

const step = stepsOn({ resource: 'snapshotConfiguration', within: inOwnService })
const probe = step(
  'update-unpaired',
  'snapshotConfiguration.update',
  12,
  'sends a gap and a time frame of two pairs',
  () => ({
    ...{ enabled: true, gap: 30, timeFrame: 2880 },
  }),
)

export const steps: readonly Step[] = [
  call('snapshot.list'),
  call('snapshot.get'),
  ...singletonSteps({
    resource: 'snapshotConfiguration',
    within: inOwnService,
    change: { enabled: true, gap: 30, timeFrame: 1440 },
    phase: 13,
  }),
  { ...probe, operation: undefined },
]

export const checks = {
  'snapshot/newest-comes-first': newestFirst('snapshot.list', 'startedAt'),
  'snapshotConfiguration/pairs-are-kept': neverSucceeds([unpaired]),
  'snapshotConfiguration/not-entitled': look(['snapshotConfiguration.update'], ([came]) =>
    isSuccess(came) ? undefined : refusalIn(came),
  ),
} as const satisfies Record<string, Check>
