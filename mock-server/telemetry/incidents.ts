import { z } from 'zod/v3'
import { hour } from '../words/durations.ts'
import type { Model } from '../world/collection.ts'
import { createRandom, seedOf } from '../world/random.ts'
import { recordOf, time } from '../world/record.ts'
import { incidentFrom, incidentServices } from './story/incident.ts'

/** An incident at a service of the shop, as `story/incident.ts` describes it. No API returns it. */
export interface IncidentRecord {
  readonly id: string
  readonly service: string
  readonly startTime: string
  readonly endTime: string
}

const record = (id: string, from: number, minutes?: number): IncidentRecord => {
  const service = 'payments'
  const { start, end } = incidentFrom(service, from, minutes)
  return { id, service, startTime: new Date(start).toISOString(), endTime: new Date(end).toISOString() }
}

export const incidents: Model<IncidentRecord, 'incident'> = {
  name: 'incident',
  within: 'stack',
  record: recordOf({ service: z.enum(incidentServices as [string, ...string[]]), startTime: time, endTime: time }),
  /** A new stack has had one of 90 minutes, 20 hours before the start. The sample of a new record begins at the start. */
  seed(stackId, { identity, start, isNew, isSample }) {
    const id = createRandom(seedOf(identity, 'incident', stackId)).hex(24)
    if (isSample) return [record(id, start)]
    return isNew ? [] : [record(id, start - 20 * hour, 90)]
  },
}

export const models = [incidents] as const
