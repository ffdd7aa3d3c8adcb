import { z } from 'zod/v3'
import { oneOf } from '../../observability/vocabulary.ts'

const hues = ['blue', 'orange', 'red', 'cyan', 'green', 'pink', 'purple', 'light-blue', 'brown', 'gray']
const meanings = ['success', 'warning', 'error']

export const color = oneOf([...hues, ...meanings].map(name => `chart-${name}`))

const number = z.number().finite()
const painted = { color, label: z.string().max(40).optional() }

/** How a number tile changes its colour with its value. */
export const colorRule = z.discriminatedUnion('operator', [
  z.object({ operator: z.enum(['gt', 'gte', 'lt', 'lte']), value: number, ...painted }),
  z.object({ operator: z.literal('between'), value: z.tuple([number, number]), ...painted }),
  z.object({ operator: z.enum(['eq', 'neq']), value: z.union([number, z.string().max(200)]), ...painted }),
])

export const backgroundChart = z.object({ type: z.enum(['line', 'area']), color: color.optional() })
