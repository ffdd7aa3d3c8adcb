import { createRandom, seedOf } from '../../world/random.ts'
import type { Arrivals, RowStore } from '../telemetry.ts'
import { slotLength } from '../telemetry.ts'
import { dealtIn } from './arrivals.ts'
import type { Shop } from './requests.ts'

const replayed = ['page loaded', 'clicked on a product', 'scrolled', 'put into the cart', 'left the page']

/** What a few of the shoppers did in their browsers. */
export function sessionsOf({ seed, logs }: Shop): (store: RowStore) => (slot: number) => Arrivals {
  const events = Math.min(Math.ceil(logs / 5), 20_000)
  return store => {
    const [service, body] = ['ServiceName', 'Body'].map(name => store.text(name))
    const session = store.text('ResourceAttributes', 'rum.sessionId')
    const user = store.text('LogAttributes', 'user.id')
    return function* (slot) {
      const { first, next } = dealtIn(slot, events, seed)
      const random = createRandom(seedOf(seed, 'sessions', slot))
      for (let event = first; event < next; event++) {
        const time = Math.floor((slot + (event - first + random.next()) / (next - first)) * slotLength)
        yield time
        const visitor = createRandom(seedOf(seed, 'session', Math.floor(event / replayed.length)))
        const row = store.start(time)
        service!.write(row, 'web')
        body!.write(row, replayed[event % replayed.length]!)
        session.write(row, visitor.hex(32))
        user.write(row, `u-${visitor.int(1, 400)}`)
      }
    }
  }
}
