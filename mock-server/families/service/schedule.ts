import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { scalingSchedule } from '../../../fixtures/contract/service/scaling-schedule.ts'
import { hour, minute } from '../../words/durations.ts'
import { pick } from '../../world/record.ts'
import type { Service } from './model.ts'

/** The scaling of a service in force at a moment. Entries of its schedule begin and end at full hours of UTC. */

type Shown = ValuesOf<typeof scalingSchedule.fields, 'answer'>
/** An entry as it is kept: whether it is in force follows from the clock. */
export type Entry = Omit<Shown['entries'][number], 'isActiveNow'>
export type Scaling = Shown['baseConfig']
const scalingFields = scalingSchedule.fields.baseConfig.fields

const hoursPerWeek = 168
/** The epoch began on a Thursday. */
const hourOfWeek = (at: number) => (Math.floor(at / hour) + 4 * 24) % hoursPerWeek

type Hours = Pick<Entry, 'weekdays' | 'startHourUtc' | 'endHourUtc'>

/** The hours of the week in which an entry is in force; hour 0 begins on Sunday at midnight. */
export function hoursOf({ weekdays, startHourUtc, endHourUtc }: Hours) {
  const length = (endHourUtc - startHourUtc + 24) % 24 || 24
  return weekdays.flatMap(day => Array.from({ length }, (_, i) => (day * 24 + startHourUtc + i) % hoursPerWeek))
}

const activeEntry = ({ scalingSchedule }: Service, at: number): Entry | undefined =>
  scalingSchedule?.entries.find(entry => hoursOf(entry).includes(hourOfWeek(at)))

/** The scaling in force while no entry is. */
export function baseOf(service: Service): Scaling {
  const { numReplicas, minReplicas = numReplicas, maxReplicas = numReplicas } = service
  return pick({ ...service, minReplicas, maxReplicas }, scalingFields) as Scaling
}

/** The scaling while an entry is in force: the entry inherits the fields that it omits. */
const scalingIn = (service: Service, entry: Entry | undefined): Scaling => ({
  ...baseOf(service),
  ...(entry && pick(entry, scalingFields)),
})

/** The scaling in force as the API answers it. */
export function currentScalingOf(service: Service, at: number) {
  const entry = activeEntry(service, at)
  const scaling = scalingIn(service, entry)
  return {
    effectiveAutoscalingMode: scaling.autoscalingMode,
    effectiveMinReplicaMemoryGb: scaling.minReplicaMemoryGb,
    effectiveMaxReplicaMemoryGb: scaling.maxReplicaMemoryGb,
    effectiveMinReplicas: scaling.minReplicas,
    effectiveMaxReplicas: scaling.maxReplicas,
    effectiveIdleScaling: scaling.idleScaling,
    effectiveIdleTimeoutMinutes: scaling.idleTimeoutMinutes,
    activeEntryId: entry?.id,
  }
}

/** The schedule as the API answers it; undefined if there is none. */
export function scheduleOf(service: Service, at: number): Shown | undefined {
  if (!service.scalingSchedule) return undefined
  const active = activeEntry(service, at)
  return {
    entries: service.scalingSchedule.entries.map(entry => ({ ...entry, isActiveNow: entry === active })),
    baseConfig: baseOf(service),
    ...(active && { activeEntryId: active.id }),
  }
}

/** When a running service idles if it gets no queries after `since`; undefined: never. */
export function idlesAt(service: Service, since: number): number | undefined {
  const found = [undefined, ...(service.scalingSchedule?.entries ?? [])].flatMap(entry => {
    const { idleScaling, idleTimeoutMinutes = 15 } = scalingIn(service, entry)
    if (!idleScaling) return []
    const due = since + idleTimeoutMinutes * minute
    // If the time-out ends while another entry is in force, this entry follows within a week.
    const hours = Array.from({ length: hoursPerWeek }, (_, i) => (i === 0 ? due : (Math.floor(due / hour) + i) * hour))
    return hours.find(at => activeEntry(service, at) === entry) ?? []
  })
  return found.length > 0 ? Math.min(...found) : undefined
}
