import type { GapId } from '../../../fixtures/contract/index.ts'
import { hasFormat } from '../../fields/formats.ts'
import { presenterOf, type Shape } from '../../fields/view.ts'
import { unknownId } from '../../words/refusal.ts'
import type { ListMeta, Reply } from '../../words/reply.ts'
import { keyOf, type Model } from '../../world/collection.ts'
import { type Request, serve } from '../family.ts'

interface Named {
  readonly name?: string | null
}

/**
 * What the handlers of the documents of a stack have in common. `noun` names a document in refusals. `shown` is the
 * resource, or makes the answer from a record. Answers are cached by the style that `styleOf` returns, and may depend
 * on record and style alone; without a style, nothing is cached.
 */
export function serveDocuments<T extends Named>(
  model: Model<T>,
  noun: string,
  shown: Shape | ((record: T, request: Request, isListed?: boolean) => object),
  styleOf: (request: Request) => string | undefined = ({ edition }) => edition,
) {
  const present = typeof shown === 'function' ? shown : presenterIn(shown)
  const served = serve(model, present)
  const find = (request: Request): T => {
    const record = request.in(model).get(request.ids.id!)
    if (!record) throw unknownId(noun)
    return record
  }
  return {
    ...served,
    find,
    get(request: Request): Reply {
      const record = find(request)
      const style = styleOf(request)
      if (style === undefined) return served.answer(request, record)
      const name = `${style} ${keyOf(model, record)}`
      return { kind: 'object', json: request.in(model).derive(name, () => JSON.stringify(present(record, request))) }
    },
    /** All documents, or those of a page if there are pages. A list of 5 alerts takes 2 µs from the cache, 8 without. */
    list(request: Request): Reply {
      const records = request.in(model)
      const style = styleOf(request)
      const order = request.choice(`${model.name}/order-of-list` as GapId)
      const { limit, offset } = request.parameters as Partial<ListMeta>
      const meta = limit === undefined || offset === undefined ? undefined : { total: records.size, limit, offset }
      const page = (all: readonly T[]) => (meta ? all.slice(meta.offset, meta.offset + meta.limit) : all)
      const listed = (all: readonly T[]) =>
        JSON.stringify(page(arrange(all, order)).map(record => present(record, request, true)))
      const isWhole = !meta || (meta.offset === 0 && meta.total <= meta.limit)
      const json = isWhole && style !== undefined ? records.derive(`${style} ${order}`, listed) : listed(records.list())
      return { kind: 'list', json, meta }
    },
  }
}

/** Presents a record in the edition of a call. */
function presenterIn(shape: Shape) {
  const present = presenterOf(shape)
  return (record: object, { edition }: Request) => present(record, edition)
}

/**
 * Answers a dry run of a creation: the errors of the body, or the body as a handler would get it. `findFault` looks at
 * a body that the contract accepts; `path` is where its sentence belongs.
 */
export function answerValidation(
  request: Request,
  kind: 'object' | 'bare',
  path: string,
  findFault: (body: unknown) => string | undefined,
): Reply {
  const { value, issues } = request.judge()
  const errors = issues.map(({ path, sentence }) => ({ path: path.join('.'), message: sentence }))
  const fault = errors.length === 0 ? findFault(value) : undefined
  if (fault !== undefined) errors.push({ path, message: fault })
  const valid = errors.length === 0
  return { kind, json: JSON.stringify({ valid, errors, normalized: valid ? value : null }) }
}

/** The id and the times of a document that is created, or that takes the place of another. */
export function idAndTimes<Created extends string | undefined = string>(
  { world, now }: Request,
  before?: { readonly id: string; readonly createdAt?: Created },
) {
  const updatedAt = new Date(now).toISOString()
  const createdAt = (before ? before.createdAt : updatedAt) as Created
  return { id: before?.id ?? world.newObjectId(), createdAt, updatedAt }
}

/** Sorts documents, which come in order of creation. By name, those without a name come first. */
function arrange<T extends Named>(records: readonly T[], order: string): readonly T[] {
  const byName = ({ name: a }: Named, { name: b }: Named) =>
    (a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0
  switch (order) {
    case 'name':
      return records.toSorted(byName)
    case 'name descending':
      return records.toSorted((a, b) => byName(b, a))
    case 'newest first':
      return records.toReversed()
    default:
      return records
  }
}

/**
 * Makes a function that tells whether a text is an id. By choice, self-hosted deployments take any twelve characters
 * for the twelve bytes of an id; no document has such an id.
 */
export const idCheck = ({ form, choice }: Request) => {
  const isAnyTaken = form === 'selfHosted' && choice('id/twelve-characters') === 'accept'
  return (text: string) => hasFormat(text, 'object-id') || (isAnyTaken && text.length === 12)
}
