import type { Form } from '../../../fixtures/contract/index.ts'
import type { Check } from '../../engine/check.ts'
import { isSuccess } from '../../engine/exchange.ts'
import type { Step } from '../../engine/step.ts'
import { look } from '../../rules/observations.ts'
import { optional } from '../../rules/optional.ts'
import { optionalSteps } from '../../visits/optional.ts'
import { stepsOn } from '../../visits/singleton.ts'

const resource = 'scalingSchedule'
const within = { serviceId: 'cloud:service.create-main' }
const noEntries = 'cloud:scalingSchedule.upsert-nothing'

/** It lets the service idle for an hour of the week, which it does anyway. */
const entry = { name: 'stack-parity', weekdays: [0], startHourUtc: 3, endHourUtc: 4, idleScaling: true }

export function steps(form: Form): readonly Step[] {
  if (form !== 'cloud') return []
  const step = stepsOn({ resource, within })
  return [
    ...optionalSteps({ resource, within, body: { entries: [entry] } }),
    step('upsert-nothing', 'scalingSchedule.upsert', 16, 'sets a schedule without entries', () => ({ entries: [] })),
  ]
}

export const checks = {
  ...optional('scalingSchedule'),
  'scalingSchedule/no-entries': look(
    () => [noEntries],
    ([answer]) => (answer && isSuccess(answer) ? 'cleared' : 'refused'),
  ),
} as const satisfies Record<string, Check>
