import type { Faults } from '../../faults/fault.ts'
import { wrongField } from '../../faults/rewrite.ts'
import { invalidAt, Refusal } from '../../words/refusal.ts'
import { answerObject, type BodyOf, type Handlers, type Request } from '../family.ts'
import { restartTimeout, type Service, services } from './model.ts'
import { find } from './present.ts'
import { readScaling, scalingIn } from './scaling.ts'
import { baseOf, type Entry, hoursOf, scheduleOf } from './schedule.ts'

type SentEntry = BodyOf<'scalingSchedule.upsert'>['entries'][number]

const refusalOf = (index: number, field: keyof SentEntry, sentence: string, received: unknown) =>
  invalidAt(['entries', index, field], sentence, received)

const noSchedule = () => new Refusal('unknownId', '')

/** Judges the entries, of which only one may be in force at any time, and gives them their ids. */
function readEntries(request: Request, service: Service, sent: readonly SentEntry[]): readonly Entry[] {
  const taken = new Set<number>()
  return sent.map((entry, index) => {
    const { name, weekdays, startHourUtc, endHourUtc, numReplicas, ...scaling } = entry
    if (startHourUtc === endHourUtc)
      throw refusalOf(index, 'endHourUtc', 'Expected another hour than startHourUtc', endHourUtc)
    const hours = hoursOf(entry)
    if (hours.some(hour => taken.has(hour)) || new Set(hours).size < hours.length)
      throw refusalOf(index, 'weekdays', 'Entries must not overlap', weekdays)
    for (const hour of hours) taken.add(hour)
    const missing = (['minReplicaMemoryGb', 'maxReplicaMemoryGb'] as const).filter(field => entry[field] === undefined)
    if (missing.length === 1)
      throw refusalOf(index, missing[0]!, 'Expected both bounds of the memory, or none', undefined)
    const autoscalingMode = entry.autoscalingMode ?? 'vertical'
    readScaling(request, { ...scalingIn(entry), autoscalingMode }, baseOf(service), ['entries', index])
    return {
      id: request.world.newUuid(),
      name,
      weekdays,
      startHourUtc,
      endHourUtc,
      autoscalingMode,
      ...scaling,
      ...(numReplicas !== undefined && { minReplicas: numReplicas, maxReplicas: numReplicas }),
    }
  })
}

export const handlers = {
  'scalingSchedule.get': request => {
    const schedule = scheduleOf(find(request), request.now)
    if (!schedule) throw noSchedule()
    return answerObject(schedule)
  },
  'scalingSchedule.upsert': request => {
    const service = find(request)
    const sent = request.body
    if (sent.entries.length === 0) {
      if (request.choice('scalingSchedule/no-entries') === 'cleared') return clear(request, service)
      throw new Refusal('malformed', 'request body.entries: Expected at least 1 items <array:[]>', {
        gap: 'scalingSchedule/no-entries',
      })
    }
    const entries = readEntries(request, service, sent.entries)
    const changed = restartTimeout({ ...service, scalingSchedule: { entries } }, request.now)
    request.in(services).replace(changed)
    return answerObject(scheduleOf(changed, request.now)!)
  },
  'scalingSchedule.delete': request => {
    const service = find(request)
    if (!service.scalingSchedule) throw noSchedule()
    clear(request, service)
    return { kind: 'deleted' }
  },
} as const satisfies Handlers

function clear(request: Request, { scalingSchedule: _, ...service }: Service) {
  request.in(services).replace(restartTimeout(service, request.now))
  return answerObject({ entries: [], baseConfig: {} })
}

export const faults = {
  'scalingSchedule/set-is-got': wrongField('scalingSchedule.get', 'entries', []),
} as const satisfies Faults
