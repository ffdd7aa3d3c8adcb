import type { Alert, ThresholdType } from '../../words/resources.ts'

type Limits = Pick<Alert, 'threshold' | 'thresholdMax' | 'thresholdType'>

interface Comparison {
  readonly holds: (value: number, threshold: number, most: number) => boolean
  readonly sentence: string
  readonly opposite: ThresholdType
}

const comparisons: Readonly<Record<ThresholdType, Comparison>> = {
  above: { holds: (value, threshold) => value >= threshold, sentence: 'meets or exceeds', opposite: 'below' },
  above_exclusive: { holds: (value, threshold) => value > threshold, sentence: 'exceeds', opposite: 'below_or_equal' },
  below: { holds: (value, threshold) => value < threshold, sentence: 'falls below', opposite: 'above' },
  below_or_equal: {
    holds: (value, threshold) => value <= threshold,
    sentence: 'falls to or below',
    opposite: 'above_exclusive',
  },
  equal: { holds: (value, threshold) => value === threshold, sentence: 'equals', opposite: 'not_equal' },
  not_equal: { holds: (value, threshold) => value !== threshold, sentence: 'does not equal', opposite: 'equal' },
  between: {
    holds: (value, threshold, most) => value >= threshold && value <= most,
    sentence: 'falls between',
    opposite: 'not_between',
  },
  not_between: {
    holds: (value, threshold, most) => value < threshold || value > most,
    sentence: 'falls outside',
    opposite: 'between',
  },
}

export const violates = (value: number, { threshold, thresholdMax, thresholdType }: Limits) =>
  comparisons[thresholdType].holds(value, threshold, thresholdMax ?? threshold)

/** How a value stands to the limits, in words: `7 meets or exceeds 5`. */
export const describeValue = (value: number, limits: Limits): string =>
  `${value} ${compare(value, limits)} ${describeThreshold(limits)}`

/** The same of the rows of a search. */
export const describeLines = (value: number, limits: Limits): string =>
  `${value} lines found, which ${compare(value, limits)} the threshold of ${describeThreshold(limits)} lines`

function compare(value: number, limits: Limits): string {
  const comparison = comparisons[limits.thresholdType]
  return (violates(value, limits) ? comparison : comparisons[comparison.opposite]).sentence
}

const describeThreshold = ({ threshold, thresholdMax, thresholdType }: Limits) =>
  thresholdType === 'between' || thresholdType === 'not_between'
    ? `${threshold} and ${thresholdMax}`
    : String(threshold)
