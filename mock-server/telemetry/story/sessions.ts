import { createRandom, seedOf } from '../../world/random.ts'
import { slotLength, type TimedRows } from '../telemetry.ts'
import { eventsOfSlot } from './arrivals.ts'
import type { Shop } from './requests.ts'

const sessionEvents = ['page loaded', 'clicked on a product', 'scrolled', 'put into the cart', 'left the page']

export const sessionsOf = ({ seed, logs }: Shop) => {
  const events = Math.min(Math.ceil(logs / 5), 20_000)
  return () =>
    function* (slot: number): TimedRows {
      const { first, next } = eventsOfSlot(slot, events, seed)
      const random = createRandom(seedOf(seed, 'sessions', slot))
      for (let event = first; event < next; event++) {
        const time = Math.floor((slot + (event - first + random.next()) / (next - first)) * slotLength)
        const visitor = createRandom(seedOf(seed, 'session', Math.floor(event / sessionEvents.length)))
        const row = {
          ServiceName: 'web',
          Body: sessionEvents[event % sessionEvents.length],
          ResourceAttributes: { 'rum.sessionId': visitor.hex(32) },
          LogAttributes: { 'user.id': `u-${visitor.int(1, 400)}` },
        }
        yield [time, row]
      }
    }
}
