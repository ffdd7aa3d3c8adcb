import type { Field } from '../../../fixtures/built-contract/index.ts'
import { groupBy } from '../../words/group-by.ts'
import { exactly } from './pattern-of-body.ts'

/** An object that answers have in place of others: a field such as the source of a pipe, or a variant of a union. */
export interface Alternative {
  /** Such as `$.result[].source.kafka` or, of a union, `$.result.tiles[].config.displayType=line`. */
  readonly path: string
  /** The two parts of an expression that matches the text of an answer that has it, or the same elsewhere. */
  readonly before: string
  readonly name: string
}

type Part = Pick<Field, 'fields' | 'oneOf' | 'items'>

/** Schemas of documents may contain themselves. */
const maxDepth = 8

/** The alternatives below a place of answers: variants of unions, and objects of which only one is present. */
export function alternativesIn({ fields = {}, oneOf, items }: Part, path: string, depth = 0): readonly Alternative[] {
  if (depth === maxDepth) return []
  const { discriminator = '', variants = {} } = oneOf ?? {}
  const shown = [fields, ...Object.values(variants)].map(one =>
    Object.entries(one).filter(([, { writeOnly }]) => !writeOnly),
  )
  const [own = []] = shown
  const isChoice = own.length > 1 && own.every(([, field]) => field.fields && field.optional)
  const choices = isChoice ? own.map(([name]) => name) : []
  const [holder = ''] = /[^.]+$/.exec(path.replaceAll('[]', '')) ?? []
  return [
    ...(items ? alternativesIn(items, `${path}[]`, depth + 1) : []),
    ...alternatives(`${path}.${discriminator}=`, `${exactly(discriminator)}\\s*:\\s*`, Object.keys(variants)),
    ...alternatives(`${path}.`, `${exactly(holder)}\\s*:\\s*\\{\\s*`, choices),
    ...shown.flat().flatMap(([name, field]) => alternativesIn(field, `${path}.${name}`, depth + 1)),
  ]
}

/** Those with a name after the same text, and `*` for one that the contract does not have. */
function alternatives(path: string, before: string, names: readonly string[]): readonly Alternative[] {
  if (names.length === 0) return []
  const others = { path: `${path}*`, before, name: `(?!${names.map(exactly).join('|')})"` }
  return [...names.map(name => ({ path: path + name, before, name: exactly(name) })), others]
}

/** An expression that matches an answer which has one of the alternatives. One for each would take 30 µs for a dashboard. */
export function patternOf(alternatives: readonly Alternative[]): RegExp {
  const groups = [...groupBy(alternatives, ({ before }) => before)]
  const sources = groups.map(([before, own]) => `${before}(?:${[...new Set(own.map(({ name }) => name))].join('|')})`)
  return new RegExp(sources.join('|'))
}
