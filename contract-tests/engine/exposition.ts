import type { Finding } from './check.ts'

/** The text format of Prometheus, version 0.0.4, read strictly. */

const label = '[a-zA-Z_]\\w*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
const labelPattern = new RegExp(label, 'g')
const samplePattern = new RegExp(`^([a-zA-Z_:][\\w:]*)(?:\\{((?:${label}(?:,${label})*)?),?\\})? (\\S+)(?: -?\\d+)?$`)
const numberPattern = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?Inf|NaN)$/i
const metaPattern = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.*)$/
const types = ['counter', 'gauge', 'histogram', 'summary', 'untyped']

interface Exposition {
  readonly families: ReadonlySet<string>
  /** Families whose samples have no type or no help. */
  readonly undescribed: readonly string[]
  /** By name and labels. */
  readonly counters: ReadonlyMap<string, number>
  readonly finding?: Finding
}

/** Reads metrics up to the first wrong line. All lines of a family must stand together, and no sample may occur twice. */
export function readExposition(text: string): Exposition {
  const families = new Set<string>()
  const typed = new Map<string, string>()
  const helped = new Set<string>()
  const sampled = new Set<string>()
  const counters = new Map<string, number>()
  const seen = new Set<string>()
  let current: string | undefined
  /** Returns what should stand in place of a wrong line. */
  const findExpected = (line: string): string | undefined => {
    const enterFamily = (name: string) => {
      const isInterrupted = name !== current && families.has(name)
      families.add(name)
      current = name
      return isInterrupted ? 'all lines of a family together' : undefined
    }
    const described = metaPattern.exec(line)
    if (described) {
      const [, kind, name = '', text = ''] = described
      if (kind === 'TYPE' && sampled.has(name)) return 'the type of a family before its samples'
      const isTypedAgain = families.has(name) && kind === 'TYPE' && typed.has(name)
      if (kind === 'TYPE' && (isTypedAgain || !types.includes(text))) return `one type, of ${types.join(', ')}`
      if (kind === 'TYPE') typed.set(name, text)
      else helped.add(name)
      return enterFamily(name)
    }
    if (line === '' || line.startsWith('#')) return undefined
    const [, name = '', labels = '', number = ''] = samplePattern.exec(line) ?? []
    if (!numberPattern.test(number)) return 'a sample: name{label="value"} number'
    const pairs = labels.match(labelPattern) ?? []
    const series = `${name}{${pairs.sort().join()}}`
    if (new Set(pairs.map(pair => pair.split('=')[0])).size < pairs.length) return 'each label once'
    if (seen.has(series)) return 'each sample once'
    seen.add(series)
    const base = name.replace(/_(bucket|sum|count)$/, '')
    const family = /histogram|summary/.test(typed.get(base) ?? '') ? base : name
    if (typed.get(family) === 'counter') counters.set(series, Number(number))
    sampled.add(family)
    return enterFamily(family)
  }
  const summarise = () => ({
    families,
    counters,
    undescribed: [...sampled].filter(family => !typed.has(family) || !helped.has(family)),
  })
  const lines = text.split('\n')
  const lastLine = lines.pop()
  if (lastLine) return { ...summarise(), finding: { expected: 'a line feed after the last line', got: lastLine } }
  for (const [index, line] of lines.entries()) {
    const expected = findExpected(line)
    if (expected) return { ...summarise(), finding: { path: `line ${index + 1}`, expected, got: line } }
  }
  return summarise()
}
