import { existsSync, readdirSync } from 'node:fs'
import { nearest } from '../engine/target/nearest.ts'
import { UsageError } from '../engine/target/target.ts'
import { type Baseline, parseBaseline } from '../run/baseline.ts'
import { readWith } from './files.ts'
import type { Given } from './options.ts'
import type { CommandContext } from './run.ts'
import { ruleIds } from './selection.ts'

/** `--baseline` and `--known-broken`: files, or those that the package ships. */

/** A list by the name of a file, or by the name of one that the package ships. */
export function readKnownBroken(given: Given, { baselines }: CommandContext): readonly string[] {
  const file = readShipped('known-broken', '.known-broken.txt', given, baselines)
  if (!file) return []
  return readWith('--known-broken', file, text =>
    text.split('\n').flatMap((line, index) => {
      const id = line.replace(/#.*$/, '').trim()
      if (id === '') return []
      if (ruleIds.includes(id)) return [id]
      const near = nearest(id, ruleIds)
      throw new UsageError(
        `line ${index + 1} names ${JSON.stringify(id)}, which is no rule${near ? `; did you mean ${near}?` : ': stack-parity verify --list prints them all.'}`,
      )
    }),
  )
}

/** The fingerprints of drift that is known, from a file that has one a line. */
export function readKnownDrift(given: Given): ReadonlySet<string> {
  const [file] = given['known-drift'] ?? []
  if (!file) return new Set()
  const read = (text: string) =>
    text.split('\n').flatMap((line, index) => {
      const mark = line.replace(/#.*$/, '').trim()
      if (mark === '' || /^[0-9a-f]{12}$/.test(mark)) return mark === '' ? [] : [mark]
      throw new UsageError(
        `line ${index + 1} is no fingerprint: --report json shows those of each difference, 12 hexadecimal digits.`,
      )
    })
  return new Set(readWith('--known-drift', file, read))
}

export function readBaseline(given: Given, { baselines }: CommandContext): Baseline | undefined {
  const file = readShipped('baseline', '.json', given, baselines)
  return file ? readWith('--baseline', file, parseBaseline) : undefined
}

/** What an option names: a file, or one that the package ships under this name. */
function readShipped(option: 'baseline' | 'known-broken', ending: string, given: Given, baselines: URL) {
  const [name] = given[option] ?? []
  if (!name || existsSync(name)) return name
  const shipped = readdirSync(baselines).flatMap(file => (file.endsWith(ending) ? file.slice(0, -ending.length) : []))
  if (shipped.includes(name)) return new URL(`${name}${ending}`, baselines)
  const meant = nearest(name, shipped)
  const advice = meant ? `Did you mean ${meant}?` : `The package ships ${shipped.join(', ')}.`
  const kind = option === 'baseline' ? 'baseline' : 'list'
  throw new UsageError(`--${option} ${name}: there is no such file, and no ${kind} of this name. ${advice}`)
}
