import { readFileSync } from 'node:fs'
import peggy from 'peggy'
import { grammars } from './grammars.ts'

/** Generates the parsers on demand. The build replaces this module by the generated code, without Peggy. */
function parserOf(name: keyof typeof grammars): (text: string, options: object) => unknown {
  const { file, options } = grammars[name]
  let parser: peggy.Parser | undefined
  return (text, more) => {
    parser ??= peggy.generate(readFileSync(new URL(file, import.meta.url), 'utf8'), options as peggy.ParserBuildOptions)
    return parser.parse(text, more)
  }
}

export const parsers = { lucene: parserOf('lucene'), sql: parserOf('sql') }
