/** The text of a file that a person, an editor or a shell wrote: in UTF-8 or UTF-16, with or without a byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  // JSON begins with ASCII: a zero beside it means UTF-16.
  if (first === 0xfe || first === 0) return new TextDecoder('utf-16be').decode(bytes)
  if (first === 0xff || second === 0) return new TextDecoder('utf-16le').decode(bytes)
  return new TextDecoder().decode(bytes)
}
