import { parseDocument as parseYaml } from 'yaml'
import { readJsonText, UsageError } from '../../engine/target/target.ts'

/** The bound against YAML bombs: nested aliases multiply. */
const MAX_ALIASES = 1000

/** Reads JSON or YAML. @throws UsageError with a sentence if the text is neither. */
export function parseDocument(text: string): unknown {
  if (/^\uFEFF?\s*(?:\{|$)/.test(text)) return readJsonText(text)
  const document = parseYaml(text, { prettyErrors: true })
  const [error] = document.errors
  if (error) throw new UsageError(`it is neither JSON nor YAML (${firstLine(error)}).`)
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch (error) {
    throw new UsageError(`it is no YAML that can be read (${firstLine(error as Error)}).`)
  }
}

const firstLine = ({ message }: Error) => message.split('\n')[0]!.replace(/[:.]$/, '')
