import { readFileSync } from 'node:fs'
import peggy from 'peggy'
import { grammars } from './grammars.ts'

/** Generates the parsers on demand. The build replaces this module by the generated code, without Peggy. */
function createParser(name: keyof typeof grammars): (text: string, options: object) => unknown {
  const { file, options } = grammars[name]
  let parser: peggy.Parser | undefined
  return (text, parserOptions) => {
    parser ??= peggy.generate(readFileSync(new URL(file, import.meta.url), 'utf8'), options as peggy.ParserBuildOptions)
    return parser.parse(text, parserOptions)
  }
}

export const parsers = { lucene: createParser('lucene'), sql: createParser('sql') }
