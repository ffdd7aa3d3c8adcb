import type { ValueUsage } from '../../../fixtures/usage.ts'
import type { Change, Location } from '../document/change.ts'

/** The most values of an enum that a sentence names. */
const MAX_VALUES = 8

/** The least change of a request that the new document accepts, in one sentence; undefined where none follows. */
export function suggestFix(change: Change, sent: ValueUsage | undefined): string | undefined {
  const { side, what, kind, is, at } = change
  if (kind !== 'breaking') return undefined
  if (side === 'operation') return what === 'scope-new' ? `Give the key the permission ${listWords(is)}.` : undefined
  if (side === 'answer' || !at) return undefined
  const place = at.path === '$' ? 'a body' : at.path.replace(/^query\./, 'the parameter ')
  const values = valuesOf(at)
  switch (what) {
    case 'required':
    case 'new-required':
      return `Send ${place}${describeTaken(at)}.`
    case 'gone':
      return at.path.startsWith('path.') ? undefined : `Leave out ${place}.`
    case 'null':
      return `Send ${place}${describeTaken(at)}, or leave it out, instead of null.`
    case 'type':
      return `Send ${place} as ${String(is).split(' | ').join(' or ')}.`
    case 'format':
      return `Send ${place} in the format ${String(is)}.`
    case 'values-gone': {
      const gone = (change.was as readonly string[]).filter(one => sent?.values?.some(value => String(value) === one))
      const instead = values ? `: ${listValues(values)}` : ''
      return `Send another value for ${place}${gone.length > 0 ? ` than ${listValues(gone)}` : ''}${instead}.`
    }
    case 'values-listed':
      return `Send for ${place} only ${listValues(is as readonly string[])}.`
    case 'media-type-gone':
      return is ? `Send the body as ${String(is)}.` : undefined
    case 'pattern':
      return `Send for ${place} a text that matches ${String(is)}.`
    case 'multipleOf':
      return is === 1 ? `Send a whole number for ${place}.` : `Send a multiple of ${is} for ${place}.`
  }
  const bound = /^(exclusiveM|m)(in|ax)(imum|Length|Items)$/.exec(what)
  if (!bound) return undefined
  const [, start, end, of] = bound
  const limit = end === 'in' ? (start === 'm' ? 'at least' : 'more than') : start === 'm' ? 'at most' : 'less than'
  const unit = of === 'Length' ? ' characters' : of === 'Items' ? ' items' : ''
  return `Send ${limit} ${is}${unit} for ${place}.`
}

const valuesOf = ({ takes }: Location) => takes?.().values

function describeTaken({ takes }: Location): string {
  const { type, values } = takes?.() ?? {}
  if (values) return ` (${listValues(values)})`
  return type === undefined || type === 'any' ? '' : ` (${type})`
}

function listValues(values: readonly string[]): string {
  const more = values.length - MAX_VALUES
  const named = values.slice(0, MAX_VALUES).map(value => JSON.stringify(value))
  return more > 0 ? `${named.join(', ')} or one of ${more} more` : named.join(', ').replace(/, (?=[^,]*$)/, ' or ')
}

const listWords = (value: unknown) => (Array.isArray(value) ? value.join(', ') : String(value))
