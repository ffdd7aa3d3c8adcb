import type { Random } from '../../world/random.ts'

/** The small shop whose telemetry fills a stack: what runs in it, what it is asked, and how its days go. */
export const hour = 3_600_000

export interface Endpoint {
  readonly service: string
  readonly method: string
  readonly route: string
  /** How often it is asked, beside the others. */
  readonly share: number
  /** How long it takes, in milliseconds, when nothing is wrong. */
  readonly duration: number
}

export const endpoints: readonly Endpoint[] = [
  { service: 'web', method: 'GET', route: '/', share: 30, duration: 18 },
  { service: 'web', method: 'GET', route: '/products/{id}', share: 24, duration: 35 },
  { service: 'api', method: 'GET', route: '/api/products', share: 20, duration: 42 },
  { service: 'api', method: 'POST', route: '/api/cart', share: 10, duration: 55 },
  { service: 'checkout', method: 'POST', route: '/checkout', share: 6, duration: 140 },
  { service: 'payments', method: 'POST', route: '/charges', share: 5, duration: 320 },
  { service: 'worker', method: 'POST', route: '/jobs/send-receipt', share: 5, duration: 210 },
]

export const services = [...new Set(endpoints.map(({ service }) => service))]

const shares = endpoints.flatMap(endpoint => Array<Endpoint>(endpoint.share).fill(endpoint))
export const pickEndpoint = (random: Random): Endpoint => random.pick(shares)

/** When payments were slow and failing: three hours, two days before the mock was started. */
export function isIncident(time: number, start: number): boolean {
  const before = (start - time) / hour
  return before > 48 && before <= 51
}

/** How much of the incident lies before a time, in milliseconds. */
export const incidentBefore = (time: number, start: number) =>
  Math.min(Math.max(time - (start - 51 * hour), 0), 3 * hour)

/** How busy an hour is: quiet at night, busiest in the early evening (UTC), less on weekends. */
export function busyness(time: number): number {
  const date = new Date(time)
  const rhythm = 1 + 0.8 * Math.sin(((date.getUTCHours() - 11) / 24) * 2 * Math.PI)
  return date.getUTCDay() % 6 === 0 ? rhythm * 0.7 : rhythm
}
