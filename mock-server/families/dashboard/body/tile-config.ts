import { z } from 'zod/v3'
import { failed } from '../../../words/refusal.ts'
import type { DisplayType, SelectItem } from '../../../words/resources.ts'
import { objectId } from '../../observability/object-id.ts'
import type { Terms } from '../../observability/terms.ts'
import { expression, language } from '../../observability/vocabulary.ts'
import { findFormulaErrors } from './formula.ts'
import { numberFormat } from './number-format.ts'
import { onClick } from './on-click.ts'
import { heatmapItem, selectItem } from './select.ts'
import { backgroundChart, color, colorRule } from './tile-color.ts'

/** A tile's config as it was accepted: unknown keys are gone, what the answer completes may be missing. */
export interface ConfigBody {
  readonly displayType: DisplayType
  readonly configType?: 'sql'
  readonly sourceId?: string
  readonly connectionId?: string
  readonly sqlTemplate?: string
  readonly select?: readonly Partial<SelectItem>[] | string
  readonly formulas?: readonly { readonly expression: string }[]
  readonly onClick?: { readonly type: string; readonly target?: { readonly mode: string; readonly id?: string } }
  readonly [field: string]: unknown
}

/** A config as it was sent, once the rules of its display type are kept: fields that these do not have may be anything. */
type SentConfig = Pick<ConfigBody, 'displayType' | 'select'> & {
  readonly asRatio?: unknown
  readonly formulas?: unknown
}

type Kind = z.ZodDiscriminatedUnionOption<'displayType'>
type Kinds = [Kind, ...Kind[]]

/**
 * A config is read by the rules of its display type. It is chosen by hand and not by a union, so that what is wrong is
 * named at its place.
 */
export function tileConfig(terms: Terms) {
  const builder = z.discriminatedUnion('displayType', builderKinds(terms))
  const rawSql = z.discriminatedUnion('displayType', rawSqlKinds(terms))
  return z.any().transform((config: unknown, context): ConfigBody => {
    const result = (isRawSql(config) ? rawSql : builder).safeParse(config)
    // What was sent is judged, not what is kept: deployments look at fields that the display type does not have, too.
    const issues = result.success ? findContradictions(config as ConfigBody, terms) : result.error.issues
    // Fatal, so that nothing more is said of a tile whose config cannot be read.
    for (const issue of issues) context.addIssue({ ...issue, fatal: true })
    return result.data as ConfigBody
  })
}

const isRawSql = (config: unknown) => (config as ConfigBody | null | undefined)?.configType === 'sql'

function builderKinds(terms: Terms): Kinds {
  const { newer } = terms
  const flag = z.boolean().optional()
  const count = z.number().int().nonnegative().optional()
  const several = z.array(selectItem(terms)).min(1).max(20)
  const one = z.array(selectItem(terms)).length(1)
  const source = { sourceId: objectId(terms) }
  const grouped = { groupBy: expression.optional() }
  const formatted = { numberFormat: numberFormat(terms) }
  const formula = z.object({
    expression: z.string().max(1024),
    alias: z.string().optional(),
    numberFormat: numberFormat(terms),
  })
  const formulas = { ...(newer && { formulas: z.array(formula).max(10).optional() }) }
  const computed = { ...formulas, ...(newer && { showOperandSeries: flag }) }
  const time = {
    ...source,
    select: several,
    ...grouped,
    asRatio: flag,
    alignDateRangeToGranularity: flag,
    fillNulls: flag,
    ...formatted,
    ...computed,
    ...(newer && { seriesLimit: count }),
  }
  const share = {
    ...source,
    select: one,
    ...grouped,
    ...(newer && { orderBy: expression.optional() }),
    ...formatted,
    ...(newer && { limit: count }),
  }
  const filtered = {
    where: newer ? expression.optional().default('') : expression.optional(),
    whereLanguage: language(terms).optional(),
  }
  const kind = <Shape extends z.ZodRawShape>(name: DisplayType, shape: Shape) =>
    z.object({ displayType: z.literal(name), ...shape })

  return [
    kind('line', { ...time, compareToPreviousPeriod: flag, ...(newer && { fitYAxisToData: flag }) }),
    kind('stacked_bar', time),
    kind('table', {
      ...source,
      select: several,
      ...grouped,
      having: expression.optional(),
      orderBy: expression.optional(),
      asRatio: flag,
      ...formatted,
      groupByColumnsOnLeft: flag,
      ...(newer && { onClick: onClick(terms).optional() }),
      ...computed,
    }),
    kind('number', {
      ...source,
      select: newer ? several : one,
      ...formatted,
      ...formulas,
      ...(newer && {
        color: color.optional(),
        colorRules: z.array(colorRule).max(10).optional(),
        backgroundChart: backgroundChart.optional(),
      }),
    }),
    kind('pie', share),
    ...(newer
      ? [
          kind('bar', share),
          kind('heatmap', { ...source, select: z.array(heatmapItem).length(1), ...filtered, ...formatted }),
        ]
      : []),
    kind('markdown', { markdown: z.string().max(50_000).optional() }),
    kind('search', { ...source, select: expression, ...filtered }),
    ...(newer ? [kind('event_patterns', { ...source, select: expression.optional().default(''), ...filtered })] : []),
  ] as Kinds
}

function rawSqlKinds(terms: Terms): Kinds {
  const { newer } = terms
  const flag = z.boolean().optional()
  const kind = (name: DisplayType, shape: z.ZodRawShape = {}) =>
    z.object({
      configType: z.literal('sql'),
      connectionId: objectId(terms),
      sqlTemplate: z.string().max(100_000),
      sourceId: objectId(terms).optional(),
      numberFormat: numberFormat(terms),
      displayType: z.literal(name),
      ...shape,
    })
  const time = {
    fillNulls: flag,
    alignDateRangeToGranularity: flag,
    ...(newer && { seriesLimit: z.number().int().nonnegative().optional() }),
  }
  return [
    kind('line', { compareToPreviousPeriod: flag, ...time, ...(newer && { fitYAxisToData: flag }) }),
    kind('stacked_bar', time),
    kind('table', { ...(newer && { onClick: onClick(terms).optional() }) }),
    kind('number', { ...(newer && { color: color.optional() }) }),
    kind('pie'),
    ...(newer ? [kind('bar')] : []),
  ] as Kinds
}

function findContradictions(config: SentConfig, terms: Terms): z.IssueData[] {
  const issues: z.IssueData[] = []
  const complain = (message: string, ...path: (string | number)[]) => issues.push({ code: 'custom', message, path })
  const seriesCount = Array.isArray(config.select) ? config.select.length : 0

  if (config.asRatio && seriesCount !== 2) complain('asRatio can only be used with exactly two select items')
  if (!terms.newer || 'configType' in config) return issues

  const formulas = readFormulas(config)
  for (const [at, expression] of formulas.entries()) {
    const errors = findFormulaErrors(expression, seriesCount)
    if (errors.length > 0) complain(errors.join('; '), 'formulas', at, 'expression')
  }
  if (formulas.length > 0 && config.asRatio) {
    complain(
      'formulas cannot be combined with asRatio; express the ratio as a formula instead (e.g. "A / B")',
      'formulas',
    )
  }
  if (config.displayType === 'number') {
    if (formulas.length > 1) complain('Number charts support a single formula', 'formulas')
    if (formulas.length === 0 && seriesCount !== 1) {
      complain(
        'Number tiles support a single select item unless formulas are used (extra items are formula operands)',
        'select',
      )
    }
  }
  return issues
}

/** The expressions of formulas as they were sent. Deployments stumble over what is no list of formulas. */
function readFormulas({ formulas }: SentConfig): readonly string[] {
  if (!formulas) return []
  if (!Array.isArray(formulas)) throw failed('')
  return formulas.map(formula => {
    const expression = formula?.expression ?? (formula === null ? null : '')
    if (typeof expression !== 'string') throw failed('')
    return expression
  })
}
