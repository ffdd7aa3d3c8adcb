import type { Complain } from '../../fields/judge.ts'
import type { BodyOf } from '../family.ts'

type Filter = NonNullable<BodyOf<'dashboard.create'>['filters']>[number]

/**
 * A filter must act on tiles, lend them a variable, or both; and its fields must fit what it does. Deployments look at the
 * names of all variables first, then at what each filter does, then at its other fields.
 */
export function checkFilterModes(filters: readonly Filter[], complain: Complain) {
  const names = new Set<string>()
  const each = (check: (filter: Filter, complainOf: (field: string, sentence: string) => void) => void) => {
    for (const [at, filter] of filters.entries()) {
      check(filter, (field, sentence) => complain(sentence, 'filters', at, field))
    }
  }
  const broadcasts = (filter: Filter) => filter.isBroadcastEnabled !== false
  const isVariable = (filter: Filter) => filter.isVariableEnabled === true
  each((filter, complain) => {
    if (!isVariable(filter)) return
    const name = filter.variableName?.trim() || deriveVariableName(filter.name)
    if (!name) complain('variableName', `Variable name is required for filter "${filter.name}"`)
    else if (names.has(name)) complain('variableName', `Variable names must be unique: "${name}"`)
    names.add(name)
  })
  each((filter, complain) => {
    if (broadcasts(filter) || isVariable(filter)) return
    const message = `Filter "${filter.name}" must broadcast its value, be available as a variable, or both`
    complain('isBroadcastEnabled', message)
  })
  each((filter, complain) => {
    const subject = `Filter "${filter.name}"`
    if (filter.variableName !== undefined && !isVariable(filter)) {
      complain(
        'variableName',
        `${subject} sets variableName but is not available as a variable; set isVariableEnabled to true or drop variableName`,
      )
    }
    if (filter.appliesToSourceIds?.length && !broadcasts(filter)) {
      complain(
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
