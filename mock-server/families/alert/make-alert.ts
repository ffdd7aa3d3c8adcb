import type { Alert } from '../../words/resources.ts'
import type { BodyOf } from '../family.ts'

type Kept = Pick<Alert, 'id' | 'teamId'> & Partial<Alert>

/**
 * The alert that a body asks for, new or in the place of another. The upper threshold and the schedule stay as they were
 * unless they are sent; texts that are not sent are cleared. What is not named here is kept as it was sent. Properties are
 * named, even those without a value: spreading the body doubles what a creation costs (65 µs instead of 30).
 */
export function makeAlert(body: BodyOf<'alert.create'>, kept: Kept, now: number): Alert {
  const { scheduleStartAt: start } = body
  const tile = body.source === 'tile' ? body : undefined
  const search = body.source === 'saved_search' ? body : undefined
  const updatedAt = new Date(now).toISOString()
  const offset = start != null ? 0 : (body.scheduleOffsetMinutes ?? (start === null ? 0 : undefined))
  const alert: Alert & { channel: undefined } = {
    id: kept.id,
    name: body.name ?? null,
    message: body.message ?? null,
    note: body.note ?? null,
    threshold: body.threshold,
    thresholdMax: body.thresholdMax ?? kept.thresholdMax,
    thresholdType: body.thresholdType,
    interval: body.interval,
    numConsecutiveWindows: body.numConsecutiveWindows ?? null,
    scheduleOffsetMinutes: offset ?? kept.scheduleOffsetMinutes,
    scheduleStartAt: start === undefined ? kept.scheduleStartAt : start && new Date(start).toISOString(),
    source: body.source,
    state: kept.state ?? 'OK',
    channels: body.channels ?? (body.channel ? [body.channel] : []),
    teamId: kept.teamId,
    dashboardId: tile?.dashboardId.toLowerCase(),
    tileId: tile?.tileId,
    savedSearchId: search?.savedSearchId.toLowerCase(),
    groupBy: search?.groupBy ?? undefined,
    silenced: kept.silenced,
    executionErrors: kept.executionErrors,
    evaluatedUntil: kept.evaluatedUntil,
    groups: kept.groups,
    createdAt: kept.createdAt ?? updatedAt,
    updatedAt,
    // It is the first of the channels.
    channel: undefined,
  }
  for (const name in body) if (!(name in alert)) Object.assign(alert, { [name]: body[name as keyof typeof body] })
  return alert
}
