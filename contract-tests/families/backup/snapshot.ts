import type { Check } from '../../engine/check.ts'
import { isSuccess } from '../../engine/exchange.ts'
import { describeAnswer, neverSucceeds, observe } from '../../rules/steps.ts'
import { changeAndRestore } from '../../visits/singleton.ts'
import { visit } from '../../visits/visit.ts'
import { newestFirst } from '../calls.ts'
import { service } from '../service/service.ts'

/** The snapshots of the target's service, and the snapshot configuration of the run's own service. */

const unpaired = 'cloud:snapshotConfiguration.update-unpaired'

export const { steps } = visit('cloud', 'snapshot', run => {
  run.call('snapshotConfiguration.update', {
    name: 'snapshotConfiguration.update-unpaired',
    why: 'sends a gap and a time frame that are no pair',
    within: service,
    body: { enabled: true, gap: 30, timeFrame: 2880 },
    notJudgedByOperation: true,
  })
  changeAndRestore(run, 'snapshotConfiguration', service, { enabled: true, gap: 30, timeFrame: 1440 })
})

export const checks = {
  'snapshot/newest-comes-first': newestFirst('snapshot.list', 'startedAt'),
  'snapshotConfiguration/pairs-are-kept': neverSucceeds([unpaired]),
  'snapshotConfiguration/not-entitled': observe(['snapshotConfiguration.update'], ([exchange]) =>
    isSuccess(exchange) ? undefined : describeAnswer(exchange),
  ),
} as const satisfies Record<string, Check>
