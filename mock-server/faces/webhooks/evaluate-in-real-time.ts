import type { Mock, MockWorld } from '../../mock/mock.ts'
import type { Deliverer } from './deliver-webhook.ts'

/** The task runs at full minutes by the clock of each world; looking whether one has passed is cheap. */
const intervalMs = 1000

/** Evaluates the alerts of all worlds until the returned function is called. Each error is logged once. */
export function evaluateInRealTime(mock: Mock, { deliver }: Deliverer, warn = emitWarning): () => void {
  const reported = new Set<string>()
  const fail = (error: unknown) => {
    const sentence = `evaluate alerts: ${error instanceof Error ? error.message : String(error)}`
    if (!reported.has(sentence)) warn(sentence)
    reported.add(sentence)
  }
  const evaluate = (world: MockWorld) =>
    world.inSlices.evaluateAlerts(notifications => void deliver(world, notifications).catch(fail)).catch(fail)
  const evaluateAll = () => {
    for (const world of [mock, ...mock.worlds.all()]) void evaluate(world)
  }
  evaluateAll()
  const timer = setInterval(evaluateAll, intervalMs)
  return () => clearInterval(timer)
}

const emitWarning = (sentence: string) => process.emitWarning(sentence)
