import type { Form, OperationId } from '../../../fixtures/contract/index.ts'
import { isObject, isUuid } from '../../engine/recognise.ts'
import { groupBy } from '../../report/group-by.ts'
import { malformedScene, otherRequestsScene, probeScene } from './edge-scenes.ts'
import { lifeScenes } from './life-scenes.ts'
import type { RecordedCall, Scene } from './scene.ts'
import {
  bodyOf,
  createScene,
  hasGoodCredential,
  isFaultOfDeployment,
  isRefusedByMethod,
  ofOperation,
  succeeded,
} from './scene.ts'

export function findScenes(calls: readonly RecordedCall[]): readonly Scene[] {
  return [...groupBy(calls, ({ form }) => form)].flatMap(([form, own]) => [
    ...(form === 'cloud' ? cloudScenes(own) : [observabilityScene(own, form), ...lifeScenes(own, form)]),
    probeScene(own, form),
    otherRequestsScene(own),
    malformedScene(own, form),
  ])
}

function cloudScenes(calls: readonly RecordedCall[]): Scene[] {
  const scenes: Scene[] = []
  const lists = ofOperation(calls, 'member.list').filter(hasGoodCredential)
  const key = ({ recorded, ids }: RecordedCall) => JSON.stringify([recorded.origin, ids.organizationId])
  const groups = [...groupBy(lists, key).values()]
  const answeredGroups = groups.map(group => group.filter(succeeded)).filter(group => group.length > 0)
  for (const [index, [first, second, third, ...others]] of answeredGroups.entries()) {
    const elsewhere = answeredGroups[index + 1]?.[0]
    scenes.push(
      createScene({
        'cloud:members': first,
        'cloud:members-again': second,
        'cloud:members-once-more': third,
        'cloud:members-of-second-organization': elsewhere,
      }),
      ...others.map(list => createScene({ 'cloud:members': list })),
    )
  }
  for (const group of groups)
    if (!group.some(succeeded)) scenes.push(createScene({ 'cloud:members': group.find(isFaultOfDeployment) }))
  for (const call of ofOperation(calls, 'backup.get').filter(hasGoodCredential)) {
    if (succeeded(call)) scenes.push(createScene({ 'cloud:backup': call }))
    else if (call.recorded.status === 404 && isUuid(call.ids.backupId))
      scenes.push(createScene({ 'cloud:unknown-backup': call }))
  }
  const unknown = lists.find(({ recorded, ids }) => recorded.status === 404 && isUuid(ids.organizationId))
  return [...scenes, createScene({ 'cloud:member.list under an unknown organization': unknown })]
}

function observabilityScene(calls: readonly RecordedCall[], form: Form): Scene {
  const trusted = calls.filter(hasGoodCredential)
  const isAlive = trusted.some(call => call.operation && succeeded(call))
  /** The most informative answer that a list got: a success, else a failure that is the fault of the deployment. */
  const list = (operation: OperationId) => {
    const lists = ofOperation(trusted, operation)
    const whole = lists.filter(({ recorded }) => recorded.query === '')
    const isGone = ({ recorded }: RecordedCall) => form === 'selfHosted' && isAlive && recorded.status === 404
    return (
      whole.find(succeeded) ?? lists.find(succeeded) ?? lists.find(call => isFaultOfDeployment(call) || isGone(call))
    )
  }
  const isLimited = ({ recorded }: RecordedCall) => /[?&]limit=1(?:&|$)/.test(recorded.query)
  const queries = ofOperation(trusted, 'chart.query')
  const answered = queries.filter(succeeded)
  // An epoch in milliseconds is larger.
  const isInSeconds = (call: RecordedCall) => Math.abs(Number(bodyOf(call)?.endTime)) < 1e11
  const isBareWord = (call: RecordedCall) => {
    const { series } = bodyOf(call) ?? {}
    return Array.isArray(series) && series.some(one => isObject(one) && /^[\w-]+$/.test(String(one.where)))
  }
  return createScene({
    [`${form}:dashboard.list`]: list('dashboard.list'),
    [`${form}:alert.list`]: list('alert.list'),
    [`${form}:source.list`]: list('source.list'),
    [`${form}:webhook.list`]: list('webhook.list'),
    [`${form}:alert.list-limit`]: ofOperation(trusted, 'alert.list').filter(succeeded).find(isLimited),
    [`${form}:alert.create-every-five-minutes`]: ofOperation(trusted, 'alert.create')
      .filter(succeeded)
      .find(call => bodyOf(call)?.interval === '5m'),
    'selfHosted:chart.query':
      answered.find(call => !isInSeconds(call)) ?? (answered.length > 0 ? undefined : queries.find(isRefusedByMethod)),
    'selfHosted:chart.query-in-seconds': answered.find(isInSeconds),
    'selfHosted:chart.free-text': queries.find(isBareWord),
    'selfHosted:chart.unknown-source': queries.find(({ recorded }) => recorded.status === 404),
  })
}
