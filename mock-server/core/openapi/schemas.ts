import type {
  Contract,
  Edition,
  Form,
  GapId,
  Operation,
  OperationId,
  Resource,
  Side,
} from '../../../fixtures/built-contract/index.ts'
import { type View, viewOfShape } from '../../fields/view.ts'
import { memoize, onceFor } from '../../words/memoize.ts'
import { parametersOf } from '../../words/parameters-of.ts'

export interface Schema extends Pick<Resource, 'description' | 'fields' | 'oneOf'> {
  /** For shapes of requests only: the forms that have them. */
  readonly sentIn?: ReadonlySet<Form>
  /** The types of unlisted fields, by prefix and suffix of their names. */
  readonly others?: { readonly prefix: string; readonly suffix: string; readonly types: readonly string[] }
}

const chartRow: Schema = {
  description: 'One bucket of one group. A series without rows in it has no field; counts are strings of digits.',
  fields: {
    ts_bucket: { type: 'number', basis: 'invented', description: 'Start of the bucket, in epoch milliseconds.' },
    group: {
      type: 'array',
      basis: 'invented',
      description: 'Values of the grouping fields; empty when there are none.',
      items: { type: 'string', nullable: true, basis: 'invented', description: 'A value.' },
    },
  },
  others: { prefix: 'series_', suffix: '.data', types: ['string', 'number', 'null'] },
}

/** The body of a refusal of the self-hosted API, by the name of the field that has the sentence. */
export function refusalWith(name: string): Schema {
  const field = { type: 'string', basis: 'invented', sentence: 'What went wrong.' } as const
  return { description: 'The body of a refusal of the self-hosted API.', fields: { [name]: field } }
}

/** Shapes that differ from the resource of the contract, or have a name that does not follow from it. */
const special: Readonly<Record<string, Schema>> = {
  SelfHostedRefusal: refusalWith('message'),
  ChartRow: chartRow,
}

const nameOf = (resource: string) => `${resource[0]!.toUpperCase()}${resource.slice(1)}`

/** The fields that the server sets when it creates a record. */
const serverFields = ['id', 'createdAt', 'updatedAt']

/** How the operations of a contract use its resources. */
const usesOf = onceFor((contract: Contract) => {
  const operations = Object.values<Operation>(contract.operations)
  return {
    sent: new Set(operations.flatMap(({ body = [] }) => body)),
    answered: new Set(operations.flatMap(({ result: { resource = [] } }) => resource)),
    /** The resources that are both the body and the result of an operation. */
    created: new Set(operations.flatMap(({ body = [], result }) => (result.resource === body ? body : []))),
    formsOf: (name: string): ReadonlySet<Form> =>
      new Set(
        operations
          .filter(({ body }) => body === name)
          .flatMap(
            ({ paths, pathsBeyondSpecification }) => Object.keys({ ...paths, ...pathsBeyondSpecification }) as Form[],
          ),
      ),
  }
})

/** The shapes of a resource in answers and, under another name if it differs, in requests. */
function shapesOf(
  contract: Contract,
  [name, resource]: [string, Resource],
  variant: Omit<View, 'side'>,
): readonly (readonly [string, Schema])[] {
  const view = (side: Side): Schema => ({ ...resource, ...viewOfShape(resource, { side, ...variant }) })
  const uses = usesOf(contract)
  if (!uses.sent.has(name)) return [[nameOf(name), view('answer')]]
  const sentIn = uses.formsOf(name)
  if (!uses.answered.has(name)) return [[nameOf(name), { ...view('request'), sentIn }]]
  const { fields, ...body } = view('request')
  const isCreated = uses.created.has(name) && 'id' in resource.fields
  const own = Object.entries(fields).filter(([field]) => !isCreated || !serverFields.includes(field))
  const isOther = JSON.stringify([own, body]) !== JSON.stringify([Object.entries(view('answer').fields), body])
  const description = `What is sent of it. ${resource.description}`
  return [
    [nameOf(name), view('answer')],
    ...(isOther
      ? [[`${nameOf(name)}Body`, { ...body, sentIn, description, fields: Object.fromEntries(own) }] as const]
      : []),
  ]
}

const schemasOf = (contract: Contract, variant: Omit<View, 'side'>): Schemas => ({
  ...Object.fromEntries(Object.entries(contract.resources).flatMap(one => shapesOf(contract, one, variant))),
  ...special,
})

export type Schemas = Readonly<Record<string, Schema>>

/** All named shapes of requests and answers: of one edition and form, or of all. */
export const schemasIn = (contract: Contract, edition?: Edition, form?: Form): Schemas =>
  schemasByKey(contract)(JSON.stringify({ edition, form }))
const schemasByKey = onceFor((contract: Contract) => memoize((key: string) => schemasOf(contract, JSON.parse(key)), 5))

export function bodyOf({ body }: Operation, schemas: Schemas): string | undefined {
  if (body === undefined) return undefined
  return `${nameOf(body)}Body` in schemas ? `${nameOf(body)}Body` : nameOf(body)
}

/** The shape of a successful result, or of its items. */
export function itemOf({ result }: Operation): string | undefined {
  if (result.type === 'nothing') return undefined
  return result.resource === undefined ? 'ChartRow' : nameOf(result.resource)
}

export const pathIn = ({ paths, pathsBeyondSpecification }: Operation, form: Form): string =>
  paths[form] ?? pathsBeyondSpecification![form]!

/** The statuses with which an operation is refused, each with the shapes that its bodies have, such as `json` or `text`. */
export type Refusals = ReadonlyMap<number, ReadonlySet<string>>

/** The refusals of an operation that follow from its path, its body, its credentials and its records, by the choices in force. */
export function refusalsOf(operation: Operation, form: Form, choices: Readonly<Record<string, string>>): Refusals {
  const { body, isPublic, refusalStatuses = [], unknownIdGap = '', answersRule, refusalShapeGap = '' } = operation
  const refusals = new Map<number, Set<string>>()
  const add = (choice: string) => {
    const [status = '', shape = 'json'] = choice.split(' ')
    // A choice may let the deletion of an unknown record succeed.
    if (Number(status) >= 400) refusals.set(Number(status), (refusals.get(Number(status)) ?? new Set()).add(shape))
  }
  const addChoice = (gap: GapId, defaultChoice: string) => add(choices[gap] ?? defaultChoice)
  const isSelfHosted = form === 'selfHosted'
  const isChart = answersRule === 'chart/query-is-accepted'
  const hasId = parametersOf(pathIn(operation, form)).length > 0
  if (hasId) addChoice('path/malformed-id', '400')
  if (hasId || body !== undefined || operation.query) add('400')
  if (!isPublic) {
    addChoice('auth/missing-credentials', '401')
    addChoice('auth/invalid-credentials', '401')
    if (!isSelfHosted) for (const gap of accessGaps) addChoice(gap, '403')
    add(isSelfHosted ? '429 html' : '429')
  }
  if (hasId) add(choices[unknownIdGap] ?? '404')
  if (body !== undefined) for (const status of ['413', '415']) add(status)
  if (isChart) {
    // The refusal of a chart that fails while it is computed has its sentence in another field.
    const [unknown, unreadable] = ['chart/unknown-source', 'chart/unreadable-where'].map(gap =>
      choices[gap]?.slice(0, 3),
    )
    add(`${unknown ?? 404} error`)
    if (unreadable !== '500') add(unreadable ?? '400')
  }
  // The body may name an unknown source or connection.
  if (operation.result.resource === 'searchAnswer') add('404')
  if (choices[refusalShapeGap] === 'list of findings') add('400 findings')
  for (const status of refusalStatuses) add(String(status))
  add(isChart ? '500 error' : '500')
  return new Map([...refusals].sort(([a], [b]) => a - b))
}

/** Refusals of another organization's key, of an address that a key does not allow, of an unknown organization. */
const accessGaps = ['auth/key-of-another-organization', 'key/address-not-allowed', 'path/unknown-organization'] as const

/** The status of a success and, after a space, the shape of its body if that is a choice: `200` or `200 json`. */
export function successOf(id: OperationId, operation: Operation, choices: Readonly<Record<string, string>>): string {
  if (operation.successStatus) return String(operation.successStatus)
  const [resource, verb] = id.split('.')
  if (verb === 'create') return choices[`${resource}/create-status`] ?? '200'
  return (verb === 'delete' ? choices[`${resource}/delete-answer`] : undefined) ?? '200'
}
