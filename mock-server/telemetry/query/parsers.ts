import { readFileSync } from 'node:fs'
import peggy from 'peggy'
import { grammars } from './grammars.ts'

/**
 * Generates the parsers when the sources run unbuilt. The build (.ci/build.mjs) replaces this module by the generated
 * parsers, so that the package does not contain Peggy.
 */
function parserOf(name: keyof typeof grammars): (text: string, options: object) => unknown {
  const { file, options } = grammars[name]
  let parser: peggy.Parser | undefined
  return (text, more) => {
    parser ??= peggy.generate(readFileSync(new URL(file, import.meta.url), 'utf8'), options as peggy.ParserBuildOptions)
    return parser.parse(text, more)
  }
}

export const parsers = { lucene: parserOf('lucene'), sql: parserOf('sql') }
