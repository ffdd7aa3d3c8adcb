/** Initial size in bytes, which suffices for a world with few calls. */
const initialBytes = 1024
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * A ring buffer of texts as UTF-8, of at most `max` bytes; a text may have at most a third as many characters.
 * Positions count all bytes ever written. V8's garbage collector would copy strings twice, which takes up to a tenth of
 * the time of a read.
 */
export function createTextRing(max: number) {
  let bytes = new Uint8Array(Math.min(initialBytes, max))
  let end = 0

  function grow() {
    const longer = new Uint8Array(Math.min(2 * bytes.length, max))
    longer.set(bytes)
    bytes = longer
  }
  return {
    get end() {
      return end
    },
    /** Stores a text and returns its start position; it ends at `end`. */
    keep(text: string): number {
      const maxBytes = 3 * text.length
      while (end + maxBytes > bytes.length && bytes.length < max) grow()
      const left = bytes.length - (end % bytes.length)
      // A text is stored contiguously: if it does not fit at the end, it is written at the beginning.
      if (maxBytes > left) end += left
      const start = end
      end += encoder.encodeInto(text, bytes.subarray(start % bytes.length)).written
      return start
    },
    /** The text between two positions; undefined if it was overwritten. */
    read(start: number, until: number): string | undefined {
      if (start < end - bytes.length) return undefined
      const at = start % bytes.length
      return decoder.decode(bytes.subarray(at, at + until - start))
    },
  }
}
