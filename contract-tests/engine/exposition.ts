import type { Finding } from './check.ts'

/** The text format of Prometheus, version 0.0.4, read strictly. */

const label = '[a-zA-Z_]\\w*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
const sample = new RegExp(`^([a-zA-Z_:][\\w:]*)(?:\\{((?:${label}(?:,${label})*)?),?\\})? (\\S+)(?: -?\\d+)?$`)
const value = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?Inf|NaN)$/i
const meta = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.*)$/
const types = ['counter', 'gauge', 'histogram', 'summary', 'untyped']

interface Exposition {
  readonly families: ReadonlySet<string>
  /** Families whose samples have no type or no help. */
  readonly undescribed: readonly string[]
  /** By name and labels. */
  readonly counters: ReadonlyMap<string, number>
  readonly finding?: Finding
}

/** Reads metrics up to the first wrong line. A family is one group, typed before its samples; each sample is unique. */
export function readExposition(text: string): Exposition {
  const families = new Set<string>()
  const typed = new Map<string, string>()
  const helped = new Set<string>()
  const sampled = new Set<string>()
  const counters = new Map<string, number>()
  const seen = new Set<string>()
  let current: string | undefined
  const wrongIn = (line: string): string | undefined => {
    const enter = (name: string) => {
      const isTornApart = name !== current && families.has(name)
      families.add(name)
      current = name
      return isTornApart ? 'all lines of a family together' : undefined
    }
    const described = meta.exec(line)
    if (described) {
      const [, kind, name = '', rest = ''] = described
      const isKnown = families.has(name) && kind === 'TYPE' && typed.has(name)
      if (kind === 'TYPE' && (isKnown || !types.includes(rest))) return `one type, of ${types.join(', ')}`
      if (kind === 'TYPE') typed.set(name, rest)
      else helped.add(name)
      return enter(name)
    }
    if (line === '' || line.startsWith('#')) return undefined
    const [, name = '', labels = '', number = ''] = sample.exec(line) ?? []
    if (!value.test(number)) return 'a sample: name{label="value"} number'
    const pairs = labels.match(new RegExp(label, 'g')) ?? []
    const series = `${name}{${pairs.sort().join()}}`
    if (new Set(pairs.map(pair => pair.split('=')[0])).size < pairs.length) return 'each label once'
    if (seen.has(series)) return 'each sample once'
    seen.add(series)
    const base = name.replace(/_(bucket|sum|count)$/, '')
    const family = /histogram|summary/.test(typed.get(base) ?? '') ? base : name
    if (typed.get(family) === 'counter') counters.set(series, Number(number))
    sampled.add(family)
    return enter(family)
  }
  const read = () => ({
    families,
    counters,
    undescribed: [...sampled].filter(family => !typed.has(family) || !helped.has(family)),
  })
  const lines = text.split('\n')
  const last = lines.pop()
  if (last) return { ...read(), finding: { expected: 'a line feed after the last line', got: last } }
  for (const [index, line] of lines.entries()) {
    const expected = wrongIn(line)
    if (expected) return { ...read(), finding: { path: `line ${index + 1}`, expected, got: line } }
  }
  return read()
}
