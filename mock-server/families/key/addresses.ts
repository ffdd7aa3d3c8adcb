import { invalidAt } from '../../words/refusal.ts'

/**
 * Whether a list of addresses and ranges of IPv4 and IPv6 has an address. An unknown address, of a call without a
 * connection, is in every list except an empty one.
 */
export function allows(list: readonly { readonly source: string }[], address: string | undefined): boolean {
  if (address === undefined) return list.length > 0
  // Checked first, because most lists have such a range, and parsing an address costs a fifth of a call.
  if (list.some(({ source }) => source === '0.0.0.0/0' || source === '::/0')) return true
  const caller = bitsOf(address) ?? ''
  return list.some(({ source }) => caller.startsWith(prefixOf(source) ?? ' '))
}

/** Refuses a list with an entry that is neither an address nor a range; `path` is the path of the list in the body. */
export function refuseUnlessRanges(path: readonly string[], list: readonly { readonly source: string }[] = []): void {
  const index = list.findIndex(({ source }) => prefixOf(source) === undefined)
  if (index < 0) return
  const sentence = 'Expected an IP address or a range in CIDR notation'
  throw invalidAt([...path, index, 'source'], sentence, list[index]!.source)
}

/** The bits that the addresses of a range begin with. */
function prefixOf(source: string): string | undefined {
  const [base = '', length, ...rest] = source.trim().split('/')
  const bits = bitsOf(base)
  if (bits === undefined || rest.length > 0) return undefined
  if (length === undefined) return bits
  return /^\d{1,3}$/.test(length) && Number(length) < bits.length ? bits.slice(0, 1 + Number(length)) : undefined
}

/** The IP version and the bits of an address. Node writes `::ffff:` before IPv4 addresses on a socket for both versions. */
function bitsOf(address: string): string | undefined {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  return plain.includes(':') ? bitsOfIpv6(plain) : joinBits('4', plain.split('.'), 4, /^\d{1,3}$/, 10, 8)
}

function bitsOfIpv6(address: string): string | undefined {
  const halves = address.split('::').map(half => (half === '' ? [] : half.split(':')))
  const [head = [], tail] = halves
  if (halves.length > 2 || (tail && head.length + tail.length > 7)) return undefined
  const groups = tail ? [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail] : head
  return joinBits('6', groups, 8, /^[0-9a-f]{1,4}$/, 16, 16)
}

function joinBits(
  version: string,
  parts: readonly string[],
  count: number,
  pattern: RegExp,
  radix: number,
  size: number,
): string | undefined {
  const numbers = parts.map(part => (pattern.test(part) ? Number.parseInt(part, radix) : Number.NaN))
  if (parts.length !== count || !numbers.every(number => number < 2 ** size)) return undefined
  return version + numbers.map(number => number.toString(2).padStart(size, '0')).join('')
}
