import { day } from '../../words/durations.ts'
import type { Command, ListedService, ListedServices, ServiceState, StateChange } from '../../words/resources.ts'
import type { World } from '../../world/world.ts'
import { type BackupConfiguration, backupConfigurations } from '../backup/backup-configuration/index.ts'
import { type Backup, backups } from '../backup/model.ts'
import { type Activity, activities } from '../organization/activity/index.ts'
import {
  nextChange,
  stateAfter as nextState,
  type Service,
  secondariesOf,
  services,
  stateAfterCommand,
} from './model.ts'

const commands: readonly Command[] = ['start', 'stop', 'awake']
const maxServices = 50
const maxBackups = 5

/** The services of an organization, each with its history, its next state, and the state after each command. */
export function listServices(world: World, organizationId: string, now: number): ListedServices {
  world.applyTime(now)
  const all = world.in(services, organizationId).list()
  const log = world.in(activities, organizationId).list()
  const from = now - day
  const shown = all.slice(0, maxServices).map((service): ListedService => {
    const { id, name, provider, region, state } = service
    const secondaries = secondariesOf(all, service)
    // Reading the configuration starts the backups that are due.
    world.in<BackupConfiguration>(backupConfigurations, id)
    const newest = world.in(backups, id).list().toSorted(latestFirst).slice(0, maxBackups)
    return {
      id,
      name,
      provider,
      region,
      state,
      history: historyOf(service, log, from, now),
      next: nextOf(service, secondaries),
      moves: findStatesAfterCommands(service, secondaries),
      backups: newest.map(({ id, status, startedAt }) => ({ id, status, startedAt })),
    }
  })
  return { now, from, total: all.length, services: shown }
}

const latestFirst = (one: Backup, other: Backup) => Date.parse(other.startedAt) - Date.parse(one.startedAt)

const stateAfterActivity: Readonly<Partial<Record<Activity['type'], ServiceState>>> = {
  service_create: 'provisioning',
  service_start: 'starting',
  service_stop: 'stopping',
  service_awaken: 'awaking',
  service_running: 'running',
  service_partially_running: 'partially_running',
  service_idle: 'idle',
  service_delete: 'terminating',
}

/** The states of a service, read from its activities. A state that follows from time alone has no activity. */
function historyOf(service: Service, log: readonly Activity[], from: number, now: number): readonly StateChange[] {
  const transitions = log
    .flatMap(({ type, serviceId, createdAt }) => {
      const state = stateAfterActivity[type]
      return state && serviceId === service.id ? [{ state, at: Date.parse(createdAt) }] : []
    })
    .toSorted((one, other) => one.at - other.at)
  const states = transitions.flatMap(({ state, at }, i): StateChange[] => {
    const nextByTime = state === 'running' ? undefined : nextState[state]
    const end = nextByTime && nextChange({ ...service, state, since: at })
    const until = transitions[i + 1]?.at ?? now
    const isOver = nextByTime && end !== undefined && end <= until
    return [{ state, at }, ...(isOver ? [{ state: nextByTime, at: end }] : [])]
  })
  const last = states.at(-1)
  if (last?.state !== service.state) {
    // The state was arranged, at an unknown time after the last known state.
    const { state, since = 0, createdAt } = service
    const at = Math.max(since, last?.at ?? Date.parse(createdAt))
    if (at === last?.at) states.pop()
    states.push({ state, at })
  }
  const changes = states.filter(({ state }, i) => state !== states[i - 1]?.state)
  return changes.filter((_, i) => (changes[i + 1]?.at ?? now) >= from)
}

function nextOf(service: Service, secondaries: readonly Service[]): ListedService['next'] {
  const at = nextChange(service)
  // A primary does not idle while it has secondaries.
  if (at === undefined || (service.state === 'running' && secondaries.length > 0)) return undefined
  return { state: nextState[service.state] ?? 'gone', at }
}

function findStatesAfterCommands(service: Service, secondaries: readonly Service[]): ListedService['moves'] {
  const states: Partial<Record<Command, ServiceState>> = {}
  for (const command of commands) {
    const state = tryCommand(command, service)
    const isRefused = command === 'stop' && secondaries.some(one => one.state !== 'stopped')
    if (state !== undefined && state !== service.state && !isRefused) states[command] = state
  }
  return states
}

function tryCommand(command: Command, service: Service): ServiceState | undefined {
  try {
    return stateAfterCommand(command, service)
  } catch {
    return undefined
  }
}
