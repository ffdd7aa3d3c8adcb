import { second } from '../../words/durations.ts'
import { conflict, Refusal } from '../../words/refusal.ts'
import type { Service } from './model.ts'
import { idlesAt } from './schedule.ts'

/** How services change, by commands and by time alone. */

/** How long each state lasts that passes by itself: about as long as on real deployments. */
const lasts: Readonly<Partial<Record<Service['state'], number>>> = {
  provisioning: 120 * second,
  starting: 60 * second,
  awaking: 20 * second,
  stopping: 30 * second,
  terminating: 180 * second,
}
/** How long after a stop a deletion is still refused, where that is the choice. */
export const settling = 10 * second

/** A service in another state from now on. */
export const become = (service: Service, state: Service['state'], at: number): Service => ({
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
  const length = lasts[state]
  return length === undefined ? undefined : since + length
}

/** What a state turns into when its time is over; undefined: the service is gone. */
export const after: Readonly<Partial<Record<Service['state'], Service['state']>>> = {
  provisioning: 'running',
  starting: 'running',
  awaking: 'running',
  running: 'idle',
  stopping: 'stopped',
}

type Command = 'start' | 'stop' | 'awake'

/** What a command leads to; the same state where it does nothing. */
export function follow(command: Command, { state }: Service): Service['state'] {
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
