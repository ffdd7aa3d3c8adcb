import type { Page } from '../app.ts'
import { ask, recordAddress } from '../ask.ts'
import type { Schema } from '../openapi.ts'
import { type Help, readHelp } from './choices.ts'
import { openForm, type Way } from './form.ts'
import { type Kind, type ListedRecord, nameOfRecord, type Place, sayOne, scopeOf } from './kinds.ts'
import { type Callable, type Operations, readOperations } from './operations.ts'
import { askToDelete, secretsIn, showOnce } from './sheet.ts'

/** What may be done to the records of a kind in a place. */
export interface Changes {
  create(): Promise<void>
  edit(record: ListedRecord): Promise<void>
  remove(record: ListedRecord): Promise<void>
}

export interface Circumstances {
  readonly name: string
  readonly kind: Kind
  readonly place: Place
  readonly page: Page
  /** Records of the kind, to see what they keep. */
  readonly samples: () => readonly ListedRecord[]
  /** Draws anew what has changed. */
  readonly redraw: () => Promise<unknown>
}

/** What may be changed: by the API where it has an operation for it, and in any case by arranging it. */
export function createChanges(circumstances: Circumstances): Changes {
  const { name, kind, place, page, samples, redraw } = circumstances
  const { say, describe } = page
  const within = scopeOf(kind, place)
  const address = (key?: string) => recordAddress(name, within, key)

  const owner = (record?: ListedRecord) =>
    kind.namesOrganization && !record ? { organizationId: place.organization } : undefined

  const finish = (what: string) => async (answer: unknown) => {
    await redraw()
    const secrets = secretsIn(answer)
    if (secrets.length > 0) showOnce(what, secrets)
    else say(`${what}.`)
  }
  const open = async (work: (operations: Operations) => Promise<void>) => {
    await work(await readOperations(describe, kind, place))
  }
  const arrange = (operations: Operations, found: Callable | undefined, record?: ListedRecord, usual?: object): Way => {
    const schema = readArrangeable(operations, record ? [record] : samples())
    const method = record ? 'PATCH' : 'POST'
    return {
      name: 'Arrange',
      says: record
        ? 'Sets any field past the rules of the API, also what only time or a deployment brings.'
        : `${found ? '' : (kind.advice ?? '')} What is not given is as in a record of the start.`.trim(),
      how: `${method} ${address(record?.id)}`,
      schema,
      named: operations.named,
      ...(record ? { value: pick(record, schema), isPatch: true } : { value: { ...openOf(kind, schema), ...usual } }),
      send: body => ask(method, address(record?.id), { ...owner(record), ...body }),
    }
  }
  const byApi = (found: Callable, { choices, items }: Help, value: object | undefined): Way[] =>
    found.body
      ? [
          {
            name: 'API',
            says: found.body.description ?? '',
            how: `${found.method} ${found.path}`,
            schema: found.body,
            named: found.named,
            value,
            choices,
            items,
            isPatch: found.method === 'PATCH',
            send: found.call,
          },
        ]
      : []

  return {
    create: () =>
      open(async operations => {
        const found = operations.find(['create'])
        const help = await readHelp(kind, place)
        const ways = found ? byApi(found, help, help.usual) : []
        openForm({
          title: `New ${sayOne(kind)}`,
          verb: 'Create',
          ways: [...ways, arrange(operations, found, undefined, found ? undefined : help.usual)],
          done: finish(`The ${sayOne(kind)} was created`),
        })
      }),
    edit: record =>
      open(async operations => {
        const found = operations.find(['update', 'replace'], record.id)
        // What a client would send back is what a get answers, where there is one.
        const before = await operations.find(['get'], record.id)?.call()
        const value = found?.body && pick((before as ListedRecord) ?? record, found.body)
        const ways = found ? byApi(found, await readHelp(kind, place), value) : []
        openForm({
          title: `Edit ${nameOfRecord(record)}`,
          verb: 'Save',
          ways: [...ways, arrange(operations, found, record)],
          done: finish(`The ${sayOne(kind)} was changed`),
        })
      }),
    remove: record =>
      open(async operations => {
        const found = operations.find(['delete'], record.id)
        const arranged = `DELETE ${address(record.id)}`
        askToDelete(`${sayOne(kind)} ${nameOfRecord(record)}`, {
          says: found
            ? 'The API is asked, and may refuse.'
            : 'The API has no operation for it, so the record is taken out of the world, with all that lies within.',
          how: found ? `${found.method} ${found.path}` : arranged,
          remove: async () => {
            await (found ? found.call() : ask('DELETE', address(record.id)))
            await redraw()
            say(`The ${sayOne(kind)} was deleted.`)
          },
        })
      }),
  }
}

/** The fields that records keep, as far as those of a list tell: described as in answers, or by the values that they have. */
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
