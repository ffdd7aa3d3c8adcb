import type { Check } from '../../engine/check.ts'
import type { Step } from '../../engine/step.ts'
import { whether } from '../../rules/observations.ts'
import { optionalSteps } from '../../visits/optional.ts'
import { inOwnService, stepsOn } from '../../visits/singleton.ts'

const resource = 'scalingSchedule'

/** It lets the service idle for an hour of the week, which it does anyway. */
const entry = { name: 'stack-parity', weekdays: [0], startHourUtc: 3, endHourUtc: 4, idleScaling: true }
const step = stepsOn({ resource, within: inOwnService })

export const steps: readonly Step[] = [
  ...optionalSteps({ resource, within: inOwnService, body: { entries: [entry] } }),
  step('upsert-nothing', 'scalingSchedule.upsert', 16, 'sets a schedule without entries', () => ({ entries: [] })),
]

export const checks = {
  'scalingSchedule/no-entries': whether('scalingSchedule.upsert-nothing', 'cleared', 'refused'),
} as const satisfies Record<string, Check>
