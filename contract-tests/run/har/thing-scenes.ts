import type { Form } from '../../../fixtures/contract/index.ts'
import type { Living } from '../../engine/living.ts'
import { findObject, idOf } from '../../engine/recognise.ts'
import { groupBy } from '../../report/group-by.ts'
import { isAfter, type RecordedCall } from './call.ts'
import { bodyOf, createScene, isFailure, isTrusted, type Scene, succeeded } from './scene.ts'

/** The life of each dashboard and each alert in a recording, under the names of the steps of its lifecycle. */
export function thingScenes(calls: readonly RecordedCall[], form: Form): Scene[] {
  return (['dashboard', 'alert'] as const).flatMap(resource => {
    const own = calls.filter(call => isTrusted(call) && call.operation?.startsWith(`${resource}.`))
    const idOfCall = (call: RecordedCall) => call.ids.id ?? createdId(call, resource)
    const lives = groupBy(
      own.filter(call => idOfCall(call) !== undefined),
      call => `${placeOf(call)} ${idOfCall(call)!.toLowerCase()}`,
    )
    const whole = own.filter(
      call => call.operation === `${resource}.list` && call.recorded.query === '' && succeeded(call),
    )
    const lists = groupBy(whole, placeOf)
    const scenes = [...lives.values()].flatMap(life =>
      lifeScenes(life, lists.get(placeOf(life[0]!)) ?? [], form, resource),
    )
    // A creation that failed belongs to no thing; only its method can be blamed on the deployment.
    const creations = own.filter(({ operation }) => operation === `${resource}.create`)
    const refused = creations.some(succeeded)
      ? undefined
      : creations.find(({ recorded }) => [405, 410, 501].includes(recorded.status))
    const unnamed = creations.find(
      call => succeeded(call) && createdId(call, resource) === undefined && isLegible(call),
    )
    return [...scenes, createScene({ [`${form}:${resource}.create-main`]: [refused ?? unnamed] })]
  })
}

const createdId = (call: RecordedCall, resource: Living) =>
  call.operation === `${resource}.create` && succeeded(call)
    ? idOf(findObject(call.exchange.json, resource), resource)
    : undefined

/** The collection that a call is about: the same id elsewhere is another thing. */
function placeOf({ recorded, ids }: RecordedCall): string {
  const { id: _, ...others } = ids
  return JSON.stringify([recorded.origin, others])
}

/** The checks read the body of a creation and of an update. */
const isLegible = (call: RecordedCall) => call.recorded.body === null || bodyOf(call) !== undefined

function lifeScenes(
  life: readonly RecordedCall[],
  lists: readonly RecordedCall[],
  form: Form,
  resource: Living,
): Scene[] {
  const step = (name: string) => `${form}:${resource}.${name}`
  const of = (verb: string) => life.filter(({ operation }) => operation === `${resource}.${verb}`)
  const created = of('create').find(isLegible)
  const gets = of('get')
  const updates = of('update').filter(call => succeeded(call) && isLegible(call))
  const deleted = of('delete').find(succeeded)
  const isBefore = (call: RecordedCall, later: RecordedCall | undefined) => !later || isAfter(later, call)
  const got = gets.find(
    call => succeeded(call) && (!created || isAfter(call, created)) && updates.every(update => isBefore(call, update)),
  )
  const anyGot = gets.find(succeeded)
  const listed = created && lists.find(call => isAfter(call, created) && isBefore(call, deleted))
  const isKnown = created !== undefined || gets.some(succeeded)
  const failed = (verb: string) => (isKnown ? of(verb).find(isFailure) : undefined)
  const after = (calls: readonly RecordedCall[]) => calls.filter(call => deleted && isAfter(call, deleted))
  /** Refusals for other reasons, and answers without their body, do not tell whether the thing is gone. */
  const tells = ({ recorded }: RecordedCall) =>
    [400, 404, 410].includes(recorded.status) || (recorded.status < 300 && recorded.textIsWhole && recorded.text !== '')
  const gone = {
    [step('delete')]: [deleted],
    [step('get-after-delete')]: [after(gets).find(tells)],
    [step('list-after-delete')]: [after(lists).find(tells)],
  }
  const scenes = [
    createScene({
      [step('create-main')]: [created],
      [step('list')]: [listed],
      [step('get')]: [got ?? anyGot ?? failed('get')],
      [step('update')]: [updates.find(({ recorded }) => recorded.method !== 'PATCH')],
      [step('update-by-patch')]: [updates.find(({ recorded }) => recorded.method === 'PATCH')],
      ...gone,
      [step('delete')]: [deleted ?? failed('delete')],
      [step('update-after-delete')]: [after(of('update')).find(({ recorded }) => recorded.method === 'PUT')],
      [step('delete-after-delete')]: [after(of('delete'))[0]],
    }),
  ]
  // What was got before it was deleted is as good as what was created, to tell that it is gone.
  if (!created && deleted) {
    const known = gets.find(call => succeeded(call) && isBefore(call, deleted))
    scenes.push(createScene({ ...gone, [step('create-main')]: [known] }, `${resource}/deleted-is-gone`))
  }
  for (const update of updates) {
    const isUndisturbed = (get: RecordedCall) =>
      [...updates, ...of('delete')].every(other => other === update || isAfter(update, other) || isAfter(other, get))
    const then = gets.find(get => succeeded(get) && isAfter(get, update) && isUndisturbed(get))
    if (!then) continue
    scenes.push(
      createScene(
        { [step('create-main')]: [created], [step('update')]: [update], [step('get-after-update')]: [then] },
        `${resource}/updated-is-got`,
      ),
    )
  }
  return scenes
}
