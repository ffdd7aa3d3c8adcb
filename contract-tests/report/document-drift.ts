import { groupBy } from '../engine/group-by.ts'
import { renderValue } from './outline.ts'
import type { Drift } from './report.ts'
import { shorten } from './visible.ts'

const MAX_VALUE_CHARACTERS = 200

/** Differences of one kind that the same operations or one family have. */
export interface DriftLine {
  readonly kind: Drift['kind']
  readonly family: string
  /** The first operation and the number of others; only for breaking differences. */
  readonly where?: string
  readonly text: string
  /** The differences that the text names, and the number of further ones. */
  readonly drift: readonly Drift[]
  readonly more: number
}

/** The phrase for each kind of difference, which precedes the list of places. */
const phrases: Readonly<Record<string, string>> = {
  gone: 'gone',
  new: 'new',
  'new-required': 'new and required',
  required: 'now required',
  optional: 'now optional',
  type: 'type',
  format: 'format',
  'values-new': 'new values',
  'values-gone': 'values gone',
  'values-open': 'any value now',
  'values-listed': 'only these values now',
  'alternatives-new': 'new alternatives',
  'alternatives-gone': 'alternatives gone',
  'media-type-gone': 'media type gone',
  'media-type-new': 'new media type',
  'status-gone': 'success status gone',
  'status-new': 'new success status',
  security: 'authentication',
  'scope-new': 'needs further permissions',
  'scope-gone': 'needs fewer permissions',
  'scopes-documented': 'permissions are documented for the first time',
  'references-unread': 'references that lead nowhere',
}

/** Differences that need no values besides their name. */
const selfExplanatory = /^(?:gone|new|new-required|required|optional|deprecated|null|scopes-documented)$/

/**
 * The drift of documents as lines of text: each breaking difference, then the others by family and kind. A line names the
 * first `most` of its differences.
 */
export function renderDocumentDrift(drift: readonly Drift[], most = Number.POSITIVE_INFINITY): readonly DriftLine[] {
  const ofDocuments = drift.filter(({ part }) => part === 'document')
  const lines = groupBy(ofDocuments, one =>
    JSON.stringify(
      one.kind === 'breaking' ? [one.kind, one.family, one.operations, aspectOf(one)] : [one.kind, one.family],
    ),
  )
  return [...lines.values()].map(same => toLine(same, most))
}

/** The side of a change, where it lies, and what it is, such as `gone`. */
export function partsOf({ id }: Drift) {
  const [side, what] = [id.slice(0, id.indexOf('/')), id.slice(id.lastIndexOf('/') + 1)]
  return { side, what, place: id.slice(side.length + 1, -what.length - 1) }
}

/** Differences of one aspect share a line; all bounds are one aspect. */
function aspectOf(drift: Drift): string {
  const { side, what } = partsOf(drift)
  return `${side} ${phraseFor(drift.kind, side, what)}`
}

const phraseFor = (kind: Drift['kind'], side: string, what: string): string => {
  if (/^(?:max|min|exclusiveM|multipleOf|uniqueItems|pattern)/.test(what)) return 'bounds'
  if (side === 'answered' && what === 'required') return 'without'
  if (what !== 'null') return phrases[what] ?? what
  if (side === 'answer') return kind === 'breaking' ? 'may be null' : 'never null now'
  return kind === 'breaking' ? 'null refused' : 'null taken'
}

function toLine(all: readonly Drift[], most: number): DriftLine {
  const [{ kind, family = '', operations = [] }] = all as [Drift]
  const aspects = groupBy(all, aspectOf)
  const named = [...aspects.values()].flat().slice(0, most)
  const texts = [...groupBy(named, aspectOf)].map(([aspect, same]) => {
    const count = aspects.get(aspect)!.length
    const about =
      partsOf(same[0]!).side === 'operation' ? same.map(one => aboutOperation(one, kind)).join(', ') : listPlaces(same)
    const lead = aspect.replace(/^(?:operation|document) /, '')
    return `${lead}${count > 1 ? ` (${count})` : ''}${about ? `: ${about}` : ''}`
  })
  const others = operations.length - 1
  const where = operations[0] && `${labelOf(operations[0])}${others > 0 ? ` and ${others} more` : ''}`
  return {
    kind,
    family,
    ...(kind === 'breaking' && { where }),
    text: texts.join('; '),
    drift: named,
    more: all.length - named.length,
  }
}

/** A difference of an operation itself. The line of a breaking difference already names the operation. */
const aboutOperation = (drift: Drift, kind: Drift['kind']) =>
  [...(kind === 'breaking' ? [] : (drift.operations ?? []).map(labelOf)), changeOf(drift)].filter(Boolean).join(' ')

type AffectedOperation = NonNullable<Drift['operations']>[number]

/** The label of an operation, without the beginning that all paths of the vendor have in common. */
const labelOf = ({ id, method, path }: AffectedOperation) =>
  `${id} ${method} ${path.replace(/^\/v1\/organizations\/\{[^}]*\}(?:\/services\/\{[^}]*\}(?=\/))?(?=\/)/, '…')}`

/** Lists places with their old and new values, followed by the name of the component that contains them. */
function listPlaces(drift: readonly Drift[]): string {
  const split = drift.map(one => {
    const { place, what } = partsOf(one)
    // `Service.profile` is below a component, `key.list:query.cursor` below an operation.
    const [, holder = '', field = ''] = /^([^:]*):(.*)$/s.exec(place) ?? /^([^.([]+)\.?(.*)$/s.exec(place) ?? []
    const bound = phraseFor(one.kind, '', what) === 'bounds' ? what : ''
    const isNamed = place.includes(':') && one.kind === 'breaking'
    return { holder: isNamed ? '' : holder, text: [field, bound, changeOf(one)].filter(Boolean).join(' ') }
  })
  return [...groupBy(split, ({ holder }) => holder)]
    .map(([holder, places]) => {
      const texts = places
        .map(({ text }) => text)
        .filter(Boolean)
        .join(', ')
      return texts && holder ? `${texts} (${holder})` : texts || holder
    })
    .join('; ')
}

function changeOf(drift: Drift): string {
  const { was, is } = drift
  const { what } = partsOf(drift)
  if (selfExplanatory.test(what) && !drift.id.startsWith('answered/')) return ''
  if (what === 'required') return ''
  const texts = [was, is].map(value => (value === null ? '' : shorten(renderValue(value), MAX_VALUE_CHARACTERS)))
  if (/^(?:new$|values-|alternatives-|scope-|media-type-|references-)/.test(what))
    return texts.filter(Boolean).join(' → ')
  return texts.map(text => text || 'none').join(' → ')
}
