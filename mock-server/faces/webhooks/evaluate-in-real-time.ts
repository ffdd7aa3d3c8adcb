import type { Mock, MockWorld } from '../../mock/mock.ts'
import type { Deliverer } from './deliver-webhook.ts'

/** Windows end on full minutes by the clock of each world; checking alerts that are not due is cheap. */
const intervalMs = 1000

/** Evaluates the alerts of all worlds until the returned function is called. Each error is logged once. */
export function evaluateInRealTime(mock: Mock, { deliver }: Deliverer, warn = emitWarning): () => void {
  const reported = new Set<string>()
  const evaluate = async (world: MockWorld) => {
    try {
      await deliver(world, world.evaluateAlerts())
      await deliver(world, await world.awaitAlerts())
    } catch (error) {
      const sentence = `evaluate alerts: ${error instanceof Error ? error.message : String(error)}`
      if (!reported.has(sentence)) warn(sentence)
      reported.add(sentence)
    }
  }
  const evaluateAll = () => {
    for (const world of [mock, ...mock.worlds.all()]) void evaluate(world)
  }
  evaluateAll()
  const timer = setInterval(evaluateAll, intervalMs)
  return () => clearInterval(timer)
}

const emitWarning = (sentence: string) => process.emitWarning(sentence)
