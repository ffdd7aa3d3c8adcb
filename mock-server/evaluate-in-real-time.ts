import type { Mock } from './core/mock.ts'
import type { Deliverer } from './deliver-webhook.ts'

/** Windows end on full minutes, each world by a clock of its own: what is not due costs nothing to ask. */
const pace = 1000

/** Evaluates the alerts of all worlds as time goes on, until the function that it returns is called. */
export function evaluateInRealTime(mock: Mock, { deliver }: Deliverer): () => void {
  const evaluate = () => {
    for (const world of [mock, ...mock.worlds.all()]) void deliver(world, world.evaluateAlerts())
  }
  evaluate()
  const timer = setInterval(evaluate, pace)
  return () => clearInterval(timer)
}
