import type { Alert, ThresholdType } from '../../words/resources.ts'

type Limits = Pick<Alert, 'threshold' | 'thresholdMax' | 'thresholdType'>

interface Comparison {
  readonly holds: (value: number, threshold: number, most: number) => boolean
  readonly says: string
  readonly opposite: ThresholdType
}

const comparisons: Readonly<Record<ThresholdType, Comparison>> = {
  above: { holds: (value, threshold) => value >= threshold, says: 'meets or exceeds', opposite: 'below' },
  above_exclusive: { holds: (value, threshold) => value > threshold, says: 'exceeds', opposite: 'below_or_equal' },
  below: { holds: (value, threshold) => value < threshold, says: 'falls below', opposite: 'above' },
  below_or_equal: {
    holds: (value, threshold) => value <= threshold,
    says: 'falls to or below',
    opposite: 'above_exclusive',
  },
  equal: { holds: (value, threshold) => value === threshold, says: 'equals', opposite: 'not_equal' },
  not_equal: { holds: (value, threshold) => value !== threshold, says: 'does not equal', opposite: 'equal' },
  between: {
    holds: (value, threshold, most) => value >= threshold && value <= most,
    says: 'falls between',
    opposite: 'not_between',
  },
  not_between: {
    holds: (value, threshold, most) => value < threshold || value > most,
    says: 'falls outside',
    opposite: 'between',
  },
}

export const violates = (value: number, { threshold, thresholdMax = threshold, thresholdType }: Limits) =>
  comparisons[thresholdType].holds(value, threshold, thresholdMax)

/** How a value stands to the limits, in words: `7 meets or exceeds 5`. */
export function describeValue(value: number, limits: Limits): string {
  const { threshold, thresholdMax, thresholdType } = limits
  const comparison = comparisons[thresholdType]
  const { says } = violates(value, limits) ? comparison : comparisons[comparison.opposite]
  const isRange = thresholdType === 'between' || thresholdType === 'not_between'
  return `${value} ${says} ${threshold}${isRange ? ` and ${thresholdMax}` : ''}`
}
