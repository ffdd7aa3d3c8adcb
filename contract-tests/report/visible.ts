const unseen = /\r(?!\n)|[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu

/** Escapes control codes, direction overrides, zero-width characters and lone surrogates, but not tabs and line breaks. */
export const showUnseen = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(unseen, char => (char === '\n' || char === '\t' ? char : `\\u{${char.codePointAt(0)!.toString(16)}}`))

export const onOneLine = (text: string): string => showUnseen(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')

export const shorten = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest)}…` : text
