/** What the control plane answered instead of success: its sentence. */
export class Declined extends Error {}

/** Asks the control plane; the answer is its JSON. */
export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await reach(path, { method, ...init })
  const text = await response.text()
  if (!response.ok) throw new Declined(sentenceOf(text, response.status))
  return (text === '' ? undefined : JSON.parse(text)) as T
}

export const read = <T>(path: string): Promise<T> => ask('GET', path)

/** The place of what lies in the deployment as a whole. */
export const everywhere = 'everywhere'

/** Where the control plane has the records of one kind in one place, or one of them by its key. */
export function recordAddress(kind: string, place: string, key?: string): string {
  const within = place === everywhere ? '' : `?${new URLSearchParams({ within: place })}`
  return `/control/records/${kind}${key === undefined ? '' : `/${encodeURIComponent(key)}`}${within}`
}

/** Reads records of one kind in one place: an organization, a service, a stack, or everywhere. */
export function readRecords<T>(kind: string, place: string, range: Readonly<Record<string, string>>): Promise<T> {
  const within: Record<string, string> = place === everywhere ? {} : { within: place }
  return read(`/control/records/${kind}?${new URLSearchParams({ ...within, ...range })}`)
}

/** Reads what changes: undefined when it is as it was before. */
export function createReader<T>(path: string): () => Promise<T | undefined> {
  let tag = ''
  return async () => {
    const response = await reach(path, { headers: tag ? { 'if-none-match': tag } : {}, cache: 'no-store' })
    if (response.status === 304) return undefined
    const text = await response.text()
    if (!response.ok) throw new Declined(sentenceOf(text, response.status))
    tag = response.headers.get('etag') ?? ''
    return JSON.parse(text) as T
  }
}

/**
 * Puts a whole state, one change after the other: each is made from what the change before it left, so that of two
 * quick ones neither undoes the other, however long the answers take.
 */
export function createWriter<T>(path: string, change: (state: T) => void): (make: () => unknown) => Promise<void> {
  let before: Promise<unknown> = Promise.resolve()
  return make => {
    const turn = before.then(async () => change(await ask<T>('PUT', path, make())))
    before = turn.catch(() => {})
    return turn
  }
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch {
    dispatchEvent(new Event('unreached'))
    throw new Declined('The mock does not answer. It may have been stopped.')
  }
}

function sentenceOf(text: string, status: number): string {
  try {
    return (JSON.parse(text) as { error: string }).error
  } catch {
    return `The control plane answered ${status}.`
  }
}
