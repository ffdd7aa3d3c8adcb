import { snapshotConfiguration, snapshot as snapshotResource } from '../../../../fixtures/contract/backup/snapshot.ts'
import type { Faults } from '../../../faults/fault.ts'
import { inList, refuse as refuseWith, succeeds } from '../../../faults/rewrite.ts'
import { minute } from '../../../words/durations.ts'
import { Refusal, refused } from '../../../words/refusal.ts'
import { pick } from '../../../world/record.ts'
import { answerList, type Handlers, type Request, serve } from '../../family.ts'
import { organizations } from '../../organization/model.ts'
import { services } from '../../service/model.ts'
import { pairs, type SnapshotConfiguration, snapshotConfigurations, snapshots } from './model.ts'

export const models = [snapshots, snapshotConfigurations]

const { present, get } = serve(snapshots, (snapshot, { now }) => {
  const isGoing = snapshot.status === 'in_progress' || snapshot.status === 'throttled'
  const going = isGoing && { durationInSeconds: (now - Date.parse(snapshot.startedAt)) / 1000 }
  return pick({ ...snapshot, ...going }, snapshotResource.fields)
})
const configurations = serve(snapshotConfigurations, snapshotConfiguration.fields)
/** Reading the configuration takes the snapshots that are due. */
const takeDue = (request: Request) => void request.in(snapshotConfigurations)

const isPair = ({ gap, timeFrame }: SnapshotConfiguration) => pairs.some(([a, b]) => a === gap && b === timeFrame)

function judge(request: Request, sent: SnapshotConfiguration, changed: SnapshotConfiguration): void {
  if (Object.keys(sent).length === 0) throw refused('request body: Expected enabled, gap or timeFrame')
  if (request.in(services).get(request.ids.serviceId!)?.isPrimary === false)
    throw refused('Snapshots are configured on the primary service of a warehouse only')
  const isCadence = sent.gap !== undefined || sent.timeFrame !== undefined
  if ((changed.enabled || isCadence) && !isPair(changed)) {
    const known = pairs.map(pair => `(${pair.join(', ')})`).join(', ')
    throw refused(`gap and timeFrame must together be one of ${known}`)
  }
  const { capabilities } = request.in(organizations).get(request.ids.organizationId!) ?? {}
  if ((sent.enabled || isCadence) && capabilities?.snapshots === false)
    throw new Refusal('forbidden', 'Snapshots are not enabled for the organization', {
      gap: 'snapshotConfiguration/not-entitled',
    })
}

export const handlers = {
  'snapshot.list': request => {
    takeDue(request)
    const all = request.list(snapshots)
    const newestFirst = all.toSorted((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt))
    return answerList(newestFirst.map(one => present(one, request)))
  },
  'snapshot.get': request => {
    takeDue(request)
    return get(request)
  },
  'snapshotConfiguration.get': configurations.get,
  'snapshotConfiguration.update': request => {
    const { nextAt, ...before } = configurations.find(request)
    const sent = request.body
    const changed = { ...before, ...sent }
    judge(request, sent, changed)
    const isUnchanged = before.enabled && before.gap === changed.gap
    const next = isUnchanged ? nextAt : request.now + (changed.gap ?? 0) * minute
    request.log({ type: 'service_update_snapshot_configuration', serviceId: request.ids.serviceId! })
    return configurations.replace(request, changed.enabled ? { ...changed, nextAt: next } : changed)
  },
} as const satisfies Handlers

export const faults = {
  'snapshot/list-agrees-with-get': inList('snapshot.list', list =>
    list.map(one => ({ ...one, sizeInBytes: Number(one.sizeInBytes) + 1 })),
  ),
  'snapshotConfiguration/pairs-are-kept': () => async (call, next, context) => {
    const answer = await next(call)
    const isWhole = /^\{"[^{]*\}$/.test(call.body)
    if (context.operation !== 'snapshotConfiguration.update' || succeeds(answer) || !isWhole) return answer
    const got = await next({ ...call, method: 'GET', body: '' })
    return succeeds(got) ? got : refuseWith(answer, context, 400, 'gap')
  },
} as const satisfies Faults
