import type { Finding } from './check.ts'

/** The text format of Prometheus, version 0.0.4, read strictly. */

const label = '[a-zA-Z_]\\w*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
const sample = new RegExp(`^([a-zA-Z_:][\\w:]*)(?:\\{((?:${label}(?:,${label})*)?),?\\})? (\\S+)(?: -?\\d+)?$`)
const value = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?Inf|NaN)$/i
const meta = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.*)$/
const types = ['counter', 'gauge', 'histogram', 'summary', 'untyped']

/** The families of a text, and the first line that is wrong: a family is one group, typed before its samples, each there once. */
export function readExposition(text: string): { readonly families: ReadonlySet<string>; readonly wrong?: Finding } {
  const families = new Set<string>()
  const typed = new Map<string, string>()
  const seen = new Set<string>()
  let current: string | undefined
  const wrongIn = (line: string): string | undefined => {
    const enter = (name: string) => {
      const isTornApart = name !== current && families.has(name)
      families.add(name)
      current = name
      return isTornApart ? 'all lines of a family together' : undefined
    }
    const told = meta.exec(line)
    if (told) {
      const [, kind, name = '', rest = ''] = told
      const isKnown = families.has(name) && kind === 'TYPE' && typed.has(name)
      if (kind === 'TYPE' && (isKnown || !types.includes(rest))) return `one type, of ${types.join(', ')}`
      if (kind === 'TYPE') typed.set(name, rest)
      return enter(name)
    }
    if (line === '' || line.startsWith('#')) return undefined
    const [, name = '', labels = '', number = ''] = sample.exec(line) ?? []
    if (!value.test(number)) return 'a sample: name{label="value"} number'
    if (seen.has(`${name}{${labels}`)) return 'each sample once'
    seen.add(`${name}{${labels}`)
    const base = name.replace(/_(bucket|sum|count)$/, '')
    return enter(/histogram|summary/.test(typed.get(base) ?? '') ? base : name)
  }
  const lines = text.split('\n')
  // The last line has an end, too.
  const last = lines.pop()
  if (last) return { families, wrong: { expected: 'a line feed after the last line', got: last } }
  for (const [index, line] of lines.entries()) {
    const expected = wrongIn(line)
    if (expected) return { families, wrong: { path: `line ${index + 1}`, expected, got: line } }
  }
  return { families }
}
