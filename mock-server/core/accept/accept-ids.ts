import type { Contract, IdKind } from '../../../fixtures/built-contract/index.ts'
import { onceFor } from '../../words/memoize.ts'
import { Refusal } from '../../words/refusal.ts'
import type { Context } from '../context.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const objectId = /^[0-9a-f]{24}$/i
/** Deployments refuse the nil UUID as malformed, since it has no version. */
const nilUuid = '00000000-0000-0000-0000-000000000000'

/** The kinds of ids by the names of their parameters, which mean the same in every path. */
const kindsIn = onceFor(
  ({ operations }: Contract): Readonly<Record<string, IdKind>> =>
    Object.assign({}, ...Object.values(operations).map(({ ids }) => ids)),
)

/** Checks the ids of a cloud path by their kinds. In the managed form, object ids are left to `judgeRequest` and handlers. */
export function acceptIds(context: Context): void {
  const { params, route } = context.match
  const kinds = kindsIn(context.core.contract)
  const ids: Record<string, string> = {}
  // `params` may also have a parameter whose place a literal segment takes, as in …/clickpipes/schemaDiscovery.
  for (const name of route?.ids ?? Object.keys(params)) {
    const id = params[name]!
    const kind = kinds[name] ?? (name === 'id' ? 'objectId' : 'uuid')
    ids[name] = kind === 'uuid' ? readUuid(name, id) : id
    if (kind === 'objectId' && context.form === 'cloud' && !objectId.test(id)) throw refuse(name, id)
  }
  context.ids = ids
}

export function readUuid(name: string, id: string): string {
  if (uuid.test(id) && id !== nilUuid) return id.toLowerCase()
  throw refuse(name, id)
}

function refuse(name: string, id: string): Refusal {
  const sentence = `Invalid ${name.replace('Id', ' id')} <string:${shorten(id)}>`
  return new Refusal('malformed', sentence, { gap: 'path/malformed-id' })
}

const shorten = (text: string) => (text.length > 120 ? `${text.slice(0, 120)}…` : text)
