import type { Alert, ThresholdType } from '../../words/resources.ts'

type Limits = Pick<Alert, 'threshold' | 'thresholdMax' | 'thresholdType'>

type Holds = (value: number, threshold: number, max: number) => boolean

const comparisons: Readonly<Record<ThresholdType, readonly [Holds, sentence: string, opposite: ThresholdType]>> = {
  above: [(value, threshold) => value >= threshold, 'meets or exceeds', 'below'],
  above_exclusive: [(value, threshold) => value > threshold, 'exceeds', 'below_or_equal'],
  below: [(value, threshold) => value < threshold, 'falls below', 'above'],
  below_or_equal: [(value, threshold) => value <= threshold, 'falls to or below', 'above_exclusive'],
  equal: [(value, threshold) => value === threshold, 'equals', 'not_equal'],
  not_equal: [(value, threshold) => value !== threshold, 'does not equal', 'equal'],
  between: [(value, threshold, max) => value >= threshold && value <= max, 'falls between', 'not_between'],
  not_between: [(value, threshold, max) => value < threshold || value > max, 'falls outside', 'between'],
}

export function violates(value: number, { threshold, thresholdMax, thresholdType }: Limits): boolean {
  const [holds] = comparisons[thresholdType]
  return holds(value, threshold, thresholdMax ?? threshold)
}

/** Compares a value with the limits in words: `7 meets or exceeds 5`. */
export const describeValue = (value: number, limits: Limits): string =>
  `${value} ${compare(value, limits)} ${describeThreshold(limits)}`

/** Compares the number of rows of a search with the limits in words. */
export const describeLines = (value: number, limits: Limits): string =>
  `${value} lines found, which ${compare(value, limits)} the threshold of ${describeThreshold(limits)} lines`

function compare(value: number, limits: Limits): string {
  const [, sentence, opposite] = comparisons[limits.thresholdType]
  return violates(value, limits) ? sentence : comparisons[opposite][1]
}

const describeThreshold = ({ threshold, thresholdMax, thresholdType }: Limits) =>
  thresholdType === 'between' || thresholdType === 'not_between'
    ? `${threshold} and ${thresholdMax}`
    : String(threshold)
