import { z } from 'zod/v3'
import { incidentServices } from '../../telemetry/story/incident.ts'
import { hour, minute } from '../../words/durations.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordOf, time } from '../../world/record.ts'

/** An incident at a service of the shop, as `story/incident.ts` describes it. No API returns it. */
export interface IncidentRecord {
  readonly id: string
  readonly service: string
  readonly startTime: string
  readonly endTime: string
}

const record = (id: string, start: number, minutes: number): IncidentRecord => ({
  id,
  service: 'payments',
  startTime: new Date(start).toISOString(),
  endTime: new Date(start + minutes * minute).toISOString(),
})

export const incidents: Model<IncidentRecord, 'incident'> = {
  name: 'incident',
  within: 'stack',
  record: recordOf({ service: z.enum(incidentServices as [string, ...string[]]), startTime: time, endTime: time }),
  /**
   * A stack that the world starts with had an incident of 90 minutes, 20 hours before the start. By default, an
   * incident that is created later lasts 30 minutes.
   */
  seed(stackId, { identitySeed, start, isNew, isSample }) {
    const id = createRandom(seedOf(identitySeed, 'incident', stackId)).hex(24)
    if (isSample) return [record(id, start, 30)]
    return isNew ? [] : [record(id, start - 20 * hour, 90)]
  },
}

export const models = [incidents] as const
