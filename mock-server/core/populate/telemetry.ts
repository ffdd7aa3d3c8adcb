import type { RowStore, Telemetry } from '../charts/telemetry.ts'
import { createRandom, seedOf } from '../random.ts'
import type { Source } from '../resources.ts'
import { dealMoments, historyInHours, hour, isIncident, pickEndpoint, services } from './shop.ts'

interface History {
  readonly seed: number
  /** How many rows of logs there are; the other kinds follow from it. */
  readonly logs: number
  /** The end of the history, in epoch milliseconds. */
  readonly start: number
}

/** Promises the history of a shop to the sources of a stack; nothing is written before somebody looks. */
export function promiseTelemetry(sources: readonly Source[], telemetry: Telemetry, history: History): void {
  const { logs } = history
  if (logs === 0) return
  const counts = {
    log: logs,
    trace: spans(logs),
    session: Math.min(Math.ceil(logs / 20), 20_000),
    metric: readings(logs),
  }
  for (const { id, kind } of sources) {
    if (kind === 'promql') continue
    telemetry.fillLater(id, kind, counts[kind], store => writers[kind](store, counts[kind], history))
  }
}

const writers = { log: writeLogs, trace: writeTraces, session: writeSessions, metric: writeMetrics }

/** Every second request is traced, in a large world fewer: the ids of a million traces would fill the memory. */
const spans = (logs: number) => Math.min(Math.ceil(logs / 2), 20_000)
const traceOf = (seed: number, number: number) => createRandom(seedOf(seed, 'trace', number))

function writeLogs(store: RowStore, count: number, { seed, start }: History): void {
  const random = createRandom(seedOf(seed, 'logs'))
  const [service, severity, body] = ['ServiceName', 'SeverityText', 'Body'].map(name => store.text(name))
  const [trace, span] = ['TraceId', 'SpanId'].map(name => store.text(name))
  const severityNumber = store.number('SeverityNumber')
  const attribute = (key: string) => store.text('LogAttributes', key)
  const [method, route, status] = ['http.method', 'http.route', 'http.status_code'].map(attribute)
  const [plainMethod, user, duration] = ['method', 'user.id', 'dur'].map(attribute)
  const host = store.text('ResourceAttributes', 'host.name')
  const environment = store.text('ResourceAttributes', 'deployment.environment')

  const traced = Math.ceil(count / spans(count))
  dealMoments(random, count, start, (time, index) => {
    const endpoint = pickEndpoint(random)
    const chance = random.next()
    const isFailing = isIncident(time, start) && /payments|checkout/.test(endpoint.service)
    const code = chance < (isFailing ? 0.6 : 0.01) ? 500 : chance > 0.96 ? 404 : endpoint.method === 'POST' ? 201 : 200
    const level = code === 500 ? 'ERROR' : code === 404 ? 'WARN' : chance < 0.1 ? 'DEBUG' : 'INFO'
    const row = store.start(time)
    service!.write(row, endpoint.service)
    severity!.write(row, level)
    severityNumber.write(row, severities[level])
    body!.write(row, code === 500 ? failures[endpoint.service]! : `${endpoint.method} ${endpoint.route} ${code}`)
    method!.write(row, endpoint.method)
    plainMethod!.write(row, endpoint.method)
    route!.write(row, endpoint.route)
    status!.write(row, String(code))
    user!.write(row, `u-${random.int(1, 400)}`)
    duration!.write(row, String(Math.ceil(endpoint.duration * (0.5 + random.next()) * (isFailing ? 8 : 1))))
    host.write(row, `${endpoint.service}-${random.int(1, 3)}`)
    environment.write(row, 'production')
    if (index % traced === 0) {
      const ids = traceOf(seed, index / traced)
      trace!.write(row, ids.hex(32))
      span!.write(row, ids.hex(16))
    }
  })
}

const severities = { DEBUG: 5, INFO: 9, WARN: 13, ERROR: 17 } as const

const failures: Readonly<Record<string, string>> = {
  web: 'upstream connect error: connection refused',
  api: 'database query timed out after 5000 ms',
  checkout: 'could not place order: payments did not answer',
  payments: 'provider answered 503: charge was not made',
  worker: 'job send-receipt failed, will be tried again',
}

function writeTraces(store: RowStore, count: number, { seed, start }: History): void {
  const random = createRandom(seedOf(seed, 'traces'))
  const [service, name, kind] = ['ServiceName', 'SpanName', 'SpanKind'].map(column => store.text(column))
  const [trace, span] = ['TraceId', 'SpanId'].map(column => store.text(column))
  const [status, message] = ['StatusCode', 'StatusMessage'].map(column => store.text(column))
  const code = store.text('SpanAttributes', 'http.status_code')
  const route = store.text('SpanAttributes', 'http.route')
  const duration = store.number('Duration')

  dealMoments(random, count, start, (time, index) => {
    const endpoint = pickEndpoint(random)
    const isFailing = isIncident(time, start) && /payments|checkout/.test(endpoint.service)
    const hasFailed = random.next() < (isFailing ? 0.6 : 0.01)
    const ids = traceOf(seed, index)
    const row = store.start(time)
    trace!.write(row, ids.hex(32))
    span!.write(row, ids.hex(16))
    service!.write(row, endpoint.service)
    name!.write(row, `${endpoint.method} ${endpoint.route}`)
    kind!.write(row, endpoint.service === 'worker' ? 'Consumer' : 'Server')
    status!.write(row, hasFailed ? 'Error' : 'Unset')
    if (hasFailed) message!.write(row, failures[endpoint.service]!)
    code.write(row, hasFailed ? '500' : '200')
    route.write(row, endpoint.route)
    // One in twenty takes far longer than the others; in nanoseconds.
    const tail = random.next() < 0.05 ? 6 : 1
    duration.write(row, Math.round(endpoint.duration * (0.5 + random.next()) * tail * (isFailing ? 8 : 1) * 1e6))
  })
}

const replayed = ['page loaded', 'clicked on a product', 'scrolled', 'put into the cart', 'left the page']

function writeSessions(store: RowStore, count: number, { seed, start }: History): void {
  const random = createRandom(seedOf(seed, 'sessions'))
  const [service, body] = ['ServiceName', 'Body'].map(name => store.text(name))
  const session = store.text('ResourceAttributes', 'rum.sessionId')
  const user = store.text('LogAttributes', 'user.id')
  dealMoments(random, count, start, (time, index) => {
    const row = store.start(time)
    service!.write(row, 'web')
    body!.write(row, replayed[index % replayed.length]!)
    session.write(row, traceOf(seed, Math.floor(index / replayed.length)).hex(32))
    user.write(row, `u-${random.int(1, 400)}`)
  })
}

const gauges = [
  { name: 'system.cpu.utilization', least: 0.15, most: 0.6 },
  { name: 'system.memory.utilization', least: 0.4, most: 0.75 },
] as const

/** Metrics are read in a fixed rhythm, whatever happens: twice an hour, or every minute in a large world. */
const readingsAnHour = (logs: number) => (logs > 50_000 ? 60 : 2)
const readings = (logs: number) => readingsAnHour(logs) * historyInHours * services.length * (gauges.length + 1)

function writeMetrics(store: RowStore, _count: number, { seed, logs, start }: History): void {
  const random = createRandom(seedOf(seed, 'metrics'))
  const [service, type, name] = ['ServiceName', 'MetricType', 'MetricName'].map(column => store.text(column))
  const value = store.number('Value')
  const isMonotonic = store.number('IsMonotonic')
  const temporality = store.number('AggregationTemporality')
  const requests = services.map(() => 0)
  const step = hour / readingsAnHour(logs)
  for (let time = start - historyInHours * hour; time < start; time += step) {
    services.forEach((of, i) => {
      const strain = isIncident(time, start) && of === 'payments' ? 1.5 : 1
      const read = (kind: string, metric: string, reading: number) => {
        const row = store.start(time)
        service!.write(row, of)
        type!.write(row, kind)
        name!.write(row, metric)
        value.write(row, reading)
        return row
      }
      for (const gauge of gauges) {
        const reading = (gauge.least + random.next() * (gauge.most - gauge.least)) * strain
        read('gauge', gauge.name, Math.round(reading * 1000) / 1000)
      }
      requests[i]! += random.int(20, 200)
      const row = read('sum', 'http.server.requests', requests[i]!)
      isMonotonic.write(row, 1)
      // Cumulative: a counter that only grows.
      temporality.write(row, 2)
    })
  }
}
