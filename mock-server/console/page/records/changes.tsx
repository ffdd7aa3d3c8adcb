import type { Dependents } from '../../../mock/arrange/dependents.ts'
import { pluralOf } from '../../../words/plural.ts'
import { controlAddress, fetchJson, read, recordAddress } from '../control.ts'
import { ConfirmDeletion, NewSecrets, secretsIn } from '../parts/dialog.tsx'
import { Badge, Button } from '../parts/elements.tsx'
import type { Schema } from '../parts/openapi.ts'
import type { Page } from '../state.ts'
import type { Stack } from '../telemetry/stacks.ts'
import { type Kind, kinds, type ListedRecord, nameInSentence, nameOfRecord, type Place, scopeOf } from './kinds.ts'
import { type Operations, readFormDefaults, readOperations } from './operations.ts'
import { type FormMode, RecordForm } from './record-form.tsx'

/** Dialogs that change the records of a kind in a place. */
export interface Changes {
  create(): Promise<void>
  edit(record: ListedRecord): Promise<void>
  remove(record: ListedRecord): Promise<void>
}

interface ChangeContext {
  readonly name: string
  readonly kind: Kind
  readonly place: Place
  readonly page: Page
  /** Records whose fields a new one may have. */
  readonly samples?: readonly ListedRecord[]
  readonly refresh: () => unknown
}

/** Changes records over the API if it has the operation. The mode `Arrange` writes the record directly to the world. */
export function createChanges({ name, kind, place, page, samples = [], refresh }: ChangeContext): Changes {
  const noun = nameInSentence(kind)
  const address = (key?: string) => recordAddress(name, scopeOf(kind, place), key)

  const finishWith = (message: string) => async (answer: unknown) => {
    const secrets = secretsIn(answer)
    if (secrets.length > 0) page.open(message, <NewSecrets secrets={secrets} />)
    else page.close()
    await refresh()
    if (secrets.length === 0) page.notify(`${message}.`)
  }

  async function openForm(record?: ListedRecord) {
    const operations = await readOperations(page, kind, place)
    const operation = operations.find(record ? ['update', 'replace'] : ['create'], record?.id)
    const { initial, choices, items } = await readFormDefaults(kind, place)
    const { schemas } = operations
    const modes: FormMode[] = []
    if (operation?.body) {
      // The form begins with the answer of a get, as a client would see the record.
      const before = record && ((await operations.find(['get'], record.id)?.call()) ?? record)
      modes.push({
        name: 'API',
        description: operation.body.description ?? '',
        request: `${operation.method} ${operation.path}`,
        schema: operation.body,
        isPatch: operation.method === 'PATCH',
        value: record ? pick(before as ListedRecord, operation.body) : initial,
        send: operation.call,
        ...{ schemas, choices, items },
      })
    }
    const schema = readRecordSchema(operations, record ? [record] : samples)
    const method = record ? 'PATCH' : 'POST'
    const owner = kind.hasOrganizationId && !record ? { organizationId: place.organization } : undefined
    const advice = operation ? '' : (kind.advice ?? '')
    modes.push({
      name: 'Arrange',
      description: record
        ? 'Sets any field without the rules of the API, even a field that only time or a deployment changes.'
        : `${advice} Fields that are not given are as in a record of the start.`.trim(),
      request: `${method} ${address(record?.id)}`,
      schema,
      schemas,
      isPatch: record !== undefined,
      value: record ? pick(record, schema) : { ...visibleFields(kind, schema), ...(operation ? {} : initial) },
      send: body => fetchJson(method, address(record?.id), { ...owner, ...body }),
    })
    const title = record ? `Edit ${nameOfRecord(record)}` : `New ${noun}`
    const done = finishWith(`The ${noun} was ${record ? 'changed' : 'created'}`)
    page.open(title, <RecordForm verb={record ? 'Save' : 'Create'} modes={modes} done={done} />)
  }

  return {
    create: () => openForm(),
    edit: openForm,
    async remove(record) {
      const operation = (await readOperations(page, kind, place)).find(['delete'], record.id)
      const dependents = await read<readonly Dependents[]>(controlAddress(['records', name, record.id, 'dependents']))
      const remove = async () => {
        await (operation ? operation.call() : fetchJson('DELETE', address(record.id)))
        await refresh()
        page.notify(`The ${noun} was deleted.`)
      }
      const request = operation ? `${operation.method} ${operation.path}` : `DELETE ${address(record.id)}`
      page.open(
        `Delete ${noun} ${nameOfRecord(record)}?`,
        <ConfirmDeletion request={request} remove={remove}>
          <p>
            {operation
              ? 'The API is asked, and may refuse.'
              : 'The API has no operation for it, so the record is removed from the world, with all records within it.'}
          </p>
          <DependentsList dependents={dependents} />
        </ConfirmDeletion>,
      )
    },
  }
}

/** The records that depend on a deleted one: those that are deleted with it, and those that refer to it. */
const DependentsList = ({ dependents }: { readonly dependents: readonly Dependents[] }) =>
  dependents.length === 0 ? (
    <p class="quiet">No record lies within it, and none refers to it.</p>
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <ul class="stack dependents" aria-label="Dependent records" tabIndex={0}>
      {/* Those that refer to the record come first: they stay, and may break. */}
      {dependents
        .toSorted((a, b) => a.how.localeCompare(b.how))
        .map(({ model, how, names, total }) => (
          <li key={`${model} ${how}`}>
            <Badge tone={how === 'within' ? 'bad' : 'warn'}>{how === 'within' ? 'deleted, too' : 'refers to it'}</Badge>{' '}
            {`${total} ${nameInSentence({ singular: total === 1 ? model : pluralOf(model) })}: ${names.join(', ')}${total > names.length ? ', …' : ''}`}
          </li>
        ))}
    </ul>
  )

export const changesInStack = (name: 'dashboards' | 'alerts', stack: Stack, page: Page, refresh: () => unknown) =>
  createChanges({
    name,
    kind: kinds[name],
    place: { organization: stack.organization, service: stack.id },
    page,
    refresh,
  })

export const ChangeButtons = ({ changes, record }: { readonly changes: Changes; readonly record: ListedRecord }) => (
  <>
    <Button onClick={() => changes.edit(record)} class="copy" aria-label={`Edit ${nameOfRecord(record)}`}>
      Edit
    </Button>
    <Button onClick={() => changes.remove(record)} class="copy" aria-label={`Delete ${nameOfRecord(record)}`}>
      Delete
    </Button>
  </>
)

/**
 * The schema of stored records: the fields of the samples, or of answers if there are no samples. A field that no answer has
 * gets its type from its value.
 */
function readRecordSchema({ answerSchema }: Operations, samples: readonly ListedRecord[]): Schema {
  const described = answerSchema?.properties ?? {}
  const fields = samples
    .flatMap(sample => Object.entries(sample))
    .map(([name, value]) => [name, schemaOf(value)] as const)
  const { id, ...properties } =
    samples.length === 0
      ? described
      : Object.fromEntries(fields.map(([name, inferred]) => [name, described[name] ?? inferred]))
  return { type: 'object', properties }
}

/** The fields that the form of a new record shows unfolded: the columns of the list. */
const visibleFields = ({ columns }: Kind, { properties = {} }: Schema): object =>
  Object.fromEntries(columns.filter(name => name in properties).map(name => [name, undefined]))

function schemaOf(value: unknown): Schema {
  if (typeof value === 'number' || typeof value === 'boolean') return { type: typeof value }
  return { type: typeof value === 'string' ? 'string' : Array.isArray(value) ? 'array' : 'object' }
}

/** The fields of a value that are in the schema, with the same type. */
function pick(value: Readonly<Record<string, unknown>>, { properties = {} }: Schema): object {
  const isInSchema = ([name, one]: [string, unknown]) => {
    const { type } = properties[name] ?? { type: [] }
    const kind = one === null ? 'null' : Array.isArray(one) ? 'array' : typeof one
    return type === kind || (Array.isArray(type) && type.includes(kind))
  }
  return Object.fromEntries(Object.entries(value).filter(isInSchema))
}
