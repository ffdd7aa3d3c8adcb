import type { Contract } from '../../../fixtures/built-contract/index.ts'
import { type Check, held } from '../../engine/check.ts'
import { type Exchange, isSuccess, sentIn } from '../../engine/exchange.ts'
import { listIn } from '../../engine/pages.ts'
import { findObject } from '../../engine/recognise.ts'
import type { RunContext } from '../../engine/step.ts'
import { eachObject } from '../../rules/lifecycle/objects.ts'
import { brokenBy, neverSucceeds, unobservable } from '../../rules/steps.ts'
import { lifeOf } from '../../visits/life.ts'
import { visit } from '../../visits/visit.ts'
import { neverShows, observeCommands } from '../calls.ts'
import { queryService, queryStoppedService, sqlChecks } from './sql.ts'

/** A service: it is created where another one is, used by other families while it runs, stopped and deleted. */

const stateIn = (exchange: Exchange | undefined) =>
  isSuccess(exchange) ? findObject(exchange.json, 'service')?.state : undefined

function placeOfOther(context: RunContext): object {
  const [other] = listIn(context.exchange('cloud:service.list-before'), 'service') ?? []
  return { provider: other?.provider ?? 'aws', region: other?.region ?? 'us-east-1' }
}

/** What whole bodies leave out. */
const dearer = {
  ...Object.fromEntries(
    ['tier', 'minTotalMemoryGb', 'maxTotalMemoryGb', 'minReplicaMemoryGb', 'maxReplicaMemoryGb', 'autoscalingMode'].map(
      name => [name, 'a larger service costs more'],
    ),
  ),
  ...Object.fromEntries(['numReplicas', 'minReplicas', 'maxReplicas'].map(name => [name, 'more replicas cost more'])),
  ...Object.fromEntries(
    [
      ...['dataWarehouseId', 'isReadonly', 'profile', 'byocId', 'backupId', 'privateEndpointIds', 'complianceType'],
      ...['encryptionKey', 'encryptionAssumedRoleIdentifier', 'hasTransparentDataEncryption', 'backupEncryptionConfig'],
      ...['transparentDataEncryptionKeyId', 'privatePreviewTermsChecked'],
    ].map(name => [name, 'it needs what the run does not have']),
  ),
  endpoints: 'answers show the endpoints of a service in another shape',
  remove: 'there is nothing to remove',
}

export const { steps, lines } = visit('cloud', 'service', run => {
  const services = lifeOf(run, 'service', {
    body: (context, name) => ({
      name,
      ...placeOfOther(context),
      // The address from which the suite sends SQL is not known.
      ipAccessList: [{ source: context.target.sql ? '0.0.0.0/0' : '192.0.2.1', description: 'stack-parity' }],
      // Idling could begin before other families are done.
      idleScaling: false,
      tags: [{ key: 'stack-parity', value: context.runMark }],
    }),
    ready: ['running', 'idle'],
    from: () => ['cloud:service.list-before'],
    known: context => context.target.cloud?.serviceId,
    whole: { values: { 'ipAccessList.source': '192.0.2.1', 'ipAccessList.add.source': '192.0.2.1' }, omit: dearer },
  })
  const service = services.begin()
  services.read()
  services.update()
  queryService(run, services, service)
  run.awaitUsersOf(service)
  const before = services.get('get-before-stop', service, 'gets the service before it is stopped')!
  services.delete(service, 'delete-while-running', {
    why: 'deletes the service while it runs',
    from: [before],
    values: context => (stateIn(context.exchange(before)) === 'running' ? {} : undefined),
    skipReason: 'the service does not run',
  })
  const whileRunning = services.idleCommands(before, ['running', 'idle'])
  const stop = services.act('service.state', 'state', { body: { command: 'stop' }, why: 'stops the service' })!
  const stopped = services.waitForState('stopped', ['stopped', 'idle'], 600, stop)!
  queryStoppedService(run, stopped)
  const whileStopped = services.idleCommands(stopped, ['stopped'], stop)
  services.get('get-after-commands', service, 'gets the service, which should still be stopped', { from: [stopped] })
  services.whole()
  services.end(stopped)
  const idleCommands = [whileRunning, whileStopped].flatMap(({ repeated, forbidden }) => [...repeated, ...forbidden])
  return { service, idleCommands }
})
export const { service } = lines

/** The next states by time alone. */
const byTime: Readonly<Record<string, readonly string[]>> = {
  provisioning: ['running', 'idle', 'partially_running', 'degraded', 'failed'],
  starting: ['running', 'idle', 'partially_running', 'degraded', 'failed'],
  awaking: ['running'],
  partially_running: ['running', 'degraded'],
  running: ['idle', 'partially_running', 'degraded'],
  // A query wakes the service.
  idle: ['awaking', 'running'],
  degraded: ['running'],
  stopping: ['stopped'],
  terminating: ['terminated', 'softdeleting'],
  softdeleting: ['softdeleted'],
}
/** The next states after a command. */
const byCommand: Readonly<Record<string, readonly string[]>> = {
  'service.state start': ['starting', 'awaking'],
  'service.state awake': ['starting', 'awaking'],
  'service.state stop': ['stopping', 'stopped'],
  'service.delete': ['terminating', 'softdeleting'],
}

const canReachByTime = (from: string, to: string, seen: readonly string[] = []): boolean =>
  from === to || (byTime[from] ?? []).some(next => !seen.includes(next) && canReachByTime(next, to, [...seen, from]))

const linesWithState = [
  'ready',
  'get',
  'get-after-update',
  'get-before-stop',
  'state',
  'stopped',
  'awake-while-stopped',
  'get-after-commands',
  'delete',
  'get-after-delete',
]

/** Whether a service may obey a command in a state; one that may have changed by time counts, too. */
function isAllowedIn(state: string | undefined, command: string, { operations }: Contract): boolean {
  const states = operations['service.state'].statesBeforeCommand?.[command]
  return state === undefined || !states || states.some(one => canReachByTime(state, one))
}

/** Each state follows from the one before, by time or by a command. */
const movesAsDocumented = eachObject(
  'service',
  { lines: linesWithState, essential: ['ready'] },
  function* ({ gets, writes }, { isAfter, contract }) {
    let last: Exchange | undefined
    let [state, former]: (string | undefined)[] = []
    let commands: readonly string[] = []
    const reads = gets.flatMap(one => [...(one.earlier ?? []), one])
    for (const exchange of [...reads, ...writes].toSorted((a, b) => a.sentAt! - b.sentAt!)) {
      const next = exchange.request.method === 'GET' ? stateIn(exchange) : undefined
      const { command = '' } = sentIn(exchange)
      const reached = byCommand[`${exchange.operation} ${command}`.trim()]
      const mayReach = isAllowedIn(state, String(command), contract)
      if (reached && mayReach) {
        commands = [...commands, ...reached]
        former = state
      }
      if (typeof next !== 'string' || (last && !isAfter(exchange, last))) continue
      // A read may lag and show a state that the service would have reached without the command.
      if (former !== undefined && canReachByTime(former, next) && next !== state) continue
      if (state !== undefined && ![state, ...commands].some(from => canReachByTime(from, next)))
        yield brokenBy({ path: '$.result.state', expected: `a state that follows ${state}`, got: next }, exchange)
      if (commands.includes(next)) commands = []
      state = next
      last = exchange
    }
    if (last) yield held([last])
  },
)

export const checks = {
  'service/password-is-shown-once': neverShows('service.list', 'service.get', 'service.update'),
  'service/moves-as-documented': movesAsDocumented,
  'service/delete-while-running-is-refused': neverSucceeds(['cloud:service.delete-while-running']),
  'service/idle-commands': observeCommands(lines.idleCommands),
  ...sqlChecks,
  'service/ip-access-list': unobservable('the services of a run have an ipAccessList'),
  'serviceQueryEndpoint/while-provisioning': unobservable('a run waits until a service is running'),
  'service/delete-after-stop': unobservable(
    'the run repeats a refused deletion, and even the first may come too late to be refused',
  ),
} as const satisfies Record<string, Check>
