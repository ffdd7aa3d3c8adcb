const mostHeld = 32 * 1024 * 1024

/** Texts that are answered again and again are the same string, so their tags are found without reading them. */
const known = new Map<string, string>()
let held = 0

export function rememberedTag(text: string): string {
  const found = known.get(text)
  if (found !== undefined) return found
  const tag = weakTag(text)
  held += text.length
  if (held > mostHeld) {
    known.clear()
    held = text.length
  }
  known.set(text, tag)
  return tag
}

/** A weak entity tag: the length of a text and a hash of 53 bits. */
export function weakTag(text: string): string {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  const mixed = 4294967296 * (2097151 & low) + (high >>> 0)
  return `W/"${text.length.toString(16)}-${mixed.toString(36)}"`
}
