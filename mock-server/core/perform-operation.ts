import { queryChartSeries } from '../families/chart/query-chart-series.ts'
import { invalid, malformed, unknownId, unsupported } from '../words/refusal.ts'
import type { Reply } from '../words/reply.ts'
import { acceptAsJson } from './accept-body.ts'
import type { Behaviour, Request } from './behaviours/behaviour.ts'
import { observability } from './behaviours/observability.ts'
import type { Stack } from './stack.ts'
import type { Visit } from './visit.ts'

/** Behaviours by the id of their operation in the contract, and by their own names for what only the newer edition has. */
// keeps: dashboard/list-answers, dashboard/create-answers, dashboard/get-answers, dashboard/update-answers
// keeps: dashboard/delete-answers, alert/create-accepts-the-sample, alert/list-answers, alert/get-answers
// keeps: alert/update-answers, alert/delete-answers, source/list-answers, webhook/list-answers, chart/query-is-accepted
const behaviours: ReadonlyMap<string, Behaviour> = new Map([
  ['chart.query', queryChartSeries],
  ...Object.entries(observability).flatMap(([name, { behaviour }]): [string, Behaviour][] => [
    [name, behaviour],
    [name.replace(/s\./, '.'), behaviour],
  ]),
])

/** Performs one operation of the observability API on a stack. */
export function performOperation(visit: Visit, stack: Stack): Reply {
  const { operation = '' } = visit
  const behave = behaviours.get(operation)
  if (!behave) throw new Error(`perform ${operation}: the mock has no behaviour for it`)
  const isDelete = operation.endsWith('.delete')
  const body = isDelete || operation.endsWith('.get') || operation.endsWith('.list') ? {} : readJson(visit)
  const before = isDelete ? stack.dashboards.version + stack.alerts.version : 0
  const unit = operation === 'chart.query' ? visit.choice('chart/time-unit') : 'milliseconds'
  const reply = behave(toRequest(visit, stack, unit === 'milliseconds' ? body : inMilliseconds(body, unit)))
  if (reply.kind === 'deleted') {
    visit.isUnknown = before === stack.dashboards.version + stack.alerts.version
    const hasFailed = visit.isUnknown && visit.choice(`${reply.resource.toLowerCase()}/delete-unknown`) >= '400'
    if (hasFailed) throw unknownId(reply.resource)
  }
  return reply
}

function toRequest(visit: Visit, stack: Stack, body: unknown): Request {
  return {
    stack,
    form: visit.form === 'selfHosted' ? 'selfHosted' : 'managed',
    edition: visit.edition,
    id: visit.destination.params.id,
    body,
    query: new URLSearchParams(visit.call.query),
    now: visit.now,
    limits: visit.limits,
    newId: visit.deployment.newId,
    choice: gap => visit.choice(gap),
  }
}

/** The specification asks for the label application/json; what becomes of another one is a choice. */
function readJson(visit: Visit): unknown {
  const { value, label } = visit.readBody()
  if (label === undefined) return value
  const says = `header Content-Type: Expected application/json, received ${label}`
  switch (visit.choice('error/content-type')) {
    case 'refused by body':
      return value
    case 'accepted':
      return acceptAsJson(visit.call, visit.limits)
    case 'refused as 415':
      throw unsupported(says)
    default:
      throw malformed(says)
  }
}

const latestInSeconds = 100_000_000_000

/** A deployment that counts in seconds refuses milliseconds, as one that counts in these refuses seconds; some take both. */
function inMilliseconds(body: unknown, unit: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const read: Record<string, unknown> = { ...body }
  const times = (['startTime', 'endTime'] as const).filter(name => typeof read[name] === 'number')
  const late = times.filter(name => (read[name] as number) >= latestInSeconds)
  if (unit === 'seconds' && late.length > 0) {
    const says = 'Timestamp must be in seconds'
    throw invalid(late.map(name => ({ part: 'Body', path: [name], says, received: read[name] })))
  }
  for (const name of times) if (!late.includes(name)) read[name] = (read[name] as number) * 1000
  return read
}
