import { second } from '../../words/durations.ts'
import { Refusal, refused } from '../../words/refusal.ts'
import { endOf } from '../timed.ts'
import { databases, isOfDatabase, kindOf, modeOf, type Pipe } from './kind.ts'

/** The state machine of pipes, driven by commands and time. Database pipes have other states than the others. */

/** Durations of the states that end by themselves. */
const durations: Readonly<Partial<Record<Pipe['state'], number>>> = {
  Provisioning: 30 * second,
  Setup: 15 * second,
  Snapshot: 60 * second,
  Resync: 30 * second,
  Modifying: 15 * second,
  Stopping: 15 * second,
  Pausing: 15 * second,
}
/** Duration of reading files once. */
const reading = 60 * second

const isReadOnce = ({ source }: Pipe) => source.objectStorage !== undefined && !source.objectStorage?.isContinuous

/** A pipe in another state from now on, with the time at which that ends by itself. */
export function enterState(pipe: Pipe, state: Pipe['state'], at: number): Pipe {
  return { ...pipe, state, changesAt: endOf(at, state === 'Running' && isReadOnce(pipe) ? reading : durations[state]) }
}

/** The end of its state; undefined for a state that lasts, into which a pipe may have been arranged. */
export const nextChange = (pipe: Pipe): number | undefined =>
  durations[pipe.state] !== undefined || (pipe.state === 'Running' && isReadOnce(pipe)) || pipe.isGoing
    ? pipe.changesAt
    : undefined

/** What a pipe becomes when its state ends; undefined: it is gone. */
export function elapse(pipe: Pipe, at: number): Pipe | undefined {
  if (pipe.isGoing) return undefined
  const state = after(pipe)
  return enterState(pipe.state === 'Snapshot' ? { ...pipe, isLoaded: true } : pipe, state, at)
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

/** The pipe after a command; the same object if the command has no effect. */
export function follow(command: Command, pipe: Pipe, now: number): Pipe {
  const { id, state } = pipe
  if (pipe.isGoing) throw refused(`${id} ClickPipe is being deleted`)
  const isDatabase = isOfDatabase(pipe)
  switch (command) {
    case 'stop': {
      if (halted.includes(state) || state === 'Stopping' || state === 'Pausing') return pipe
      return enterState(pipe, isDatabase ? 'Pausing' : 'Stopping', now)
    }
    case 'start':
      if (startable.includes(state)) return enterState(pipe, isDatabase ? 'Setup' : 'Provisioning', now)
      if (ending.includes(state)) throw refused(`${id} ClickPipe cannot be started. Current state: ${state}`)
      throw refused(`${id} ClickPipe is already running`)
    case 'resync':
      if (isDatabase && kindOf(pipe) !== 'bigquery') return enterState({ ...pipe, isLoaded: false }, 'Resync', now)
      throw refused(`${id} ClickPipe cannot be resynced: Expected a source of Postgres, MySQL or MongoDB`)
  }
}

/** After an edit of its source, a running pipe, or a paused one of a database, is modified and then resumes. */
export function afterEdit(pipe: Pipe, now: number): Pipe {
  const goesOn = pipe.state === 'Running' || (pipe.state === 'Paused' && isOfDatabase(pipe))
  return goesOn ? enterState(pipe, 'Modifying', now) : pipe
}

/** The tables of a database are changed only while the pipe is paused. */
export function refuseUnlessPaused(pipe: Pipe): void {
  if (pipe.state !== 'Paused') throw refused(`${databases[kindOf(pipe)]} ClickPipe must be paused to edit`)
}

/** Pipes are created and changed only while their service is in the state `running`. */
export function refuseUnlessRunning(act: 'creation' | 'update', state: string | undefined): void {
  if (state === 'running') return
  const sentence = `ClickPipe ${act} is allowed only when the ClickHouse service is running. Current state: ${state}`
  throw new Refusal('failedDependency', sentence)
}
