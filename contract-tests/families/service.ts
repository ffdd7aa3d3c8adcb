import { absent, type Check, held } from '../engine/check.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import { findObject } from '../engine/recognise.ts'
import type { Past, Step } from '../engine/step.ts'
import { neverSucceeds, unobservable } from '../rules/observations.ts'
import { wrong } from '../rules/steps.ts'
import { type Life, skip } from '../visits/life.ts'
import { stepsOfLife } from '../visits/life-steps.ts'
import { neverShows } from './calls.ts'

/**
 * The life of one service: it is created where the organization has others, used by other families while it runs, stopped and
 * deleted last. Nobody can query it.
 */

function place(past: Past): object {
  const [other] = listIn(past.exchange('cloud:service.list-before'), 'service') ?? []
  return { provider: other?.provider ?? 'aws', region: other?.region ?? 'us-east-1' }
}

const life: Life = {
  form: 'cloud',
  resource: 'service',
  alone: true,
  body: (past, name) => ({
    name,
    ...place(past),
    ipAccessList: [{ source: '192.0.2.1', description: 'stack-parity' }],
    // Else it might idle before the families that use it have ended.
    idleScaling: false,
  }),
  from: () => ['cloud:service.list-before'],
  known: past => past.target.cloud?.serviceId,
}

const stateIn = (exchange: Exchange | undefined) =>
  exchange && isSuccess(exchange) ? findObject(exchange.json, 'service')?.state : undefined

const of = stepsOfLife(life)
const early = of.deletion(27, 'main', 'delete-while-running', { why: 'deletes the service while it runs' })
const before = 'cloud:service.get-before-stop'

export const steps: readonly Step[] = [
  of.listBefore(),
  of.create('main', 1),
  of.ready(2, ['running', 'idle']),
  ...of.reads(7),
  ...of.updates(10),
  of.act('password', 13, 'service.password', {}, 'has a new password made'),
  ...of.probes(9),
  of.get(26, 'get-before-stop', 'main', 'gets the service before it is stopped', { from: ['cloud:service.ready'] }),
  {
    ...early,
    from: [...early.from!, before],
    draft: past => (stateIn(past.exchange(before)) === 'running' ? early.draft(past) : skip('it does not run')),
  },
  of.act('state', 30, 'service.state', { command: 'stop' }, 'stops the service', { from: ['cloud:service.ready'] }),
  of.reach('stopped', 31, ['stopped', 'idle'], 600, ['cloud:service.state']),
  ...of.deletions(32).map(step => ({ ...step, from: [...(step.from ?? []), 'cloud:service.stopped'] })),
]

/** What time alone makes of each state. */
const byTime: Readonly<Record<string, readonly string[]>> = {
  provisioning: ['running', 'idle', 'partially_running', 'degraded', 'failed'],
  starting: ['running', 'idle', 'partially_running', 'degraded', 'failed'],
  awaking: ['running'],
  partially_running: ['running', 'degraded'],
  running: ['idle', 'partially_running', 'degraded'],
  degraded: ['running'],
  stopping: ['stopped'],
  terminating: ['terminated', 'softdeleting'],
  softdeleting: ['softdeleted'],
}
/** What a command makes of any state, before time goes on. */
const byCommand: Readonly<Record<string, readonly string[]>> = {
  'cloud:service.state': ['stopping', 'stopped'],
  'cloud:service.delete': ['terminating', 'softdeleting'],
}

const reaches = (from: string, to: string, seen: readonly string[] = []): boolean =>
  from === to || (byTime[from] ?? []).some(next => !seen.includes(next) && reaches(next, to, [...seen, from]))

const seenIn = ['ready', 'get', 'get-after-update', 'get-before-stop', 'state', 'stopped', 'delete', 'get-after-delete']

/** A command that was answered with 5xx may have been carried out. */
const isRefused = ({ response: { status } }: Exchange) => status >= 400 && status < 500

/** Every state that was seen follows from the one before by time, or by what the run told the service meanwhile. */
const movesAsDocumented: Check = {
  reads: () => seenIn.map(name => `cloud:service.${name}`),
  judge: evidence => {
    const ready = evidence.of('cloud:service.ready')
    if (ready.length === 0) return absent(evidence, 'cloud:service.ready')
    let state: string | undefined
    let commands: readonly string[] = []
    const seen = evidence.of(...seenIn.map(name => `cloud:service.${name}`))
    for (const exchange of seen.flatMap(one => [...(one.earlier ?? []), one])) {
      if (exchange.step in byCommand && !isRefused(exchange)) commands = [...commands, ...byCommand[exchange.step]!]
      if (exchange.request.method !== 'GET') continue
      const next = stateIn(exchange)
      if (typeof next !== 'string') continue
      if (state !== undefined && ![state, ...commands].some(from => reaches(from, next)))
        return wrong({ path: '$.result.state', expected: `a state that follows ${state}`, got: next }, exchange)
      if (commands.includes(next)) commands = []
      state = next
    }
    return held(ready)
  },
}

export const checks = {
  'service/password-is-shown-once': neverShows(
    ['password'],
    ['list', 'get', 'update', 'get-after-update', 'stopped'].map(name => `cloud:service.${name}`),
  ),
  'service/moves-as-documented': movesAsDocumented,
  'service/delete-while-running-is-refused': neverSucceeds(['cloud:service.delete-while-running']),
  'service/delete-after-stop': unobservable(
    'a deletion that is refused at first is sent again, and may come too late anyway',
  ),
} as const satisfies Record<string, Check>
