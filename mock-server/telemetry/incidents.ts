import { z } from 'zod/v3'
import { hour } from '../words/durations.ts'
import type { Model } from '../world/collection.ts'
import { createRandom, seedOf } from '../world/random.ts'
import { recordOf, time } from '../world/record.ts'
import { incidentFrom, incidentServices } from './story/incident.ts'

/** A time in which a service of the observed shop is in trouble: `story/incident.ts` says how it shows. No API answers it. */
export interface IncidentRecord {
  readonly id: string
  readonly service: string
  readonly startTime: string
  readonly endTime: string
}

const record = (id: string, service: string, from: number, minutes?: number): IncidentRecord => {
  const { start, end } = incidentFrom(service, from, minutes)
  return { id, service, startTime: new Date(start).toISOString(), endTime: new Date(end).toISOString() }
}

export const incidents: Model<IncidentRecord, 'incident'> = {
  name: 'incident',
  within: 'stack',
  record: recordOf({
    service: z.enum(incidentServices as [string, ...string[]]),
    startTime: time,
    endTime: time,
  }),
  /** One lies behind it: an hour and a half, most of a day before the start. One that is arranged begins at once. */
  seed(stackId, { identity, start, isNew, isSample }) {
    const id = createRandom(seedOf(identity, 'incident', stackId)).hex(24)
    if (isSample) return [record(id, 'payments', start)]
    return isNew ? [] : [record(id, 'payments', start - 20 * hour, 90)]
  },
}

export const models = [incidents] as const
