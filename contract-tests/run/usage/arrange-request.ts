import type { UsageExample } from '../../../fixtures/usage.ts'
import type { Incoming, Outgoing } from '../../engine/clients/client.ts'
import { parseJson } from '../../engine/exchange.ts'
import { isObject, objectsIn, payloadOf } from '../../engine/recognise.ts'
import type { TargetFile } from '../../engine/target/target.ts'

/** A mock in process, of one of two documents, which adds its credentials to each request. Both have the same world. */
export interface ProofMock {
  readonly target: TargetFile
  /** The command that starts such a mock. */
  readonly start: string
  send(request: Pick<Outgoing, 'method' | 'path' | 'body'>): Promise<Incoming>
  /** Resets the world, so that each request meets the same one. */
  reset(): void
}

/** A request that names records of a mock's world. */
export interface ArrangedRequest {
  readonly path: string
  readonly body: string | undefined
}

/** The most records that are tried: some are in a state in which a request is refused. */
const maxTries = 12

/**
 * A recorded request with the ids of records of the same kind: a list of the mock has them, and is named as the path above
 * the id, or as a field of the body (`sourceId`, `assignedRoleIds`). Several, where there are several records.
 */
export async function* arrangeRequests(mock: ProofMock, path: string, { query, body }: UsageExample) {
  let tries = 0
  for await (const { filled, records } of fillPath(mock, path, [])) {
    if (tries++ === maxTries) return
    const sent = body === undefined ? undefined : await fillBody(mock, filled, body, records)
    const request: ArrangedRequest = {
      path: filled + (query ? `?${query}` : ''),
      body: sent === undefined ? undefined : JSON.stringify(sent),
    }
    yield request
  }
}

type JsonRecord = Readonly<Record<string, unknown>>
interface FilledPath {
  readonly filled: string
  readonly records: readonly JsonRecord[]
}

async function* fillPath(mock: ProofMock, path: string, records: readonly JsonRecord[]): AsyncGenerator<FilledPath> {
  const [, above = '', name, below = ''] = /^(.*?)\/\{(\w*)\}(.*)$/s.exec(path) ?? []
  if (name === undefined) yield { filled: path, records }
  else if (name === 'segment') {
    const { observabilitySegment = 'clickstack' } = mock.target.cloud ?? {}
    yield* fillPath(mock, `${above}/${observabilitySegment}${below}`, records)
  } else {
    const listed = await listRecords(mock, above)
    // A document may lack the list, and a recording names no parameters: `organizationId` follows from `organizations`.
    const field = name || `${/([a-z]+)s$/.exec(above)?.[1]}Id`
    const own = (mock.target.cloud as JsonRecord | undefined)?.[field]
    for (const record of listed.length > 0 ? listed : [{ [field]: own }]) {
      const id = idOf(record, field)
      if (id !== undefined) yield* fillPath(mock, `${above}/${encodeURIComponent(id)}${below}`, [...records, record])
    }
  }
}

/** The id of a record, which is in the field that its path names, or else in one with such a name. */
function idOf(record: JsonRecord, name: string): string | undefined {
  const other = Object.keys(record).find(field => /(?:Id|Code|Name|^version)$/.test(field)) ?? ''
  const id = record[name] ?? record.id ?? record[other] ?? record.name
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

async function listRecords(mock: ProofMock, path: string): Promise<readonly JsonRecord[]> {
  const { status, text } = await mock.send({ method: 'GET', path })
  return status === 200 ? objectsIn(payloadOf(parseJson(text))) : []
}

/** A body whose ids are those of records that lie beside, or in one that the path or the body names. */
async function fillBody(mock: ProofMock, path: string, body: unknown, named: readonly JsonRecord[]): Promise<unknown> {
  const records = [...named]
  const known = new Map<string, string | undefined>()
  const find = async (name: string) => {
    const plain = name
      .replace(/^(?:assigned|openApi)|(?:Id|(?<=Key))?s?$/g, '')
      .replace(/^./, first => first.toLowerCase())
    const plural = `${plain.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}s`
    for (let above = path; above !== ''; above = above.replace(/\/[^/]*$/, '')) {
      const [record] = await listRecords(mock, `${above}/${plural}`)
      if (!record) continue
      records.push(record)
      return idOf(record, name)
    }
    const inside = records.flatMap(record => record[`${plain}s`] ?? []).find(isObject)
    return inside && idOf(inside, name)
  }
  const fill = async (value: unknown, name: string): Promise<unknown> => {
    if (Array.isArray(value)) {
      const items = []
      for (const item of value) items.push(await fill(item, name))
      return items
    }
    if (isObject(value)) {
      const filled: Record<string, unknown> = {}
      for (const [field, inner] of Object.entries(value)) filled[field] = await fill(inner, field)
      return filled
    }
    if (typeof value !== 'string' || !/Ids?$|ApiKeys$|^connection$/.test(name)) return value
    if (!known.has(name)) known.set(name, await find(name))
    return known.get(name) ?? value
  }
  return fill(body, '')
}
