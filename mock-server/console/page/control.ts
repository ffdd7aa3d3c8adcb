import type { About } from '../../faces/control/page/answers.ts'
import type { TargetFile } from '../../mock/mock.ts'
import { readJson } from './parts/read-json.ts'

/** A call was refused, or not answered. The message is shown to the user. */
export class RefusalError extends Error {}

/** The world that the console shows: `?world=ID` of its address; empty for the first one. */
export const worldId: string = new URLSearchParams(location.search).get('world') ?? ''

/** The address of a view in another world. It loads the page anew. */
export const addressOfWorld = (id: string, view: string): string =>
  `/${id === '' ? '' : `?world=${encodeURIComponent(id)}`}#/${view}`

/** Adds the world that is shown to an address of the control plane. */
export const inWorld = (path: string): string =>
  worldId === '' ? path : `${path}${path.includes('?') ? '&' : '?'}world=${encodeURIComponent(worldId)}`

/**
 * Calls the control plane, and returns the JSON of the answer; throws a RefusalError if it does not succeed. An answer with
 * an unchanged ETag comes from the browser's cache.
 */
export async function fetchJson<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(inWorld(path), { method, ...init }).catch(() => {
    dispatchEvent(new Event('mock-unreachable'))
    throw new RefusalError('The mock does not answer. It may have been stopped.')
  })
  const text = await response.text()
  if (!response.ok) {
    const { error } = Object(readJson(text)?.value) as { readonly error?: string }
    throw new RefusalError(error ?? `The control plane answered ${response.status}.`)
  }
  return (text === '' ? undefined : JSON.parse(text)) as T
}

export const read = <T>(path: string): Promise<T> => fetchJson('GET', path)

type Query = Readonly<Record<string, string>>

/** An address of the control plane, from the segments of its path and its query. */
export function controlAddress(segments: readonly string[], query: Query = {}): string {
  const encoded = new URLSearchParams(query).toString()
  return `/control/${segments.map(encodeURIComponent).join('/')}${encoded && `?${encoded}`}`
}

/** The place of collections that are not divided by organization. */
export const everywhere = 'everywhere'
const within = (place: string): Query => (place === everywhere ? {} : { within: place })

/** The address of the records of a kind in a place, or of one of them by its key. */
export const recordAddress = (kind: string, place: string, key?: string): string =>
  controlAddress(['records', kind, ...(key === undefined ? [] : [key])], within(place))

export interface Named {
  readonly id: string
  readonly name?: string | null
}

interface Listing<T> {
  readonly total: number
  readonly records: readonly T[]
}

/** Reads records of a kind in a place: the id of an organization, a service or a stack, or `everywhere`. */
export const readRecords = <T = Named>(kind: string, place: string, range: Query = {}): Promise<Listing<T>> =>
  read(controlAddress(['records', kind], { ...within(place), ...range }))

/** The first 500 records of a kind in a place. */
export const listRecords = async <T = Named>(kind: string, place: string): Promise<readonly T[]> =>
  (await readRecords<T>(kind, place, { limit: '500' })).records

/**
 * Returns a function that sends changes of a state one after the other. `update` is called when the previous change is stored,
 * so that two quick changes do not undo each other.
 */
export function createPutQueue<T>(path: string, store: (state: T) => void): (update: () => unknown) => Promise<void> {
  let previous: Promise<unknown> = Promise.resolve()
  return update => {
    const current = previous.then(async () => store(await fetchJson<T>('PUT', path, update())))
    previous = current.catch(() => {})
    return current
  }
}

export const readAbout = () => read<About>('/control/about')
export const readTarget = () => read<TargetFile>('/control/target')

export const formNames: Readonly<Record<string, string>> = {
  cloud: 'cloud',
  managed: 'managed',
  selfHosted: 'self-hosted',
  sql: 'SQL',
  webhook: 'webhook',
}

/** An address of the page, `#/view/segment/segment`: a view, and what it shows. */
export interface Address {
  readonly view: string
  readonly segments: readonly string[]
}

export function readAddress(hash: string): Address {
  const [view = '', ...segments] = hash.slice(2).split('/').map(decode)
  return { view, segments }
}

export const pageAddress = (...segments: readonly string[]): string => `#/${segments.map(encodeURIComponent).join('/')}`

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
