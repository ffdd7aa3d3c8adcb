/** A new UUIDv4 for every request: the only part of an answer that does not depend on the seed. */
export function newRequestId(): string {
  return randomUUID ? randomUUID() : assemble(crypto.getRandomValues(new Uint8Array(16)))
}

// crypto.randomUUID exists in secure contexts only.
const randomUUID = typeof crypto.randomUUID === 'function' ? () => crypto.randomUUID() : undefined

function assemble(bytes: Uint8Array): string {
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const digits = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
