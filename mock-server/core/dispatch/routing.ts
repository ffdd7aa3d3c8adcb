import type { ChoicesInForce } from '../../gaps/choices.ts'
import type { Listener } from '../../words/call.ts'
import { createDispatch } from './dispatch.ts'
import type { Offer } from './offer.ts'
import { listRoutes, type Route } from './routes.ts'

/** The choices in force, and the routes that follow from them. */
export interface Routing {
  readonly taken: ChoicesInForce
  readonly routes: Readonly<Record<Listener, readonly Route[]>>
  readonly dispatch: Readonly<Record<Listener, ReturnType<typeof createDispatch>>>
}

export function createRouting(taken: ChoicesInForce, segment: string, offer?: readonly Offer[]): Routing {
  const cloud = listRoutes('cloud', taken, segment, offer)
  const selfHosted = listRoutes('selfHosted', taken, segment)
  return {
    taken,
    routes: { cloud, selfHosted },
    dispatch: {
      cloud: createDispatch(cloud, taken, segment),
      selfHosted: createDispatch(selfHosted, taken, segment),
    },
  }
}
