import { z } from 'zod/v3'
import { dashboard as contract } from '../../../../fixtures/contract/dashboard.ts'
import { viewOfShape } from '../../../fields/view.ts'
import { perTerms, type Terms } from '../../observability/terms.ts'
import { expression, language } from '../../observability/vocabulary.ts'
import { type ContainerBody, checkContainers, containerList } from './container.ts'
import { checkFilterModes, type FilterBody, filter } from './filter.ts'
import { type TileBody, tileList } from './tile.ts'

export interface DashboardBody {
  readonly name: string
  readonly tiles: readonly TileBody[]
  readonly tags?: readonly string[]
  readonly savedQuery?: string | null
  readonly savedQueryLanguage?: string | null
  readonly savedFilterValues?: readonly object[]
  readonly containers?: readonly ContainerBody[]
  readonly filters?: readonly FilterBody[]
}

type Schema = z.ZodType<DashboardBody, z.ZodTypeDef, unknown>

const dashboard = (terms: Terms, use: 'create' | 'update') =>
  z
    .object({
      name: z.string().max(1024),
      tiles: tileList(terms),
      tags: z.array(z.string().max(32)).max(50).optional(),
      savedQuery: z.string().nullable().optional(),
      savedQueryLanguage: language(terms).nullable().optional(),
      savedFilterValues: z.array(savedFilterValue(terms)).optional(),
      ...(terms.newer && { containers: containerList.optional() }),
      filters: z.array(filter(terms, use)).optional(),
    })
    .superRefine((value, context) => {
      const body = value as DashboardBody
      if (body.savedQuery != null && body.savedQueryLanguage === null) {
        context.addIssue({
          code: 'custom',
          message: 'savedQueryLanguage cannot be null when savedQuery is provided',
          path: ['savedQueryLanguage'],
        })
      }
      checkContainers(body.containers ?? [], context)
      if (terms.newer) checkFilterModes(body.filters ?? [], context)
    }) as unknown as Schema

/** The older edition stores these as they were sent. */
const savedFilterValue = (terms: Terms) => {
  const type = z.literal('sql').optional()
  return terms.newer
    ? z.object({ type: type.default('sql'), condition: expression })
    : z.object({ type, condition: expression }).passthrough()
}

export const newDashboard = perTerms(terms => dashboard(terms, 'create'))
export const changedDashboard = perTerms(terms => dashboard(terms, 'update'))

export const dashboardProperties: ReadonlySet<string> = new Set(
  Object.keys(viewOfShape(contract, { side: 'request' }).fields),
)
