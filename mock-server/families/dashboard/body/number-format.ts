import { z } from 'zod/v3'
import type { Terms } from '../../observability/terms.ts'
import { enumeration, oneOf } from '../../observability/vocabulary.ts'

const output = oneOf(['currency', 'percent', 'byte', 'time', 'duration', 'number', 'data_rate', 'throughput'])

const sizes = ['kilo', 'mega', 'giga', 'tera', 'peta']
const binarySizes = ['kibi', 'mebi', 'gibi', 'tebi', 'pebi']
const numericUnit = enumeration([
  'bytes_iec',
  'bytes_si',
  'bits_iec',
  'bits_si',
  ...sizes.flatMap((size, at) => [`${binarySizes[at]}bytes`, `${size}bytes`]),
  'packets_sec',
  'bytes_sec_iec',
  'bytes_sec_si',
  'bits_sec_iec',
  'bits_sec_si',
  ...sizes.flatMap((size, at) => [
    `${binarySizes[at]}bytes_sec`,
    `${binarySizes[at]}bits_sec`,
    `${size}bytes_sec`,
    `${size}bits_sec`,
  ]),
  'cps',
  'ops',
  'rps',
  'reads_sec',
  'wps',
  'iops',
  'cpm',
  'opm',
  'rpm_reads',
  'wpm',
])

const format = z.object({
  output,
  numericUnit: numericUnit.optional(),
  mantissa: z.number().int().optional(),
  thousandSeparated: z.boolean().optional(),
  average: z.boolean().optional(),
  decimalBytes: z.boolean().optional(),
  factor: z.number().optional(),
  currencySymbol: z.string().optional(),
  unit: z.string().optional(),
})
const lenient = format.passthrough()

/** The older edition stores a number format as it was sent. */
export const numberFormat = (terms: Terms) => (terms.newer ? format : lenient).optional()
