import { wrapAnsi } from 'fast-wrap-ansi'

/** Wraps a line between words at the width of a terminal; its further lines are indented. A longer word stays whole. */
export const wrap = (line: string, columns: number, indent = 4): string =>
  columns === Number.POSITIVE_INFINITY
    ? line
    : wrapAnsi(line, Math.max(20, columns - indent), { trim: false, wordWrap: true, hard: false })
        .split('\n')
        .map((part, index) => (index === 0 ? part.trimEnd() : `${' '.repeat(indent)}${part.trim()}`))
        .join('\n')
