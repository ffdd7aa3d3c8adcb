import type Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import { listDependents } from '../../mock/arrange/dependents.ts'
import type { MockWorld } from '../../mock/mock.ts'
import { modelOf, RecordRefused, type Records } from '../../mock/records.ts'
import type { AnyModel } from '../../world/collection.ts'
import { ControlRefusal } from './answer.ts'
import { readCount } from './read-request.ts'

/** The records of a world, for unchecked names and fields. */
type Untyped = { readonly [Task in keyof Records]: (name: string, ...args: unknown[]) => unknown }
type AnswerFor = (read: (world: MockWorld, ctx: RouterContext) => unknown) => (ctx: RouterContext) => Promise<void>
type ReadObject = (ctx: RouterContext) => Promise<object>

export function addRecords(router: Router, answerFor: AnswerFor, readObject: ReadObject): void {
  const answerOrRefuse = (act: (world: MockWorld, ctx: RouterContext) => unknown) =>
    answerFor(async (world, ctx) => {
      try {
        return await act(world, ctx)
      } catch (error) {
        throw error instanceof RecordRefused ? new ControlRefusal(statusOf[error.reason], error.message) : error
      }
    })
  const answerRecords = (
    act: (records: Untyped, name: string, place: object, ctx: RouterContext, models: readonly AnyModel[]) => unknown,
  ) =>
    answerOrRefuse((world, ctx) =>
      act(
        world.records as unknown as Untyped,
        ctx.params.collection!,
        readPlace(ctx),
        ctx,
        world.deployment().core.models,
      ),
    )

  const collectionPath = '/control/records/:collection'
  router.get(
    collectionPath,
    answerRecords((records, name, place, { query }, models) => {
      const offset = readCount(query, 'offset', { defaultValue: 0, max: 1e9 })
      const limit = readCount(query, 'limit', { defaultValue: 100, max: 1000 })
      const hide = createHider(models, name)
      const words = readWords(query.search)
      const all = records.list(name, place) as readonly object[]
      const matches = words.length === 0 ? all : all.filter(record => hasWords(hide(record), words))
      return { total: matches.length, records: matches.slice(offset, offset + limit).map(hide) }
    }),
  )
  router.post(
    collectionPath,
    answerRecords(async (records, name, place, ctx) => {
      // The answer has the secrets of the record: generated ones are shown nowhere else.
      const created = records.create(name, await readObject(ctx), place)
      ctx.status = 201
      return created
    }),
  )

  const recordPath = `${collectionPath}/:key`
  router.get(
    `${recordPath}/dependents`,
    answerOrRefuse((world, { params: { collection, key } }) => {
      const { world: records } = world.deployment()
      records.applyTime(world.clock.now())
      return listDependents(records, collection!, key!)
    }),
  )
  router.get(
    recordPath,
    answerRecords((records, name, place, { params: { key } }, models) => {
      const record = records.get(name, key!, place)
      if (!record) throw new ControlRefusal(404, `get a record: ${name}: there is none with the key ${key} there.`)
      return createHider(models, name)(record)
    }),
  )
  router.patch(
    recordPath,
    answerRecords(async (records, name, place, ctx, models) =>
      createHider(models, name)(records.update(name, ctx.params.key, await readObject(ctx), place) as object),
    ),
  )
  router.delete(
    recordPath,
    answerRecords((records, name, place, { params: { key } }) => records.remove(name, key, place)),
  )
}

/** Whether each word, in lower case, occurs in the values of a record. */
function hasWords(record: unknown, words: readonly string[]): boolean {
  const textOf = (value: unknown): string =>
    typeof value === 'object' && value !== null ? Object.values(value).map(textOf).join(' ') : String(value)
  const text = textOf(record).toLowerCase()
  return words.every(word => text.includes(word))
}

function readWords(text: string | string[] = ''): readonly string[] {
  if (typeof text === 'string') return text.toLowerCase().split(/\s+/).filter(Boolean)
  throw new ControlRefusal(400, '"search" must be given once.')
}

const statusOf = { unknown: 404, taken: 409, invalid: 400 } as const satisfies Record<RecordRefused['reason'], number>

function readPlace({ query: { within } }: RouterContext): { within?: string } {
  if (within === undefined) return {}
  if (typeof within === 'string') return { within }
  throw new ControlRefusal(400, '"within" must be the id of one place.')
}

/** Returns a function that removes the secrets of a record. */
function createHider(models: readonly AnyModel[], name: string) {
  const { secrets = [] } = modelOf(models, 'get a record:', name)
  const hide = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hide)
    if (typeof value !== 'object' || value === null) return value
    const fields = Object.entries(value).filter(([field]) => !secrets.includes(field))
    return Object.fromEntries(fields.map(([field, inner]) => [field, hide(inner)]))
  }
  return secrets.length === 0 ? (record: unknown) => record : hide
}
