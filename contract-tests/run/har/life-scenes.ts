import type { Form } from '../../../fixtures/contract/index.ts'
import type { ResourceWithLife } from '../../engine/creatable-resources.ts'
import { findObject, idOf } from '../../engine/recognise.ts'
import { groupBy } from '../../report/group-by.ts'
import type { RecordedCall, Scene } from './scene.ts'
import { bodyOf, createScene, hasGoodCredential, isFaultOfDeployment, isRefusedByMethod, succeeded } from './scene.ts'

/** The scenes of a recording's dashboards and alerts: the calls of each life, under the names of its steps. */
export function lifeScenes(calls: readonly RecordedCall[], form: Form): Scene[] {
  return (['dashboard', 'alert'] as const).flatMap(resource => {
    const own = calls.filter(call => hasGoodCredential(call) && call.operation?.startsWith(`${resource}.`))
    const idOfCall = (call: RecordedCall) => call.ids.id ?? createdId(call, resource)
    const lives = groupBy(
      own.filter(call => idOfCall(call) !== undefined),
      call => `${placeOf(call)} ${idOfCall(call)!.toLowerCase()}`,
    )
    const wholeLists = own.filter(
      call => call.operation === `${resource}.list` && call.recorded.query === '' && succeeded(call),
    )
    const lists = groupBy(wholeLists, placeOf)
    const scenes = [...lives.values()].flatMap(life =>
      scenesOfLife(life, lists.get(placeOf(life[0]!)) ?? [], form, resource),
    )
    // A creation that failed belongs to no life, and is the deployment's fault only if its method was refused.
    const creations = own.filter(({ operation }) => operation === `${resource}.create`)
    const refused = creations.some(succeeded) ? undefined : creations.find(isRefusedByMethod)
    const withoutId = creations.find(
      call => succeeded(call) && createdId(call, resource) === undefined && isLegible(call),
    )
    return [...scenes, createScene({ [`${form}:${resource}.create-main`]: refused ?? withoutId })]
  })
}

const createdId = (call: RecordedCall, resource: ResourceWithLife) =>
  call.operation === `${resource}.create` && succeeded(call)
    ? idOf(findObject(call.exchange.json, resource), resource)
    : undefined

/** The collection of a call: equal ids in two collections are two things. */
function placeOf({ recorded, ids }: RecordedCall): string {
  const { id: _, ...others } = ids
  return JSON.stringify([recorded.origin, others])
}

/** True when `later` began after the end of `earlier`, give or take a millisecond; false when there are no times. */
const isAfter = (later: RecordedCall, earlier: RecordedCall): boolean =>
  later !== earlier && later.recorded.startedAt >= earlier.recorded.endedAt - 1

/** True for a request without a body, or with a body that the checks can read. */
const isLegible = (call: RecordedCall) => call.recorded.body === null || bodyOf(call) !== undefined

function scenesOfLife(
  life: readonly RecordedCall[],
  lists: readonly RecordedCall[],
  form: Form,
  resource: ResourceWithLife,
): Scene[] {
  const scene = (steps: Readonly<Record<string, RecordedCall | undefined>>, onlyRule?: string) =>
    createScene(
      Object.fromEntries(Object.entries(steps).map(([name, call]) => [`${form}:${resource}.${name}`, call])),
      onlyRule && `${resource}/${onlyRule}`,
    )
  const callsOf = (verb: string) => life.filter(({ operation }) => operation === `${resource}.${verb}`)
  const created = callsOf('create').find(isLegible)
  const gets = callsOf('get').filter(succeeded)
  const updates = callsOf('update').filter(call => succeeded(call) && isLegible(call))
  const deleted = callsOf('delete').find(succeeded)
  const writes = [...callsOf('update'), ...callsOf('delete')]
  /** Of the reads after `write`, the first that no other write can have influenced. */
  const firstAfter = (write: RecordedCall, reads: readonly RecordedCall[]) =>
    reads.find(
      read =>
        isAfter(read, write) && writes.every(other => other === write || isAfter(write, other) || isAfter(other, read)),
    )
  const isBeforeDeletion = (call: RecordedCall) => !deleted || isAfter(deleted, call)
  const afterDeletion = (calls: readonly RecordedCall[]) => calls.filter(call => deleted && isAfter(call, deleted))
  const failed = (verb: string) => (created || gets.length > 0 ? callsOf(verb).find(isFaultOfDeployment) : undefined)
  /** Refusals for other reasons, and answers without their body, do not show whether the object is gone. */
  const isConclusive = ({ recorded }: RecordedCall) =>
    [400, 404, 410].includes(recorded.status) ||
    (recorded.status < 300 && recorded.unread === undefined && recorded.text !== '')
  const gone = {
    delete: deleted,
    'get-after-delete': afterDeletion(callsOf('get')).find(isConclusive),
    'list-after-delete': afterDeletion(lists).find(isConclusive),
  }
  const scenes = [
    scene({
      ...gone,
      'create-main': created,
      list: created && firstAfter(created, lists),
      get: created && firstAfter(created, gets),
      update: updates.find(({ recorded }) => recorded.method !== 'PATCH'),
      'update-by-patch': updates.find(({ recorded }) => recorded.method === 'PATCH'),
      delete: deleted ?? failed('delete'),
      'update-after-delete': afterDeletion(callsOf('update')).find(({ recorded }) => recorded.method === 'PUT'),
      'delete-after-delete': afterDeletion(callsOf('delete'))[0],
    }),
    scene({ get: gets[0] ?? failed('get') }),
  ]
  if (created) {
    const listed = lists.find(call => isAfter(call, created) && isBeforeDeletion(call))
    scenes.push(scene({ 'create-main': created, list: listed }, 'created-is-listed'))
  } else if (deleted)
    // What was got before the deletion identifies the thing as well as its creation would.
    scenes.push(scene({ ...gone, 'create-main': gets.find(isBeforeDeletion) }, 'deleted-is-gone'))
  for (const update of updates) {
    const got = firstAfter(update, gets)
    if (!got) continue
    const after = { 'create-main': created, update, 'get-after-update': got }
    scenes.push(
      scene(after, 'updated-is-got'),
      scene({ ...after, 'list-after-update': firstAfter(update, lists) }, 'list-agrees-with-get'),
    )
  }
  return scenes
}
