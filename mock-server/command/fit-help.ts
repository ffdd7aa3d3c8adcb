import { wrapAnsi } from 'fast-wrap-ansi'

/** Longer lines are hard to read. */
const MAX_COLUMNS = 100

/**
 * Fits a help text to the width of the terminal: joins the lines of each paragraph and wraps them between words. Each line of
 * a table, whose columns are two spaces apart, is a paragraph of its own, with the lines that begin where its text begins.
 */
export function fitHelp(text: string, columns = 80): string {
  const paragraphs: { lead: string; text: string }[] = []
  for (const line of text.split('\n')) {
    const [start = ''] = /^ */.exec(line)!
    const last = paragraphs.at(-1)
    // A usage begins a line.
    const isContinued =
      last?.text &&
      line &&
      !line.startsWith('stack-parity ') &&
      start.length === last.lead.length &&
      (start === '' || /\S/.test(last.lead))
    if (isContinued) last.text += ` ${line.trim()}`
    else {
      const [lead = ''] = /^ *(?:\S+(?: \S+)* {2,})?/.exec(line)!
      paragraphs.push({ lead, text: line.slice(lead.length) })
    }
  }
  const width = Math.min(MAX_COLUMNS, columns)
  return paragraphs
    .map(({ lead, text }) => {
      // A command has to be copied.
      if (/^ *$/.test(lead) && text.startsWith('stack-parity ')) return lead + text
      const lines = wrapAnsi(text, Math.max(20, width - lead.length), { hard: false }).split('\n')
      return lead + lines.join(`\n${' '.repeat(lead.length)}`)
    })
    .join('\n')
}
