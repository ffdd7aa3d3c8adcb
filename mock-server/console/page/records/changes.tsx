import type { Dependents } from '../../../mock/arrange/dependents.ts'
import { pluralOf } from '../../../words/plural.ts'
import { ask, controlAddress, recordAddress } from '../control.ts'
import { Badge, Button } from '../parts/basic.tsx'
import { Deletion, ShownOnce, secretsIn } from '../parts/dialog.tsx'
import type { Schema } from '../parts/openapi.ts'
import type { Page } from '../state.ts'
import type { Stack } from '../telemetry/stacks.ts'
import { type Kind, kinds, type ListedRecord, nameOfRecord, type Place, scopeOf, singular } from './kinds.ts'
import { type Callable, type Help, type Operations, readHelp, readOperations } from './operations.ts'
import { type FormMode, RecordForm } from './record-form.tsx'

/** What may be done to the records of a kind in a place; each opens a dialog. */
export interface Changes {
  create(): Promise<void>
  edit(record: ListedRecord): Promise<void>
  remove(record: ListedRecord): Promise<void>
}

interface Circumstances {
  readonly name: string
  readonly kind: Kind
  readonly place: Place
  readonly page: Page
  /** Records of the kind, whose fields a new one can have. */
  readonly samples?: readonly ListedRecord[]
  readonly refresh: () => unknown
}

/** Changes by the API where it has an operation for it, and in any case by arranging. */
export function createChanges({ name, kind, place, page, samples = [], refresh }: Circumstances): Changes {
  const within = scopeOf(kind, place)
  const address = (key?: string) => recordAddress(name, within, key)

  const finish = (done: string) => async (answer: unknown) => {
    const secrets = secretsIn(answer)
    if (secrets.length > 0) page.open(done, <ShownOnce secrets={secrets} />)
    else page.close()
    await refresh()
    if (secrets.length === 0) page.notify(`${done}.`)
  }
  const arrange = (
    operations: Operations,
    found: Callable | undefined,
    record?: ListedRecord,
    usual?: object,
  ): FormMode => {
    const schema = readArrangeable(operations, record ? [record] : samples)
    const method = record ? 'PATCH' : 'POST'
    const owner = kind.namesOrganization && !record ? { organizationId: place.organization } : undefined
    return {
      name: 'Arrange',
      description: record
        ? 'Sets any field past the rules of the API, also what only time or a deployment brings.'
        : `${found ? '' : (kind.advice ?? '')} What is not given is as in a record of the start.`.trim(),
      how: `${method} ${address(record?.id)}`,
      schema,
      named: operations.named,
      ...(record ? { value: pick(record, schema), isPatch: true } : { value: { ...openOf(kind, schema), ...usual } }),
      send: body => ask(method, address(record?.id), { ...owner, ...body }),
    }
  }
  const byApi = (found: Callable, named: Operations['named'], { choices, items }: Help, value?: object): FormMode[] =>
    found.body
      ? [
          {
            name: 'API',
            description: found.body.description ?? '',
            how: `${found.method} ${found.path}`,
            schema: found.body,
            isPatch: found.method === 'PATCH',
            send: found.call,
            named,
            value,
            choices,
            items,
          },
        ]
      : []

  return {
    async create() {
      const operations = await readOperations(page, kind, place)
      const found = operations.find(['create'])
      const help = await readHelp(kind, place)
      const ways = found ? byApi(found, operations.named, help, help.usual) : []
      const arranged = arrange(operations, found, undefined, found ? undefined : help.usual)
      const done = finish(`The ${singular(kind)} was created`)
      page.open(`New ${singular(kind)}`, <RecordForm verb="Create" ways={[...ways, arranged]} done={done} />)
    },
    async edit(record) {
      const operations = await readOperations(page, kind, place)
      const found = operations.find(['update', 'replace'], record.id)
      // What a client would send back is what a get answers, where there is one.
      const before = await operations.find(['get'], record.id)?.call()
      const value = found?.body && pick((before as ListedRecord) ?? record, found.body)
      const ways = found ? byApi(found, operations.named, await readHelp(kind, place), value) : []
      const done = finish(`The ${singular(kind)} was changed`)
      page.open(
        `Edit ${nameOfRecord(record)}`,
        <RecordForm verb="Save" ways={[...ways, arrange(operations, found, record)]} done={done} />,
      )
    },
    async remove(record) {
      const found = (await readOperations(page, kind, place)).find(['delete'], record.id)
      const dependents = await ask<readonly Dependents[]>('GET', dependentsAddress(name, record.id))
      const remove = async () => {
        await (found ? found.call() : ask('DELETE', address(record.id)))
        await refresh()
        page.notify(`The ${singular(kind)} was deleted.`)
      }
      page.open(
        `Delete ${singular(kind)} ${nameOfRecord(record)}?`,
        <Deletion how={found ? `${found.method} ${found.path}` : `DELETE ${address(record.id)}`} remove={remove}>
          <p>
            {found
              ? 'The API is asked, and may refuse.'
              : 'The API has no operation for it, so the record is taken out of the world, with all that lies within.'}
          </p>
          <DependentsList dependents={dependents} />
        </Deletion>,
      )
    },
  }
}

const dependentsAddress = (name: string, key: string) => controlAddress(['records', name, key, 'dependents'])

/** What names the record stays behind, and may break. */
const namesFirst = (one: Dependents, other: Dependents) => one.how.localeCompare(other.how)

/** The records that a deletion concerns: those that go along, and those that name what is gone. */
const DependentsList = ({ dependents }: { readonly dependents: readonly Dependents[] }) =>
  dependents.length === 0 ? (
    <p class="quiet">Nothing lies within it, and no other record names it.</p>
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <ul class="stack dependents" aria-label="Dependent records" tabIndex={0}>
      {dependents.toSorted(namesFirst).map(({ model, how, names, total }) => (
        <li key={`${model} ${how}`}>
          <Badge tone={how === 'within' ? 'bad' : 'warn'}>{how === 'within' ? 'goes along' : 'names it'}</Badge>{' '}
          {`${total} ${singular({ one: total === 1 ? model : pluralOf(model) })}: ${names.join(', ')}${total > names.length ? ', …' : ''}`}
        </li>
      ))}
    </ul>
  )

/** What may be done to the dashboards or alerts of a stack. */
export const changesInStack = (name: 'dashboards' | 'alerts', stack: Stack, page: Page, refresh: () => unknown) =>
  createChanges({
    name,
    kind: kinds[name],
    place: { organization: stack.organization, service: stack.id },
    page,
    refresh,
  })

/** Buttons that edit and delete a record. */
export const ChangeButtons = ({ changes, record }: { readonly changes: Changes; readonly record: ListedRecord }) => (
  <>
    <Button act={() => changes.edit(record)} class="copy" aria-label={`Edit ${nameOfRecord(record)}`}>
      Edit
    </Button>
    <Button act={() => changes.remove(record)} class="copy" aria-label={`Delete ${nameOfRecord(record)}`}>
      Delete
    </Button>
  </>
)

/** The fields that records keep, as far as those of a list show: described as in answers, or by the values that they have. */
function readArrangeable({ answered }: Operations, samples: readonly ListedRecord[]): Schema {
  const described = answered?.properties ?? {}
  const kept = samples.flatMap(sample =>
    Object.entries(sample).map(([name, value]) => [name, schemaOf(value)] as const),
  )
  const all = samples.length === 0 ? Object.entries(described) : kept
  const properties = all.filter(([name]) => name !== 'id').map(([name, own]) => [name, described[name] ?? own] as const)
  return { type: 'object', properties: Object.fromEntries(properties) }
}

/** The fields of a new record that stand open: those of the list. */
const openOf = ({ columns }: Kind, { properties = {} }: Schema): object =>
  Object.fromEntries(columns.filter(name => name in properties).map(name => [name, undefined]))

/** What a value looks like, where no description says it. */
function schemaOf(value: unknown): Schema {
  if (typeof value === 'number' || typeof value === 'boolean') return { type: typeof value }
  return { type: typeof value === 'string' ? 'string' : Array.isArray(value) ? 'array' : 'object' }
}

/** The fields of a value that a body has, of the types that it has there. */
function pick(value: Readonly<Record<string, unknown>>, { properties = {} }: Schema): object {
  const fits = ([name, one]: [string, unknown]) => {
    const { type } = properties[name] ?? { type: [] }
    const kind = one === null ? 'null' : Array.isArray(one) ? 'array' : typeof one
    return type === kind || (Array.isArray(type) && type.includes(kind))
  }
  return Object.fromEntries(Object.entries(value).filter(fits))
}
