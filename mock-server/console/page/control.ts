import type { About } from '../../faces/control/page/answers.ts'
import type { TargetFile } from '../../mock/mock.ts'
import { readJson } from './parts/basic.tsx'

/** A refusal of the control plane, in its own words. */
export class Declined extends Error {}

/** The world that the whole console shows: `?world=ID` in its address; empty for the first one. */
export const worldId: string = new URLSearchParams(location.search).get('world') ?? ''

/** A view of the console in another world: another load of the page. */
export const addressOfWorld = (id: string, view: string): string =>
  `/${id === '' ? '' : `?world=${encodeURIComponent(id)}`}#/${view}`

/** An address of the control plane for the world that is shown. */
export function inWorld(path: string): string {
  if (worldId === '') return path
  return `${path}${path.includes('?') ? '&' : '?'}world=${encodeURIComponent(worldId)}`
}

/** Calls the control plane; the answer is its JSON. Answers with an ETag that did not change come from the browser's cache. */
export async function fetchJson<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(inWorld(path), { method, ...init }).catch(() => {
    dispatchEvent(new Event('unreached'))
    throw new Declined('The mock does not answer. It may have been stopped.')
  })
  const text = await response.text()
  if (!response.ok) {
    const { error } = Object(readJson(text)?.value) as { readonly error?: string }
    throw new Declined(error ?? `The control plane answered ${response.status}.`)
  }
  return (text === '' ? undefined : JSON.parse(text)) as T
}

export const read = <T>(path: string): Promise<T> => fetchJson('GET', path)

type Query = Readonly<Record<string, string>>

/** An address of the control plane, by the words of its path and its query. */
export function controlAddress(words: readonly string[], query: Query = {}): string {
  const encoded = new URLSearchParams(query).toString()
  return `/control/${words.map(encodeURIComponent).join('/')}${encoded && `?${encoded}`}`
}

/** The place of what lies in the deployment as a whole. */
export const everywhere = 'everywhere'
const within = (place: string): Query => (place === everywhere ? {} : { within: place })

/** Where the control plane has the records of one kind in one place, or one of them by its key. */
export const recordAddress = (kind: string, place: string, key?: string): string =>
  controlAddress(['records', kind, ...(key === undefined ? [] : [key])], within(place))

export interface Named {
  readonly id: string
  readonly name?: string | null
}

export interface Listing<T> {
  readonly total: number
  readonly records: readonly T[]
}

/** Reads records of one kind in one place: an organization, a service, a stack, or everywhere. */
export const readRecords = <T = Named>(kind: string, place: string, range: Query = {}): Promise<Listing<T>> =>
  read(controlAddress(['records', kind], { ...within(place), ...range }))

/** The records of one kind in one place, up to 500. */
export const listRecords = async <T = Named>(kind: string, place: string): Promise<readonly T[]> =>
  (await readRecords<T>(kind, place, { limit: '500' })).records

/**
 * Puts a whole state, one change after the other: each is made from what the change before it left, so that of two
 * quick ones neither undoes the other, however long the answers take.
 */
export function createWriter<T>(path: string, store: (state: T) => void): (make: () => unknown) => Promise<void> {
  let before: Promise<unknown> = Promise.resolve()
  return make => {
    const turn = before.then(async () => store(await fetchJson<T>('PUT', path, make())))
    before = turn.catch(() => {})
    return turn
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

/** An address of the page is `#/view/word/word`: the view that is shown, and what of it. */
export interface Address {
  readonly view: string
  readonly words: readonly string[]
}

export function readAddress(hash: string): Address {
  const [view = '', ...words] = hash.slice(2).split('/').map(decode)
  return { view, words }
}

export const pageAddress = (...words: readonly string[]): string => `#/${words.map(encodeURIComponent).join('/')}`

function decode(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}
