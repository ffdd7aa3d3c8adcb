/** A weak entity tag: the length of a text and its 32-bit FNV-1a hash. */
export function weakTag(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return `W/"${text.length.toString(16)}-${(hash >>> 0).toString(36)}"`
}
