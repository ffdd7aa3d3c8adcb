/** Texts as bytes, of which the newest overwrite the oldest. Positions count all bytes that were ever kept. */
export interface TextRing {
  /** Keeps a text and returns the position where it begins; it ends at `end`. */
  keep(text: string): number
  readonly end: number
  /** The text between two positions; undefined when it was overwritten. */
  read(start: number, end: number): string | undefined
}

/** In bytes: what a world that is hardly called takes. */
const least = 1024
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Makes a ring of `most` bytes at most; a text may have a third as many characters. A text that is kept as it is would be
 * copied twice by V8 before it lets it lie, which is up to a tenth of what a read takes.
 */
export function createTextRing(most: number): TextRing {
  let bytes = new Uint8Array(Math.min(least, most))
  let end = 0

  function grow() {
    const longer = new Uint8Array(Math.min(2 * bytes.length, most))
    longer.set(bytes)
    bytes = longer
  }
  return {
    get end() {
      return end
    },
    keep(text) {
      const room = 3 * text.length
      while (end + room > bytes.length && bytes.length < most) grow()
      const left = bytes.length - (end % bytes.length)
      // A text lies in one piece: what does not fit at the end begins anew.
      if (room > left) end += left
      const start = end
      end += encoder.encodeInto(text, bytes.subarray(start % bytes.length)).written
      return start
    },
    read(start, until) {
      if (start < end - bytes.length) return undefined
      const at = start % bytes.length
      return decoder.decode(bytes.subarray(at, at + until - start))
    },
  }
}
