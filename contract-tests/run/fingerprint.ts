import { isObject } from '../engine/recognise.ts'
import type { Drift } from '../report/report.ts'

/** Twelve hexadecimal digits that identify a difference, the same on every machine and in a browser. */
export function fingerprint({ part, kind, id, was, is }: Omit<Drift, 'fingerprint'>): string {
  return hash(JSON.stringify([part, kind, id, normalise(was), normalise(is)]))
}

/** The fingerprint of a difference, and that of earlier versions, which called the end of an optional field neutral. */
export const fingerprintsOf = (drift: Drift): readonly string[] =>
  drift.part === 'document' && drift.kind === 'breaking' && /^answer\/.*\/gone$/.test(drift.id)
    ? [drift.fingerprint, fingerprint({ ...drift, kind: 'neutral' })]
    : [drift.fingerprint]

/** Sorts breaking differences first, then additive ones. */
export const compareKinds = (a: Drift, b: Drift): number => kinds.indexOf(a.kind) - kinds.indexOf(b.kind)

const kinds: readonly Drift['kind'][] = ['breaking', 'additive', 'neutral']

/** Sorts keys, and treats `undefined` as a JSON file does: left out of objects, else null. */
function normalise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalise)
  if (!isObject(value)) return value ?? null
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, normalise(item)]))
}

/** cyrb53, widened to 64 bits and cut to 48: not cryptographic, but free of collisions in practice. */
function hash(text: string): string {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  const first = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  const second = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  const hex = [second, first].map(part => (part >>> 0).toString(16).padStart(8, '0'))
  return hex.join('').slice(0, 12)
}
