import { day } from '../../words/durations.ts'
import { createRandom, seedOf } from '../../world/random.ts'

/** How busy a service is on a day, from 0 to 1: less at weekends, and otherwise as the seed has it. */
export function loadOf(seed: number, serviceId: string, at: number): number {
  const number = Math.floor(at / day)
  const weekday = new Date(at).getUTCDay()
  const share = weekday === 0 || weekday === 6 ? 0.4 : 1
  return share * (0.5 + 0.5 * createRandom(seedOf(seed, 'load', serviceId, number)).next())
}

/** The gigabytes that the tables of a service hold: they grow by about a thousandth a day. */
export function storedGb(seed: number, serviceId: string, createdAt: number, at: number): number {
  const first = 20 + 800 * createRandom(seedOf(seed, 'stored', serviceId)).next()
  return first * (1 + Math.max(0, at - createdAt) / day / 1000)
}

const serving: readonly string[] = ['running', 'partially_running', 'degraded']

/** Whether a service in a state answers queries: then it costs, and has metrics. */
export const isServing = ({ state }: { readonly state: string }): boolean => serving.includes(state)
