import { clickPipe, sources } from '../../../fixtures/contract/click-pipe/pipe.ts'
import { minute } from '../../words/durations.ts'
import { invalidAt, Refusal, refused } from '../../words/refusal.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { keep, pick } from '../../world/record.ts'
import { answerObject, type BodyOf, type Family, type HandlersOf, type Request, serve } from '../family.ts'
import { firstService, services } from '../service/model.ts'
import { judgeDestination, judgeSettings, judgeSource, refuseFilledTables } from './judge-pipe.ts'
import { cdcScalings, clickPipes, isProvisioned } from './model.ts'
import {
  applyCommand,
  type Body,
  enterState,
  fillMappings,
  isOfDatabase,
  kindOf,
  kindsOf,
  makePipe,
  modifyAfterEdit,
  momentOf,
  type Pipe,
  refuseUnlessPaused,
  withoutUser,
} from './pipe.ts'
import { reversePrivateEndpoints } from './reverse-private-endpoint.ts'

export { faults } from './faults.ts'
export const models = [clickPipes, cdcScalings]
export const scenarios: Family['scenarios'] = {
  degraded({ world }) {
    const service = firstService(world)
    const pipes = service && world.in(clickPipes, service.id)
    const [pipe] = pipes?.list() ?? []
    if (pipe) pipes?.replace({ ...pipe, state: 'Failed' })
  },
}

const { find, answer, get, list, create } = serve(clickPipes, (pipe, { choice }) => {
  const shown = pick(pipe, clickPipe.fields) as Pipe
  const kind = kindOf(pipe)
  if ((kind !== 'postgres' && kind !== 'mongodb') || choice('clickPipe/table-engine') === 'shown') return shown
  const { tableMappings = [], ...source } = shown.source[kind]!
  const withoutEngine = tableMappings.map(({ tableEngine: _, ...mapping }) => mapping)
  return { ...shown, source: { [kind]: { ...source, tableMappings: withoutEngine } } }
})

/** Finds a pipe for a change, which requires that its service runs. */
function findForChange(request: Request): Pipe {
  refuseUnlessRunning(request, 'update')
  return find(request)
}

/** Pipes are created and changed only while their service is in the state `running`. */
function refuseUnlessRunning(request: Request, act: 'creation' | 'update'): void {
  const state = request.in(services).get(request.ids.serviceId!)?.state
  if (state === 'running') return
  const sentence = `ClickPipe ${act} is allowed only when the ClickHouse service is running. Current state: ${state}`
  throw new Refusal('failedDependency', sentence)
}

/** Refuses a database pipe, because these have no settings of their own. */
function requireOwnSettings(request: Request, pipe: Pipe): Pipe {
  if (isOfDatabase(pipe)) throw new Refusal('unknownId', `ingestion for pipe "${request.ids.clickPipeId}" not found`)
  return pipe
}

function replace(request: Request, pipe: Pipe): Pipe {
  const changed = { ...pipe, updatedAt: momentOf(request.world.seed, pipe.id, request.now) }
  request.in(clickPipes).replace(changed)
  return changed
}

/** Finds the common scaling of the database pipes of a service; it exists once one of these pipes is provisioned. */
function findCdcScaling(request: Request) {
  if (request.list(clickPipes).some(pipe => isOfDatabase(pipe) && isProvisioned(pipe)))
    return request.in(cdcScalings).get('clickPipeCdcScaling')!
  throw new Refusal('unknownId', 'No database ClickPipe of the service is provisioned')
}

/** Always answers the setting of Kafka, which the vendor's command line reads; a pipe shows it only once it is set. */
const answerSettings = (pipe: Pipe) =>
  answerObject({ ...(kindOf(pipe) === 'kafka' && { kafka_read_committed: false }), ...pipe.settings })

export const handlers: HandlersOf<'clickPipe' | 'clickPipeCdcScaling' | 'clickPipeContext' | 'clickPipeSettings'> = {
  'clickPipe.list': list,
  'clickPipe.get': get,
  'clickPipe.create': request => {
    refuseUnlessRunning(request, 'creation')
    const body = request.body
    const kind = judgeSource(body.source)
    judgeLogin(request, body.source)
    judgeDestination(kind, body, request.choice('clickPipe/unmapped-columns') === 'refused')
    judgeSettings(kind, body.settings)
    const unknown = body.source.kafka?.reversePrivateEndpointIds?.find(
      id => !request.in(reversePrivateEndpoints).get(id),
    )
    if (unknown !== undefined) throw refused(`Reverse private endpoint ${unknown} not found`)
    const { world, now, ids } = request
    const pipe = makePipe(body, world.newUuid(), ids.serviceId!, world.seed, now)
    refuseFilledTables(pipe, request.list(clickPipes))
    return create(request, enterState(pipe, body.startPaused ? 'Stopped' : 'Provisioning', now))
  },
  'clickPipe.update': request => {
    const pipe = findForChange(request)
    judgeSettings(kindOf(pipe), request.body.settings)
    const changed = editPipe(pipe, request.body, request.now)
    judgeLogin(request, request.body.source, pipe)
    refuseFilledTables(changed, request.list(clickPipes))
    return answer(request, replace(request, changed))
  },
  'clickPipe.delete': request => {
    const pipe = find(request)
    if (!pipe.isBeingDeleted) {
      const going = enterState(pipe, isOfDatabase(pipe) ? 'Pausing' : 'Stopping', request.now)
      request.in(clickPipes).replace({ ...going, isBeingDeleted: true })
    }
    return { kind: 'deleted' }
  },
  'clickPipe.state': request => {
    const pipe = findForChange(request)
    const { command } = request.body
    const changed = applyCommand(command, pipe, request.now)
    return answer(request, changed === pipe ? pipe : replace(request, changed))
  },
  'clickPipe.scaling': request => {
    const pipe = findForChange(request)
    if (isOfDatabase(pipe)) throw refused('Database ClickPipes of a service are scaled together')
    const sent = Object.entries(request.body).filter(([, value]) => value !== null)
    // Deployments give no better reason.
    if (sent.length === 0) throw refused('Internal error')
    return answer(request, replace(request, { ...pipe, scaling: { ...pipe.scaling, ...Object.fromEntries(sent) } }))
  },
  'clickPipe.schemaDiscovery': request => {
    refuseUnlessRunning(request, 'creation')
    judgeSource(request.body.source)
    return answerObject({ fields: inferredFields, meta: {} })
  },
  'clickPipeSettings.get': request => answerSettings(requireOwnSettings(request, find(request))),
  'clickPipeSettings.update': request => {
    const pipe = requireOwnSettings(request, findForChange(request))
    judgeSettings(kindOf(pipe), request.body)
    const replaces = request.choice('clickPipeSettings/update') === 'replaces'
    if (!replaces && Object.keys(request.body).length === 0)
      throw refused('request body: Expected at least one setting')
    const settings = mergeSettings(replaces ? {} : pipe, request.body)
    return answerSettings(replace(request, { ...pipe, settings }))
  },
  'clickPipeCdcScaling.get': request => {
    const { replicaCpuMillicores, replicaMemoryGb } = findCdcScaling(request)
    return answerObject({ replicaCpuMillicores, replicaMemoryGb })
  },
  'clickPipeCdcScaling.update': request => {
    refuseUnlessRunning(request, 'update')
    const { pending: _, ...before } = findCdcScaling(request)
    const { replicaCpuMillicores, replicaMemoryGb } = request.body
    const expectedGb = (4 * replicaCpuMillicores) / 1000
    if (replicaMemoryGb !== expectedGb)
      throw invalidAt(['replicaMemoryGb'], `Expected ${expectedGb}, which is four for each core`, replicaMemoryGb)
    const pending = { replicaCpuMillicores, replicaMemoryGb }
    request.in(cdcScalings).replace({ ...before, pending, changesAt: request.now + minute })
    return answerObject(pending)
  },
  'clickPipeContext.get': ({ ids }) => {
    // The same in every world, so that a captured service has the same principal.
    const account = createRandom(seedOf(0, 'pipes', ids.serviceId!)).hex(8)
    const principal = `ch-${account}@clickpipes-production.iam.gserviceaccount.com`
    return answerObject({ gcpWorkloadIdentity: { supported: true, ready: true, principal } })
  },
}

/** The schema of every topic, stream and file, since the mock reads none. */
const inferredFields = [
  { name: 'id', type: 'String', optional: false },
  { name: 'occurred_at', type: 'DateTime64(3)', optional: false },
  { name: 'amount', type: 'Nullable(Float64)', optional: true },
]

/** A login to Postgres needs a password: that of the pipe stays, unless credentials or basic authentication are new. */
function judgeLogin({ choice }: Request, source: unknown, before?: Pipe): void {
  const { postgres } = (source ?? {}) as { postgres?: { authentication?: string; credentials?: { password?: string } } }
  if (!postgres || choice('clickPipe/password') === 'optional') return
  const known = before?.source.postgres?.authentication
  const authentication = postgres.authentication ?? known ?? 'basic'
  const keepsLogin = known === authentication && !postgres.credentials
  if (authentication !== 'basic' || keepsLogin || postgres.credentials?.password) return
  throw new Refusal('malformed', 'password is required for basic authentication', { gap: 'clickPipe/password' })
}

type Change = BodyOf<'clickPipe.update'>

/** Applies a PATCH to a pipe; null counts as omitted. */
function editPipe(pipe: Pipe, { name, source, destination, fieldMappings, settings }: Change, now: number): Pipe {
  const isSourceSent = source != null && kindsOf(source).length > 0
  const edited: Pipe = {
    ...pipe,
    ...(name != null && { name }),
    ...(destination?.columns && { destination: { ...pipe.destination, columns: destination.columns } }),
    ...(fieldMappings && { fieldMappings }),
    ...(settings && { settings: mergeSettings(pipe, settings) }),
    ...(isSourceSent && { source: editSource(pipe, source) }),
  }
  if (!isSourceSent) return edited
  const { tableMappingsToAdd = [] } = (source as Record<string, { tableMappingsToAdd?: Mappings }>)[kindOf(pipe)] ?? {}
  return modifyAfterEdit(edited, tableMappingsToAdd.length > 0, now)
}

/** Omitted settings stay, and null removes one. */
const mergeSettings = ({ settings }: Pick<Pipe, 'settings'>, sent: object): NonNullable<Pipe['settings']> =>
  Object.fromEntries(Object.entries({ ...settings, ...sent }).filter(([, value]) => value !== null))

type Mappings = readonly Readonly<Record<string, unknown>>[]

function editSource(pipe: Pipe, source: object): Pipe['source'] {
  const kind = kindOf(pipe)
  const found = kindsOf(source)
  if (found.some(one => one !== kind)) throw invalidAt(['source'], `Expected ${kind}, which the pipe has`, found)
  const before = pipe.source[kind] as {
    readonly authentication?: string
    readonly settings?: object
    readonly tableMappings?: Mappings
  }
  const sent = (source as Record<string, object>)[kind] as {
    readonly authentication?: string | null
    readonly serviceAccountKey?: object | null
    readonly tableMappingsToAdd?: Mappings
    readonly tableMappingsToRemove?: Mappings
  }
  const { tableMappingsToAdd: added = [], tableMappingsToRemove: removed = [] } = sent
  if (added.length > 0 || removed.length > 0) refuseUnlessPaused(pipe)
  const changes = keep(sent, sources[kind].fields) as { uri?: string; settings?: object }
  const changed = {
    ...before,
    ...changes,
    ...(changes.uri !== undefined && { uri: withoutUser(changes.uri) }),
    ...(before.settings && { settings: { ...before.settings, ...changes.settings } }),
    ...(before.tableMappings && {
      tableMappings: [
        ...before.tableMappings.filter(one => !removed.some(other => isSameMapping(one, other))),
        ...fillMappings(kind, added),
      ],
    }),
  }
  // With an unchanged authentication, `{}` passes for the service account key, which the record does not have and
  // clients need not send.
  const { authentication } = sent
  const keepsKey = authentication == null || authentication === before.authentication
  judgeSource({ [kind]: { ...changed, serviceAccountKey: keepsKey ? {} : sent.serviceAccountKey } } as Body['source'])
  return { [kind]: changed }
}

const isSameMapping = (mapping: Mappings[number], named: Mappings[number]) =>
  ['sourceSchemaName', 'sourceTable', 'sourceDatabaseName', 'sourceCollection', 'targetTable'].every(
    name => named[name] == null || named[name] === mapping[name],
  )
