import { second } from '../../words/durations.ts'
import { Refusal, refused } from '../../words/refusal.ts'
import { endOf } from '../timed.ts'
import { databases, isOfDatabase, kindOf, modeOf, type Pipe } from './kind.ts'

/** How pipes change, by commands and by time alone. Pipes from databases go other ways than the others. */

/** How long each state lasts that passes by itself. */
const lasts: Readonly<Partial<Record<Pipe['state'], number>>> = {
  Provisioning: 30 * second,
  Setup: 15 * second,
  Snapshot: 60 * second,
  Resync: 30 * second,
  Modifying: 15 * second,
  Stopping: 15 * second,
  Pausing: 15 * second,
}
/** How long files are read that are read once. */
const reading = 60 * second

const isReadOnce = ({ source }: Pipe) => source.objectStorage !== undefined && !source.objectStorage?.isContinuous

/** A pipe in another state from now on, with the time at which that ends by itself. */
export function become(pipe: Pipe, state: Pipe['state'], at: number): Pipe {
  return { ...pipe, state, changesAt: endOf(at, state === 'Running' && isReadOnce(pipe) ? reading : lasts[state]) }
}

/** When its state ends; one that was put into a state that lasts stays there. */
export const nextChange = (pipe: Pipe): number | undefined =>
  lasts[pipe.state] !== undefined || (pipe.state === 'Running' && isReadOnce(pipe)) || pipe.isGoing
    ? pipe.changesAt
    : undefined

/** What a pipe becomes when its state ends; undefined: it is gone. */
export function elapse(pipe: Pipe, at: number): Pipe | undefined {
  if (pipe.isGoing) return undefined
  const state = after(pipe)
  return become(pipe.state === 'Snapshot' ? { ...pipe, isLoaded: true } : pipe, state, at)
}

function after(pipe: Pipe): Pipe['state'] {
  const loaded = modeOf(pipe) === 'snapshot' ? 'Completed' : 'Running'
  switch (pipe.state) {
    case 'Provisioning':
      return isOfDatabase(pipe) ? 'Setup' : 'Running'
    case 'Setup':
      return pipe.isLoaded || modeOf(pipe) === 'cdc_only' ? loaded : 'Snapshot'
    case 'Resync':
      return 'Snapshot'
    case 'Running':
      return 'Completed'
    case 'Stopping':
      return 'Stopped'
    case 'Pausing':
      return 'Paused'
    default:
      return loaded
  }
}

type Command = 'start' | 'stop' | 'resync'

const halted: readonly Pipe['state'][] = ['Stopped', 'Paused']
const startable: readonly Pipe['state'][] = [...halted, 'Failed', 'InternalError']
const ending: readonly Pipe['state'][] = ['Stopping', 'Pausing', 'Completed']

/** A pipe after a command; the same one where it does nothing. */
export function follow(command: Command, pipe: Pipe, now: number): Pipe {
  const { id, state } = pipe
  if (pipe.isGoing) throw refused(`${id} ClickPipe is being deleted`)
  const isDatabase = isOfDatabase(pipe)
  switch (command) {
    case 'stop': {
      if (halted.includes(state) || state === 'Stopping' || state === 'Pausing') return pipe
      return become(pipe, isDatabase ? 'Pausing' : 'Stopping', now)
    }
    case 'start':
      if (startable.includes(state)) return become(pipe, isDatabase ? 'Setup' : 'Provisioning', now)
      if (ending.includes(state)) throw refused(`${id} ClickPipe cannot be started. Current state: ${state}`)
      throw refused(`${id} ClickPipe is already running`)
    case 'resync':
      if (isDatabase && kindOf(pipe) !== 'bigquery') return become({ ...pipe, isLoaded: false }, 'Resync', now)
      throw refused(`${id} ClickPipe cannot be resynced: Expected a source of Postgres, MySQL or MongoDB`)
  }
}

/** The state that an edit of the source leads to: a pipe that is paused for it goes on by itself. */
export function afterEdit(pipe: Pipe, now: number): Pipe {
  const goesOn = pipe.state === 'Running' || (pipe.state === 'Paused' && isOfDatabase(pipe))
  return goesOn ? become(pipe, 'Modifying', now) : pipe
}

/** The tables of a database are changed only while the pipe is paused. */
export function refuseUnlessPaused(pipe: Pipe): void {
  if (pipe.state !== 'Paused') throw refused(`${databases[kindOf(pipe)]} ClickPipe must be paused to edit`)
}

/** Pipes are made and changed only beside a service that runs, and does nothing else. */
export function refuseUnlessRunning(act: 'creation' | 'update', state: string | undefined): void {
  if (state === 'running') return
  const sentence = `ClickPipe ${act} is allowed only when the ClickHouse service is running. Current state: ${state}`
  throw new Refusal('failedDependency', sentence)
}
