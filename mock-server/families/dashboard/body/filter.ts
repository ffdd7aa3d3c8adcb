import { z } from 'zod/v3'
import { objectId } from '../../observability/object-id.ts'
import type { Terms } from '../../observability/terms.ts'
import { filterLanguage, metricType } from '../../observability/vocabulary.ts'

export interface FilterBody {
  readonly id?: string
  readonly type: 'QUERY_EXPRESSION'
  readonly name: string
  readonly expression: string
  readonly sourceId: string
  readonly appliesToSourceIds?: readonly string[]
  readonly isBroadcastEnabled?: boolean
  readonly isVariableEnabled?: boolean
  readonly variableName?: string
}

/** A dashboard's filter, the one place where unknown keys are refused: on creation that includes the id. */
export const filter = (terms: Terms, use: 'create' | 'update') =>
  z
    .object({
      ...(use === 'update' && { id: z.string() }),
      type: z.enum(['QUERY_EXPRESSION']),
      name: z.string().min(1),
      expression: z.string().min(1),
      sourceMetricType: metricType.optional(),
      where: z.string().optional(),
      whereLanguage: filterLanguage.optional(),
      ...(terms.newer && {
        appliesToSourceIds: z.array(z.string().min(1)).optional(),
        isBroadcastEnabled: z.boolean().optional(),
        isVariableEnabled: z.boolean().optional(),
        variableName: z
          .string()
          .max(64)
          .regex(/^[a-zA-Z][a-zA-Z0-9_]*$/)
          .optional(),
      }),
      sourceId: objectId(terms),
    })
    .strict()

/**
 * A filter must act on tiles, lend them a variable, or both; and its fields must fit what it does. Deployments look at the
 * names of all variables first, then at what each filter does, then at its other fields.
 */
export function checkFilterModes(filters: readonly FilterBody[], context: z.RefinementCtx) {
  const names = new Set<string>()
  const each = (check: (filter: FilterBody, complain: (field: string, message: string) => void) => void) => {
    for (const [at, filter] of filters.entries()) {
      check(filter, (field, message) => context.addIssue({ code: 'custom', message, path: ['filters', at, field] }))
    }
  }
  const broadcasts = (filter: FilterBody) => filter.isBroadcastEnabled !== false
  const isVariable = (filter: FilterBody) => filter.isVariableEnabled === true
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
