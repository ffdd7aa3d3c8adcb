import type { Answer } from '../../../words/call.ts'
import type { SqlAnswer, SqlCall } from '../../../words/sql.ts'
import type { ServicesSql } from '../../family.ts'
import { logBySystem } from '../../organization/activity/index.ts'
import { enterState, isServing, primaryOf, type Service, services } from '../model.ts'
import { addUse } from '../query-use.ts'

export type StreamedAnswer = Answer & { readonly stream: AsyncIterable<Uint8Array> }

export interface ServicePlace {
  readonly organizationId: string
  readonly serviceId: string
}

const servicesAt = ({ world }: ServicesSql, { organizationId }: ServicePlace) => world().in(services, organizationId)

/** A service as it is at this moment. */
export function findService(servicesSql: ServicesSql, place: ServicePlace): Service | undefined {
  servicesSql.world().applyTime(servicesSql.now())
  return servicesAt(servicesSql, place).get(place.serviceId)
}

/** Wakes a service that idles, as a query does. */
export function wakeIfIdle(servicesSql: ServicesSql, place: ServicePlace): void {
  const service = findService(servicesSql, place)
  if (service?.state !== 'idle') return
  const { organizationId, serviceId } = place
  servicesAt(servicesSql, place).replace(enterState(service, 'awaking', servicesSql.now()))
  logBySystem(servicesSql.world(), organizationId, servicesSql.now(), { type: 'service_awaken', serviceId })
}

/** Polling interval in milliseconds. */
const pollMs = 25

/** Waits until an awaking service serves; false for any other state, or after the time-out. */
export async function waitUntilServing(
  servicesSql: ServicesSql,
  place: ServicePlace,
  until: number,
  signal?: AbortSignal,
): Promise<boolean> {
  for (;;) {
    const service = findService(servicesSql, place)
    if (service && isServing(service)) return true
    if (service?.state !== 'awaking' || signal?.aborted || performance.now() >= until) return false
    await new Promise(resolve => setTimeout(resolve, pollMs))
  }
}

/** Sends a call to the engine of a serving service, and counts it, which restarts the idle time-out. */
export async function askEngine(servicesSql: ServicesSql, place: ServicePlace, call: SqlCall): Promise<StreamedAnswer> {
  const service = findService(servicesSql, place)!
  const all = servicesAt(servicesSql, place).list()
  const primary = service.isPrimary ? service : (primaryOf(all, service.dataWarehouseId) ?? service)
  const received = typeof call.body === 'string' ? call.body.length : Number(call.headers['content-length'] ?? 0)
  const count = (status: number, hasWritten: boolean, sent: number) => {
    const current = findService(servicesSql, place)
    if (!current) return
    if (current.since !== undefined && isServing(current))
      servicesAt(servicesSql, place).touch({ ...current, since: servicesSql.now() })
    addUse(servicesSql.world(), current.id, servicesSql.now(), {
      queries: 1,
      inserts: hasWritten ? 1 : 0,
      failed: status >= 400 ? 1 : 0,
      received,
      sent,
    })
  }
  try {
    // The engine has the data of a warehouse under the id of its primary.
    const answer = await servicesSql.engine!.run(primary.id, {
      ...call,
      isReadOnly: call.isReadOnly || service.isReadonly,
    })
    const hasWritten = !/"written_rows":"0"/.test(answer.headers['x-clickhouse-summary'] ?? '"written_rows":"0"')
    const { status, headers } = answer
    const outcome = status < 400 ? 'answers' : `refuses with code ${headers['x-clickhouse-exception-code']}`
    return {
      status,
      headers,
      body: '',
      stream: countBytes(answer, sent => count(status, hasWritten, sent)),
      cause: { basis: 'observed', why: `${servicesSql.engine!.name} ${outcome} for the service ${service.name}` },
    }
  } catch (error) {
    count(500, false, 0)
    throw error
  }
}

async function* countBytes({ body }: SqlAnswer, onEnd: (sent: number) => void): AsyncIterable<Uint8Array> {
  let sent = 0
  try {
    for await (const chunk of body) {
      sent += chunk.length
      yield chunk
    }
  } finally {
    onEnd(sent)
  }
}
