import type {
  Contract,
  Edition,
  Field,
  Fields,
  Form,
  Operation,
  OperationId,
  ResourceId,
} from '../../../../fixtures/built-contract/index.ts'
import {
  exampleIds,
  exampleParameters,
  exampleRange,
  exampleTexts,
} from '../../../../fixtures/contract/examples/index.ts'
import { exampleOf } from '../../../core/openapi/openapi-examples.ts'
import { bodyOf, schemasIn } from '../../../core/openapi/schemas.ts'
import { fieldsOf } from '../../../fields/view.ts'
import type { Choices } from '../../../gaps/choices.ts'
import type { TargetFile } from '../../../mock/mock.ts'
import { day } from '../../../words/durations.ts'
import { parametersOf } from '../../../words/parameters-of.ts'
import { type AnyModel, keyOf } from '../../../world/collection.ts'
import { deployment, selfHosted, type World } from '../../../world/world.ts'
import { replaceValues } from '../describe-here.ts'
import type { ExampleParameter, ExampleRequest, ParameterChoice } from './answers.ts'

type ParameterValues = Readonly<Record<string, string | undefined>>
type AnyRecord = Readonly<Record<string, unknown>>

const maxChoices = 300

/** The ids of operations that have an example request; those of the managed form begin with `managed.`. */
export const listRequestIds = ({ operations }: Contract): readonly string[] =>
  Object.entries<Operation>(operations).flatMap(([id, { paths }]) => (paths.managed ? [id, `managed.${id}`] : [id]))

/**
 * Returns a request for an operation, by its id in the OpenAPI document (`managed.alert.create`). Values of `chosen` are
 * kept if they exist, and determine the choices for the ids within them.
 */
export function createExampleRequest(
  world: World,
  target: TargetFile,
  id: string,
  now: number,
  chosen: ParameterValues = {},
  choices: Choices = {},
): ExampleRequest | undefined {
  const isManaged = id.startsWith('managed.')
  const { contract } = world
  const operationId = id.replace(/^managed\./, '') as OperationId
  if (!Object.hasOwn(contract.operations, operationId)) return undefined
  const operation: Operation = contract.operations[operationId]
  const form: Form = isManaged ? 'managed' : operation.paths.cloud ? 'cloud' : 'selfHosted'
  const path = operation.paths[form] ?? operation.pathsBeyondSpecification?.[form]
  if (path === undefined) return undefined
  world.applyTime(now)
  const parameters: ExampleParameter[] = []
  const ids: Record<string, string | undefined> = {}
  for (const name of parametersOf(path)) {
    const choices = listChoices(world, target, { name, operationId, ids })
    const isKnown = choices.some(one => one.value === chosen[name])
    const isOwn = modelOf(world, name, operationId)?.name === resourceOf(operationId)
    const value = isKnown ? chosen[name] : choices.at(isOwn && needsLastRecord(operation, operationId) ? -1 : 0)?.value
    ids[name] = value
    parameters.push({ name, in: 'path', required: true, value, choices })
  }
  for (const [name, field] of Object.entries(operation.query ?? {}))
    parameters.push(exampleQueryParameter(name, field, now))
  const schemas = schemasIn(contract, (choices[form]?.['version/self-hosted-edition'] ?? '2.24') as Edition, form)
  const body = bodyOf(operation, schemas)
  const text = exampleTexts[operationId]
  if (body === undefined) return { parameters, ...(text && { text }) }
  const fields = fieldsOf(schemas[body]!)
  const offered = Object.fromEntries(choicesOfBody(fields, world, ids))
  return { parameters, body: fillIn(exampleOf(body, schemas), world, ids, now), choices: offered }
}

interface Parameter {
  readonly name: string
  readonly operationId: OperationId
  readonly ids: ParameterValues
}

function listChoices(world: World, target: TargetFile, parameter: Parameter): readonly ParameterChoice[] {
  const { name, operationId, ids } = parameter
  const model = modelOf(world, name, operationId)
  if (model && name === 'organizationId') return listOrganizations(model, world, target)
  const records = model ? recordsOf(world, model, ids) : []
  if (model && records.length > 0) {
    return [...new Map(records.slice(-maxChoices).map(record => [keyIn(record, model, name), record]))].map(
      ([value, record]) => describe(value, record),
    )
  }
  const values = fieldOf(world.contract, operationId, name)?.values ?? []
  const example = exampleParameters[name]
  return [...values, ...(example === undefined ? [] : [example])].map(value => ({ value, description: value }))
}

/** Other records refer to the first ones, which therefore cannot be deleted; the first roles belong to the system. */
const needsLastRecord = ({ method }: Operation, id: OperationId) =>
  method === 'DELETE' ||
  ['role.update', 'stackRole.update', 'queryApiEndpoint.update', 'savedQuery.update', 'service.state'].includes(id)

const resourceOf = (operationId: OperationId) => operationId.split('.')[0]!

const modelNamedBy = ({ models }: World, name: string) => models.find(({ namedBy }) => namedBy?.includes(name))

function modelOf(world: World, name: string, operationId: OperationId): AnyModel | undefined {
  const modelName = name === 'id' ? resourceOf(operationId) : name.replace(/Id$/, '')
  return modelNamedBy(world, name) ?? world.models.find(one => one.name === modelName)
}

/** The organizations whose credentials are in the target file. */
function listOrganizations(model: AnyModel, world: World, { cloud }: TargetFile): readonly ParameterChoice[] {
  return [cloud?.organizationId, cloud?.secondOrganizationId].flatMap(id => {
    const record = id === undefined ? undefined : world.in<AnyRecord>(model).get(id)
    return record ? [describe(id!, record)] : []
  })
}

function recordsOf(world: World, model: AnyModel, ids: ParameterValues): readonly AnyRecord[] {
  const { within } = model
  const place =
    within === 'deployment' ? deployment : within === 'stack' ? (ids.serviceId ?? selfHosted) : ids[`${within.name}Id`]
  if (place === undefined || !world.places(model).includes(place)) return []
  const named = ['organizationId', ...(model.namedBy ?? [])].filter(name => ids[name] !== undefined)
  const all = world.in<AnyRecord>(model, place).list()
  return all.filter(one => named.every(name => one[name] === undefined || String(one[name]) === ids[name]))
}

/** What a parameter names of a record: its key or, where several parameters make the key, one part of it. */
const keyIn = (record: AnyRecord, model: AnyModel, name: string) =>
  String((model.namedBy?.includes(name) && record[name]) || keyOf(model, record))

function describe(value: string, record: AnyRecord): ParameterChoice {
  const { name = record.email ?? record.backupName ?? record.displayName ?? record.type, state = record.status } =
    record
  return { value, description: [name, state].filter(Boolean).join(', ') || value }
}

/** The fields of a body, also nested ones, that contain ids of records, each with the possible ids. */
function choicesOfBody(
  fields: Fields,
  world: World,
  ids: ParameterValues,
): readonly (readonly [string, readonly ParameterChoice[]])[] {
  return Object.entries(fields).flatMap(([name, { fields: inner, items }]) => {
    const below = inner ?? items?.fields
    if (below) return choicesOfBody(below, world, ids)
    const parts = itemsOf(world, name, ids)
    if (parts) return [[name, parts.map(part => describe(part.id, part))] as const]
    const modelName = name.replace(/Ids?$/, '')
    const isText = modelName === name
    const model = modelNamedBy(world, name) ?? world.models.find(one => one.name === modelName && !isText)
    if (!model) return []
    const whole = recordsOf(world, model, ids).filter(one => keyIn(one, model, name) === keyOf(model, one))
    const records = whole.slice(0, maxChoices)
    if (records.length === 0) return []
    return [[name, records.map(record => describe(keyOf(model, record), record))] as const]
  })
}

function fieldOf({ operations, resources }: Contract, operationId: OperationId, name: string): Field | undefined {
  const { resource } = operations[operationId].result
  return resource === undefined ? undefined : (resources[resource as ResourceId].fields as Fields)[name]
}

function exampleQueryParameter(name: string, { format, optional, values = [] }: Field, now: number): ExampleParameter {
  const moment = new Date(now - (name.startsWith('from') ? 7 * day : 0)).toISOString()
  const defaultTime = format === 'date' ? moment.slice(0, 10) : moment
  const value = optional ? exampleParameters[name] : (values[0] ?? exampleParameters[name] ?? defaultTime)
  const choices = values.map(one => ({ value: one, description: one }))
  return { name, in: 'query', required: !optional, value, choices }
}

/** Replaces the ids and times of an example by those of the world. */
function fillIn(example: object, world: World, ids: ParameterValues, now: number): unknown {
  const end = Math.floor(now / 60_000) * 60_000
  const moments = Object.entries({ [exampleRange.start]: end - day, [exampleRange.end]: end }).flatMap(
    ([written, moment]) => [[written, new Date(moment).toISOString()] as const, [Date.parse(written), moment] as const],
  )
  const found = Object.entries(exampleIds).flatMap(([name, id]) => {
    const own = itemsOf(world, `${name}Id`, ids)?.[0]?.id ?? keyOfFirst(world, name, ids)
    return own === undefined ? [] : [[id, own] as const]
  })
  return replaceValues(example, [...moments, ...found])
}

function keyOfFirst(world: World, name: string, ids: ParameterValues): string | undefined {
  const model = world.models.find(one => one.name === name)
  const first = model && recordsOf(world, model, ids)[0]
  return first && keyOf(model, first)
}

/** The items that a field names, in the first record that has them; undefined for a field that names records. */
function itemsOf(world: World, name: string, ids: ParameterValues) {
  const model = world.models.find(({ items }) => items?.[name])
  if (!model) return undefined
  const [first] = recordsOf(world, model, ids)
  return (first?.[model.items![name]!] ?? []) as readonly { readonly id: string; readonly name?: string }[]
}
