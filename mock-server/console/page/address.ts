/** An address of the page is `#/view/word/word`: the view that is shown, and what of it. */
export interface Address {
  readonly view: string
  readonly words: readonly string[]
}

export function readAddress(hash: string): Address {
  const [view = '', ...words] = hash.slice(2).split('/').map(decode)
  return { view, words }
}

export const pageAddress = (...words: readonly string[]): string => `#/${words.map(encodeURIComponent).join('/')}`

function decode(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}
