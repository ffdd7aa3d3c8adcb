import { logBySystem } from '../../families/activity/model.ts'
import { addUse } from '../../families/query-use/index.ts'
import { enterState } from '../../families/service/life.ts'
import { isServing } from '../../families/service/load.ts'
import { primaryOf, type Service, services } from '../../families/service/model.ts'
import type { Answer, Call } from '../../words/call.ts'
import { type SqlAnswer, type SqlCall, type SqlEngine, SqlException } from '../../words/sql.ts'
import type { World } from '../../world/world.ts'

/** The SQL interface of the services of a world. */
export interface ServicesSql {
  /** Without an engine no service can be reached. */
  readonly engine: SqlEngine | undefined
  /** The current world, which a reset replaces. */
  world(): World
  now(): number
  /** Applies faults to an answer of the HTTP interface, and records it in the journal. */
  record(call: Call, answer: () => Promise<Answer>): Promise<Answer>
}

export type StreamedAnswer = Answer & { readonly stream: AsyncIterable<Uint8Array> }

export interface ServicePlace {
  readonly organizationId: string
  readonly serviceId: string
}

const servicesAt = ({ world }: ServicesSql, { organizationId }: ServicePlace) => world().in(services, organizationId)

/** A service as it is at this moment. */
export function findService(site: ServicesSql, place: ServicePlace): Service | undefined {
  site.world().applyTime(site.now())
  return servicesAt(site, place).get(place.serviceId)
}

/** Wakes a service that idles, as a query does. */
export function wake(site: ServicesSql, place: ServicePlace): void {
  const service = findService(site, place)
  if (service?.state !== 'idle') return
  const { organizationId, serviceId } = place
  servicesAt(site, place).replace(enterState(service, 'awaking', site.now()))
  logBySystem(site.world(), organizationId, site.now(), { type: 'service_awaken', serviceId })
}

/** Polling interval in milliseconds. */
const pollEvery = 25

/** Waits until an awaking service serves; false for any other state, or after the time-out. */
export async function waitUntilServing(
  site: ServicesSql,
  place: ServicePlace,
  until: number,
  signal?: AbortSignal,
): Promise<boolean> {
  for (;;) {
    const service = findService(site, place)
    if (service && isServing(service)) return true
    if (service?.state !== 'awaking' || signal?.aborted || performance.now() >= until) return false
    await new Promise(resolve => setTimeout(resolve, pollEvery))
  }
}

/** Sends a call to the engine of a serving service, and counts it, which restarts the idle time-out. */
export async function askEngine(site: ServicesSql, place: ServicePlace, call: SqlCall): Promise<StreamedAnswer> {
  const service = findService(site, place)!
  const all = servicesAt(site, place).list()
  const primary = service.isPrimary ? service : (primaryOf(all, service.dataWarehouseId) ?? service)
  const received = typeof call.body === 'string' ? call.body.length : Number(call.headers['content-length'] ?? 0)
  const count = (status: number, written: boolean, sent: number) => {
    const now = findService(site, place)
    if (!now) return
    // Restarts the idle time-out.
    if (now.since !== undefined && isServing(now)) servicesAt(site, place).touch({ ...now, since: site.now() })
    addUse(site.world(), now.id, site.now(), {
      queries: 1,
      inserts: written ? 1 : 0,
      failed: status >= 400 ? 1 : 0,
      received,
      sent,
    })
  }
  try {
    const answer = await site.engine!.run(primary.id, { ...call, isReadOnly: call.isReadOnly || service.isReadonly })
    const written = !/"written_rows":"0"/.test(answer.headers['x-clickhouse-summary'] ?? '"written_rows":"0"')
    const { status, headers } = answer
    const does = status < 400 ? 'answers' : `refuses with code ${headers['x-clickhouse-exception-code']}`
    return {
      status,
      headers,
      body: '',
      stream: counted(answer, sent => count(status, written, sent)),
      cause: { basis: 'observed', why: `${site.engine!.name} ${does} for the service ${service.name}` },
    }
  } catch (error) {
    count(500, false, 0)
    throw error
  }
}

async function* counted({ body }: SqlAnswer, tell: (sent: number) => void): AsyncIterable<Uint8Array> {
  let sent = 0
  try {
    for await (const chunk of body) {
      sent += chunk.length
      yield chunk
    }
  } finally {
    tell(sent)
  }
}

export const notServing = (state: string): SqlException =>
  new SqlException(210, 'NETWORK_ERROR', `The service does not answer: its state is ${state}`, 503)
