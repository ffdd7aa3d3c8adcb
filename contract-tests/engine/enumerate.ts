/** Words in a sentence: `a, b and c`. */
export const enumerate = (words: readonly string[]): string => words.join(', ').replace(/, ([^,]+)$/, ' and $1')
