import { second } from '../../words/durations.ts'
import { conflict, Refusal } from '../../words/refusal.ts'
import type { Service } from './model.ts'
import { idlesAt } from './schedule.ts'

/** The state machine of services, driven by commands and time. */

/** Durations of the states that end by themselves, about those of real deployments. */
const durations: Readonly<Partial<Record<Service['state'], number>>> = {
  provisioning: 120 * second,
  starting: 60 * second,
  awaking: 20 * second,
  stopping: 30 * second,
  terminating: 180 * second,
}
/** Time after a stop in which a deletion is still refused, by choice. */
export const settling = 10 * second

export const enterState = (service: Service, state: Service['state'], at: number): Service => ({
  ...service,
  state,
  since: at,
})

/** A change of how it scales counts as use: the time-out until a service idles begins again. */
export const restartTimeout = (service: Service, at: number): Service =>
  service.state === 'running' && service.since !== undefined ? { ...service, since: at } : service

/** When its state ends by itself, in epoch milliseconds. */
export function nextChange(service: Service): number | undefined {
  const { state, since } = service
  if (since === undefined) return undefined
  if (state === 'running') return idlesAt(service, since)
  const length = durations[state]
  return length === undefined ? undefined : since + length
}

/** The state after each state that ends by itself; undefined: the service is removed. */
export const stateAfter: Readonly<Partial<Record<Service['state'], Service['state']>>> = {
  provisioning: 'running',
  starting: 'running',
  awaking: 'running',
  running: 'idle',
  stopping: 'stopped',
}

type Command = 'start' | 'stop' | 'awake'

/** The state after a command; the same if it has no effect. */
export function stateAfterCommand(command: Command, { state }: Service): Service['state'] {
  if (state === 'terminating') throw refuseCommand()
  if (command === 'stop') return state === 'stopping' || state === 'stopped' ? state : 'stopping'
  const isStopped = state === 'stopped' || state === 'stopping'
  // A stopped service is started, and only an idle one woken: deployments refuse the other without a reason.
  if (command === 'awake' && isStopped) throw refuseCommand()
  if (command === 'awake') return state === 'idle' ? 'awaking' : state
  return isStopped ? 'starting' : state
}

const refuseCommand = () => new Refusal('malformed', '')

const deletable = ['provisioning', 'starting', 'awaking', 'idle', 'stopped', 'degraded', 'failed']

/** Refuses to delete a service that runs, or that has stopped only after the moment `settled`. */
export function refuseWhileRunning({ state, since = Number.NEGATIVE_INFINITY }: Service, settled: number): void {
  const seen = state === 'stopped' && settled < since ? 'stopping' : state
  if (deletable.includes(seen)) return
  const named = deletable.map(one => `'${one}'`).join(',')
  throw conflict(`Only instance in one of the following states: ${named} can be terminated. Current state: '${seen}'`)
}

/** Whether its observability API answers: not before it was provisioned, and not once it is being deleted. */
export const hasStack = ({ state }: Service): boolean => state !== 'provisioning' && state !== 'terminating'
