import type { AnyOf } from '../../../fixtures/contract/index.ts'
import type { dashboardFilter } from '../../../fixtures/contract/tile.ts'
import type { BodyRules, ReportIssue, Terms } from '../../fields/judge.ts'
import {
  enumerationOfOne,
  invalidInput,
  sentencesOf,
  typeOfEnumeration,
  writeSentence,
} from '../../fields/sentences.ts'
import { findFormulaErrors } from '../../telemetry/query/formula.ts'
import { failed } from '../../words/refusal.ts'
import type { SelectItem } from '../../words/resources.ts'
import type { BodyOf } from '../family.ts'

type Body = BodyOf<'dashboard.create'>
type Tile = Body['tiles'][number]
type Series = NonNullable<Tile['series']>[number]
/** A config as it was sent, not yet judged. */
export type SentConfig = {
  readonly [Name in 'configType' | 'displayType' | 'select' | 'asRatio' | 'formulas' | 'where']?: unknown
}
type Item = Partial<SelectItem>

const defaultSentences = sentencesOf('selfHosted', '2.36')
const numberFormats = ['config', 'config.select', 'config.formulas', 'series'].map(
  place => `tiles.${place}.numberFormat`,
)

/** The error messages of deployments for dashboards, and the rules over several fields. */
export const dashboardRules: BodyRules = {
  sentences: {
    ...Object.fromEntries(numberFormats.map(place => [`${place}.numericUnit type`, typeOfEnumeration])),
    'tiles.config.select.metricType type': typeOfEnumeration,
    'tiles.config.select.periodAggFn literal': enumerationOfOne,
    'tiles.config.select.level type': invalidInput,
    'tiles.config.select.level values': invalidInput,
    'tiles.config.colorRules.value type': (field, value) =>
      field.alternativeType ? invalidInput : writeSentence(defaultSentences.type, field, value),
    // Only a pair has a minimum; texts have a maximum, too.
    'tiles.config.colorRules.value min': 'Array must contain at least 2 element(s)',
    'tiles.config.colorRules.value max': ({ type, max }) =>
      type === 'array'
        ? `Array must contain at most ${max} element(s)`
        : `String must contain at most ${max} character(s)`,
    'tiles.config.onClick.filters.expression min': 'Expression is required',
    'tiles.config.onClick.filters.template min': 'Template is required',
    'tiles.series.metricDataType type': typeOfEnumeration,
    'tiles.series.displayType type': invalidInput,
    'tiles.series.displayType values': invalidInput,
    'tiles.series.sortOrder type': invalidInput,
    'tiles.series.sortOrder values': invalidInput,
    'filters.type literal': enumerationOfOne,
    'filters.sourceMetricType type': typeOfEnumeration,
  },
  // A tile that is not an object has two issues, because deployments judge its id separately.
  judgedLast: { tiles: ['id'] },
  // After an issue in a config, deployments check neither it nor its tile.
  abortingPlaces: ['tiles.config'],
  checks: {
    'tiles.config.select': checkSelect,
    'tiles.config.colorRules.value': (value: unknown, reportIssue) => {
      if (typeof value === 'number' && !Number.isFinite(value)) reportIssue('Number must be finite')
    },
    'tiles.config': (_, reportIssue, terms, sent: SentConfig) => checkConfig(sent, reportIssue, terms),
    'tiles.series': (series: readonly Series[] | Series, reportIssue) => {
      if (!Array.isArray(series)) return
      if (series.some(({ type }) => type !== series[0].type)) reportIssue('All series must have the same type')
    },
    // Called for the list, and for each tile.
    tiles: (tiles: readonly Tile[] | Tile, reportIssue) =>
      Array.isArray(tiles) ? checkTileIds(tiles, reportIssue) : checkTile(tiles as Tile, reportIssue),
    '': (body: Body, reportIssue) => {
      if (body.savedQuery != null && body.savedQueryLanguage === null) {
        reportIssue('savedQueryLanguage cannot be null when savedQuery is provided', 'savedQueryLanguage')
      }
      checkContainers(body.containers ?? [], reportIssue)
      checkFilters(body.filters ?? [], reportIssue)
      for (const [at, value] of body.savedFilterValues?.entries() ?? []) {
        if (value.type !== 'variable' || value.all !== false) continue
        reportIssue('Invalid literal value, expected true', 'savedFilterValues', at, 'all')
      }
    },
  },
}

/** Judges one selected series. What has no `aggFn` passes: the list itself, a text, the series of a heat map. */
export function checkSelect(item: readonly unknown[] | string | Item, reportIssue: ReportIssue) {
  if (typeof item !== 'object' || !('aggFn' in item)) return
  const { aggFn, level, valueExpression } = item
  if (level && aggFn !== 'quantile') reportIssue('Level can only be used with quantile aggregation function')
  if (aggFn === 'count' && valueExpression)
    reportIssue('Value expression cannot be used with count aggregation function')
  if (aggFn !== 'count' && !valueExpression) {
    reportIssue('Value expression is required for non-count aggregation functions')
  }
}

const singleSelect = 'support a single select item unless formulas are used (extra items are formula operands)'

/**
 * Judges the chart of a tile, or of an alert, as sent, because deployments also look at fields that the display type does
 * not have.
 */
export function checkConfig(
  config: SentConfig,
  reportIssue: ReportIssue,
  { edition }: Terms,
  owner: 'tiles' | 'charts' = 'tiles',
) {
  const seriesCount = Array.isArray(config.select) ? config.select.length : 0
  if (config.asRatio && seriesCount !== 2) reportIssue('asRatio can only be used with exactly two select items')
  if (edition === '2.24' || 'configType' in config) return

  const formulas = readFormulas(config)
  for (const [at, expression] of formulas.entries()) {
    const errors = findFormulaErrors(expression, seriesCount)
    if (errors.length > 0) reportIssue(errors.join('; '), 'formulas', at, 'expression')
  }
  if (formulas.length > 0 && config.asRatio) {
    reportIssue(
      'formulas cannot be combined with asRatio; express the ratio as a formula instead (e.g. "A / B")',
      'formulas',
    )
  }
  if (config.displayType !== 'number') return
  if (formulas.length > 1) reportIssue('Number charts support a single formula', 'formulas')
  if (formulas.length === 0 && seriesCount !== 1) {
    reportIssue(`Number ${owner} ${singleSelect}`, 'select')
  }
}

/** The expressions of formulas as sent. Deployments fail with a 500 for anything but a list of formulas. */
function readFormulas({ formulas }: SentConfig): readonly string[] {
  if (!formulas) return []
  if (!Array.isArray(formulas)) throw failed('')
  return formulas.map(formula => {
    if (formula === null) throw failed('')
    const expression = formula?.expression ?? ''
    if (typeof expression !== 'string') throw failed('')
    return expression
  })
}

function checkTile({ series, config, asRatio }: Tile, reportIssue: ReportIssue) {
  if (series && config) reportIssue('Tile cannot have both series and config')
  if (!series && !config) reportIssue('Tile must have either series or config')
  if (config && asRatio !== undefined) {
    reportIssue('asRatio property is not supported when using config property. Specify config.asRatio instead.')
  }
}

function checkTileIds(tiles: readonly Tile[], reportIssue: ReportIssue) {
  const seen = new Set<string>()
  for (const [at, { id }] of tiles.entries()) {
    if (id && seen.has(id)) reportIssue(`Duplicate tile ID: ${id}. Omit the ID to generate a unique one.`, at, 'id')
    if (id) seen.add(id)
  }
}

function checkContainers(containers: NonNullable<Body['containers']>, reportIssue: ReportIssue) {
  const seen = new Set<string>()
  for (const [at, { id, tabs = [] }] of containers.entries()) {
    if (seen.has(id)) reportIssue(`Container IDs must be unique: "${id}"`, 'containers', at, 'id')
    seen.add(id)
    const seenTabs = new Set<string>()
    for (const [tabAt, tab] of tabs.entries()) {
      const path = ['containers', at, 'tabs', tabAt, 'id']
      if (seenTabs.has(tab.id)) reportIssue(`Duplicate tab id "${tab.id}" in container "${id}"`, ...path)
      seenTabs.add(tab.id)
    }
  }
}

type Filter = AnyOf<typeof dashboardFilter, 'request'>

/** The fixed modes of each kind of filter; other values are refused. */
const fixedModes = {
  STATIC_LIST: { isBroadcastEnabled: false, isVariableEnabled: true },
  PROMETHEUS_LABEL: { isBroadcastEnabled: false, isVariableEnabled: true },
  SOURCE_FILTER: { isBroadcastEnabled: true, isVariableEnabled: true },
  QUERY_EXPRESSION: undefined,
} as const
const isBroadcast = ({ type, isBroadcastEnabled }: Filter) =>
  fixedModes[type]?.isBroadcastEnabled ?? isBroadcastEnabled !== false
const isVariable = ({ type, isVariableEnabled }: Filter) =>
  fixedModes[type]?.isVariableEnabled ?? isVariableEnabled === true

/** The name by which tiles and saved values refer to a filter; undefined if it is not a variable. */
export const variableNameOf = (filter: Filter) =>
  isVariable(filter) ? filter.variableName?.trim() || deriveVariableName(filter.name) : undefined

/**
 * A filter must act on tiles, be a variable, or both; and its fields must fit what it does. Deployments first judge the fixed
 * modes and the options of all filters, then the names of all variables, then what each filter does, then its other fields.
 */
function checkFilters(filters: readonly Filter[], reportIssue: ReportIssue) {
  const names = new Set<string>()
  const eachFilter = (check: (filter: Filter, reportField: (field: string, sentence: string) => void) => void) => {
    for (const [at, filter] of filters.entries()) {
      check(filter, (field, sentence) => reportIssue(sentence, 'filters', at, field))
    }
  }
  eachFilter((filter, reportField) => {
    for (const [field, value] of Object.entries(fixedModes[filter.type] ?? {})) {
      const sent = filter[field as keyof Filter]
      if (sent !== undefined && sent !== value) reportField(field, `Invalid literal value, expected ${value}`)
    }
    const options = filter.options ?? []
    const duplicate = options.find((option, at) => options.indexOf(option) !== at)
    if (duplicate !== undefined) reportField('options', `Filter "${filter.name}" has the option "${duplicate}" twice`)
  })
  eachFilter((filter, reportField) => {
    const name = variableNameOf(filter)
    if (name === undefined) return
    if (!name) reportField('variableName', `Variable name is required for filter "${filter.name}"`)
    else if (names.has(name)) reportField('variableName', `Variable names must be unique: "${name}"`)
    names.add(name)
  })
  eachFilter((filter, reportField) => {
    if (isBroadcast(filter) || isVariable(filter)) return
    const message = `Filter "${filter.name}" must broadcast its value, be available as a variable, or both`
    reportField('isBroadcastEnabled', message)
  })
  eachFilter((filter, reportField) => {
    const subject = `Filter "${filter.name}"`
    if (filter.variableName !== undefined && !isVariable(filter)) {
      reportField(
        'variableName',
        `${subject} sets variableName but is not available as a variable; set isVariableEnabled to true or drop variableName`,
      )
    }
    if (filter.appliesToSourceIds?.length && !isBroadcast(filter)) {
      reportField(
        'appliesToSourceIds',
        `${subject} sets appliesToSourceIds but does not broadcast its value; set isBroadcastEnabled to true or drop appliesToSourceIds`,
      )
    }
  })
}

const deriveVariableName = (name: string) =>
  name
    .trim()
    .replace(/\s+/g, '_')
    .replace(/[^a-zA-Z0-9_]/g, '')
    .replace(/^[^a-zA-Z]+/, '')
