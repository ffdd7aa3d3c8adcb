/** Whether a list of addresses and ranges has an address. Ranges are of IPv4; `0.0.0.0/0` and `::/0` are all addresses. */
export function allows(list: readonly { readonly source: string }[], address: string): boolean {
  // Node writes an IPv4 caller of a socket that takes both kinds so.
  const caller = address.toLowerCase().replace(/^::ffff:/, '')
  return list.some(({ source }) => covers(source.trim().toLowerCase(), caller))
}

function covers(source: string, caller: string): boolean {
  if (source === caller || source === '0.0.0.0/0' || source === '::/0') return true
  const [base = '', length = '32'] = source.split('/')
  const [from, at] = [numberOf(base), numberOf(caller)]
  if (from === undefined || at === undefined || !/^\d{1,2}$/.test(length) || Number(length) > 32) return false
  const size = 2 ** (32 - Number(length))
  return Math.floor(from / size) === Math.floor(at / size)
}

function numberOf(address: string): number | undefined {
  const parts = address.split('.')
  if (parts.length !== 4 || !parts.every(part => /^\d{1,3}$/.test(part) && Number(part) < 256)) return undefined
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0)
}
