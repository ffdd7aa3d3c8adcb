import type { AnyOf } from '../../../fixtures/contract/index.ts'
import type { dashboardFilter } from '../../../fixtures/contract/tile.ts'
import type { ReportIssue } from '../../fields/judge.ts'

type Filter = AnyOf<typeof dashboardFilter, 'request'>

/** The fixed modes of each kind of filter; other values are refused. */
const fixed = {
  STATIC_LIST: { isBroadcastEnabled: false, isVariableEnabled: true },
  PROMETHEUS_LABEL: { isBroadcastEnabled: false, isVariableEnabled: true },
  SOURCE_FILTER: { isBroadcastEnabled: true, isVariableEnabled: true },
  QUERY_EXPRESSION: undefined,
} as const
const broadcasts = ({ type, isBroadcastEnabled }: Filter) =>
  fixed[type]?.isBroadcastEnabled ?? isBroadcastEnabled !== false
const isVariable = ({ type, isVariableEnabled }: Filter) => fixed[type]?.isVariableEnabled ?? isVariableEnabled === true

/** The name under which tiles and saved values know a filter; undefined where it is no variable. */
export const variableNameOf = (filter: Filter) =>
  isVariable(filter) ? filter.variableName?.trim() || deriveVariableName(filter.name) : undefined

/**
 * A filter must act on tiles, lend them a variable, or both; and its fields must fit what it does. Deployments look at the
 * names of all variables first, then at what each filter does, then at its other fields.
 */
export function checkFilterModes(filters: readonly Filter[], reportIssue: ReportIssue) {
  const names = new Set<string>()
  const each = (check: (filter: Filter, complainOf: (field: string, sentence: string) => void) => void) => {
    for (const [at, filter] of filters.entries()) {
      check(filter, (field, sentence) => reportIssue(sentence, 'filters', at, field))
    }
  }
  each((filter, reportIssue) => {
    for (const [field, value] of Object.entries(fixed[filter.type] ?? {})) {
      const sent = filter[field as keyof Filter]
      if (sent !== undefined && sent !== value) reportIssue(field, `Invalid literal value, expected ${value}`)
    }
    const options = filter.options ?? []
    const twice = options.find((option, at) => options.indexOf(option) !== at)
    if (twice !== undefined) reportIssue('options', `Filter "${filter.name}" has the option "${twice}" twice`)
  })
  each((filter, reportIssue) => {
    const name = variableNameOf(filter)
    if (name === undefined) return
    if (!name) reportIssue('variableName', `Variable name is required for filter "${filter.name}"`)
    else if (names.has(name)) reportIssue('variableName', `Variable names must be unique: "${name}"`)
    names.add(name)
  })
  each((filter, reportIssue) => {
    if (broadcasts(filter) || isVariable(filter)) return
    const message = `Filter "${filter.name}" must broadcast its value, be available as a variable, or both`
    reportIssue('isBroadcastEnabled', message)
  })
  each((filter, reportIssue) => {
    const subject = `Filter "${filter.name}"`
    if (filter.variableName !== undefined && !isVariable(filter)) {
      reportIssue(
        'variableName',
        `${subject} sets variableName but is not available as a variable; set isVariableEnabled to true or drop variableName`,
      )
    }
    if (filter.appliesToSourceIds?.length && !broadcasts(filter)) {
      reportIssue(
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
