import type { TextFormat, ValueUsage } from '../../../fixtures/usage.ts'
import type { Change } from '../document/change.ts'

/**
 * Whether a change affects values that were sent. Where the usage does not have enough of them to tell, such as texts and a
 * pattern, it does.
 */
export function isAffected({ what, kind, side, was, is }: Change, value: ValueUsage): boolean {
  // What is wider or neutral affects all that is sent there.
  if (kind !== 'breaking') return true
  const { types, values = [], texts, range } = value
  const isText = types.includes('string') || texts !== undefined
  switch (what) {
    case 'type':
      return !types.every(type => isAllowed(type, String(is).split(' | '), side === 'parameter'))
    case 'null':
      return types.includes('null')
    case 'format':
      return isText ? !hasFormats(texts, String(is)) : !isNumberOfFormat(range, String(is))
    case 'values-gone':
      return texts !== undefined || hasAny(value, was as readonly string[])
    case 'values-listed': {
      const listed = is as readonly string[]
      return texts !== undefined || values.some(one => !listed.includes(String(one))) || isBeyond(range, listed)
    }
    case 'pattern':
      return texts !== undefined || values.some(one => !matches(String(is), String(one)))
    case 'multipleOf':
      return is !== 1 || types.includes('number')
    case 'uniqueItems':
    case 'minProperties':
    case 'maxProperties':
      return true
  }
  const bound = /^(exclusiveM|m)(in|ax)(imum|Length|Items)$/.exec(what)
  if (!bound || typeof is !== 'number') return true
  const [, start, end, of] = bound
  const extent = of === 'imum' ? range : (value.length ?? lengthsOf(value))
  if (extent === undefined) return of !== 'imum' || types.includes('number') || types.includes('integer')
  const isExclusive = start !== 'm'
  return end === 'in'
    ? extent[0] < is || (isExclusive && extent[0] === is)
    : extent[1] > is || (isExclusive && extent[1] === is)
}

/** A parameter is a text by nature: its schema says how the text is read. */
const isAllowed = (type: string, allowed: readonly string[], isParameter: boolean) =>
  allowed.some(
    one =>
      one === 'any' ||
      one === type ||
      (one === 'number' && type === 'integer') ||
      (isParameter && /string|array/.test(one)),
  )

const formatNames: Readonly<Record<string, TextFormat>> = {
  uuid: 'uuid',
  email: 'email',
  date: 'date',
  uri: 'uri',
  'date-time': 'date-time',
}

const hasFormats = (texts: ValueUsage['texts'], format: string) =>
  format in formatNames && texts !== undefined && texts.every(text => text === formatNames[format])

function isNumberOfFormat(range: ValueUsage['range'], format: string): boolean {
  if (/^(?:double|float|int64)$/.test(format)) return true
  return format === 'int32' && (range === undefined || (range[0] >= -(2 ** 31) && range[1] < 2 ** 31))
}

const hasAny = ({ values = [], range }: ValueUsage, gone: readonly string[]) =>
  values.some(one => gone.includes(String(one))) ||
  (range !== undefined && gone.some(one => Number(one) >= range[0] && Number(one) <= range[1]))

const isBeyond = (range: ValueUsage['range'], listed: readonly string[]) =>
  range !== undefined && !range.every(number => listed.includes(String(number)))

/** Texts whose lengths are unknown, such as secrets, may have any. */
const lengthsOf = ({ values, texts }: ValueUsage): readonly [number, number] | undefined => {
  const lengths = (values ?? []).map(one => String(one).length)
  return texts === undefined && lengths.length > 0 ? [Math.min(...lengths), Math.max(...lengths)] : undefined
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return false
  }
}
