import type { Check } from '../../engine/check.ts'
import { observeSuccess } from '../../rules/steps.ts'
import { setAndDelete } from '../../visits/singleton.ts'
import { visit } from '../../visits/visit.ts'
import { service } from './service.ts'

/** Keeps the service from idling for an hour of the week: the other families need it awake. */
const entry = { name: 'stack-parity', weekdays: [0], startHourUtc: 3, endHourUtc: 4, idleScaling: false }
export const { steps } = visit('cloud', 'scaling schedule', run => {
  setAndDelete(run, 'scalingSchedule', service, { entries: [entry] })
  run.call('scalingSchedule.upsert', {
    name: 'scalingSchedule.upsert-nothing',
    why: 'sets a schedule without entries',
    within: service,
    body: { entries: [] },
  })
})

export const checks = {
  'scalingSchedule/no-entries': observeSuccess('scalingSchedule.upsert-nothing', 'cleared', 'refused'),
} as const satisfies Record<string, Check>
