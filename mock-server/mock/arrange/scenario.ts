import type { Core } from '../../core/core.ts'
import { isRecord, writeValue } from '../../words/check-options.ts'
import { nearest } from '../../words/nearest.ts'
import type { Plural } from '../../words/plural.ts'
import { isMoment } from '../../world/clock.ts'
import { keyOf } from '../../world/collection.ts'
import type { Size } from '../../world/size.ts'
import { selfHosted, deployment as wholeDeployment } from '../../world/world.ts'
import type { Deployment, DeploymentOptions } from '../deployment.ts'
import type { ModelName, RecordByName } from '../made-of.ts'
import { modelOf, type RecordPlace, RecordRefused, type Records } from '../records.ts'
import { arrangeCaptured, type Captured, capturableOf, describeRecord } from './captured.ts'

/** The built-in scenarios, with a sentence each. */
export const scenarios = {
  shop: 'a company that runs a shop: people, services, backups, dashboards, alerts and telemetry',
  empty:
    'organizations with their keys, roles and one member, an observability stack with its sources, and nothing else',
  incident: 'the shop while payments fail: errors in logs, traces and charts for two hours, and an alert that fires',
  degraded: 'the shop with a degraded service, a failed backup and a failed pipe',
} as const

export type ScenarioName = keyof typeof scenarios

/**
 * Records by model name or its plural, in the form of `/control/records`, on top of a scenario. A record whose key exists is
 * updated, any other is created. `within` is its place, as in `RecordPlace`.
 */
export type ScenarioRecords = {
  readonly scenario?: ScenarioName
  /** Set by `stack-parity capture`: the records are answers of a deployment, and each collection in the file is complete. */
  readonly captured?: Captured
} & {
  readonly [Name in ModelName as Name | Plural<Name>]?: readonly (Partial<RecordByName[Name]> & RecordPlace)[]
}

/** The initial content of a world: a built-in scenario by name, or records. */
export type Scenario = ScenarioName | ScenarioRecords

export const nameOf = (scenario: Scenario): ScenarioName =>
  typeof scenario === 'string' ? scenario : (scenario.scenario ?? (scenario.captured ? 'empty' : 'shop'))

/** For a captured scenario, returns a function that tells whether all records of a model in a place were captured. */
export function capturedIn({ splits }: Core, scenario: Scenario | undefined): DeploymentOptions['captured'] {
  if (typeof scenario !== 'object' || !scenario.captured) return undefined
  const { scenario: _, captured: _captured, ...lists } = scenario
  const names = new Set(Object.keys(lists).map(name => splits[name]?.model.name ?? name))
  const records = Object.values(lists) as readonly (readonly { readonly id?: string }[])[]
  const places = new Set([wholeDeployment, selfHosted, ...records.flat().map(({ id }) => id)])
  return (model, place) => names.has(model) && places.has(place)
}

/** Whether only the records of a new organization and a new stack are seeded. */
export const isBare = (scenario: Scenario): boolean => nameOf(scenario) === 'empty'

/** The default size of the worlds of a scenario. */
export function sizeOfScenario(scenario: Scenario): Partial<Size> {
  if (!isBare(scenario)) return {}
  const smallSize = { services: 0, members: 1, backups: 0 }
  return typeof scenario === 'object' && scenario.captured ? smallSize : { ...smallSize, logs: 0 }
}

/** Checks a scenario; its records are judged when a world is created. Throws an Error that begins with `task`. */
export function readScenario(core: Core, task: string, scenario: unknown): Scenario {
  const name = isRecord(scenario) ? ((scenario as ScenarioRecords).scenario ?? 'shop') : scenario
  if (typeof name !== 'string' || !Object.hasOwn(scenarios, name)) {
    const known = Object.keys(scenarios)
    const suggestion = typeof name === 'string' ? nearest(name, known) : undefined
    const advice = suggestion ? `: did you mean ${suggestion}?` : ''
    throw new Error(`${task}: Expected one of ${known.join(', ')}, or records, received ${writeValue(name)}${advice}`)
  }
  if (typeof scenario === 'string') return scenario as Scenario
  const { scenario: _, captured, ...lists } = scenario as ScenarioRecords
  if (captured !== undefined && !(isRecord(captured) && isMoment(Date.parse(String(captured.at)))))
    throw new Error(`${task}: captured.at: Expected an ISO 8601 time, received ${writeValue(captured)}`)
  for (const [model, list] of Object.entries(lists)) {
    // Throws for an unknown name.
    if (!captured || !capturableOf(core).includes(model)) modelOf(core.models, `${task}:`, model)
    if (!Array.isArray(list) || !list.every(isRecord)) {
      throw new Error(`${task}: ${model}: Expected a list of records, received ${writeValue(list)}`)
    }
  }
  return scenario as Scenario
}

/**
 * Applies a scenario to a new world. `isNewestFirst`: whether a captured list begins with its newest record. `tell`
 * gets a sentence about each captured value that records cannot have. Throws a `RecordRefused` for an invalid record.
 */
export function arrange(
  scenario: Scenario,
  deployment: Deployment,
  records: Records,
  isNewestFirst: (name: string, place: string) => boolean,
  tell: (sentence: string) => void,
): void {
  const { world } = deployment
  const scenarioName = nameOf(scenario)
  for (const { scenarios } of Object.values(deployment.core.families)) scenarios?.[scenarioName]?.(deployment)
  if (typeof scenario === 'string') return
  const { scenario: _, captured, ...lists } = scenario
  if (captured) {
    arrangeCaptured(captured, lists as Parameters<typeof arrangeCaptured>[1], deployment, isNewestFirst, tell)
    return
  }
  const rank = (name: string) => world.models.indexOf(modelOf(world.models, '', name))
  // Parents first, whatever the order of the file.
  for (const [name, list] of Object.entries(lists).toSorted(([a], [b]) => rank(a) - rank(b))) {
    const model = modelOf(world.models, '', name)
    for (const [index, { within, ...fields }] of (list as readonly (object & RecordPlace)[]).entries()) {
      // Names and types of the fields are judged by `records`.
      const modelName = model.name as ModelName
      const key = keyOf(model, fields)
      const place = { within }
      try {
        if (key !== '' && records.get(modelName, key, place)) records.update(modelName, key, fields, place)
        else records.create(modelName, fields, place)
      } catch (error) {
        if (!(error instanceof RecordRefused)) throw error
        throw new RecordRefused(error.reason, `${name}[${index}]${describeRecord(fields)}: ${error.message}`)
      }
    }
  }
}
