import type { Alert, ThresholdType } from '../../words/resources.ts'

type Limits = Pick<Alert, 'threshold' | 'thresholdMax' | 'thresholdType'>

type Comparison = (value: number, threshold: number, max: number) => boolean

const comparisons: Readonly<Record<ThresholdType, readonly [Comparison, phrase: string, opposite: ThresholdType]>> = {
  above: [(value, threshold) => value >= threshold, 'meets or exceeds', 'below'],
  above_exclusive: [(value, threshold) => value > threshold, 'exceeds', 'below_or_equal'],
  below: [(value, threshold) => value < threshold, 'falls below', 'above'],
  below_or_equal: [(value, threshold) => value <= threshold, 'falls to or below', 'above_exclusive'],
  equal: [(value, threshold) => value === threshold, 'equals', 'not_equal'],
  not_equal: [(value, threshold) => value !== threshold, 'does not equal', 'equal'],
  between: [(value, threshold, max) => value >= threshold && value <= max, 'falls between', 'not_between'],
  not_between: [(value, threshold, max) => value < threshold || value > max, 'falls outside', 'between'],
}

export function meetsCondition(value: number, { threshold, thresholdMax, thresholdType }: Limits): boolean {
  const [holds] = comparisons[thresholdType]
  return holds(value, threshold, thresholdMax ?? threshold)
}

/** Compares a value with the limits in words: `7 meets or exceeds 5`. The value has as many decimals as the threshold. */
export const describeValue = (value: number, limits: Limits): string =>
  `${writeLike(value, limits.threshold)} ${describeComparison(value, limits)} ${describeThreshold(limits)}`

/** Compares the number of rows of a search with the limits in words. */
export const describeLines = (value: number, limits: Limits): string =>
  `${value} lines found, which ${describeComparison(value, limits)} the threshold of ${describeThreshold(limits)} lines`

function describeComparison(value: number, limits: Limits): string {
  const [, phrase, opposite] = comparisons[limits.thresholdType]
  return meetsCondition(value, limits) ? phrase : comparisons[opposite][1]
}

const describeThreshold = ({ threshold, thresholdMax, thresholdType }: Limits) =>
  thresholdType === 'between' || thresholdType === 'not_between'
    ? `${threshold} and ${thresholdMax}`
    : String(threshold)

/** Writes a value with the decimals of another number: seven for 1e-7. */
function writeLike(value: number, other: number): string {
  const plain = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 21, useGrouping: false }).format(other)
  const digits = plain.split('.')[1]?.length ?? 0
  // Not `toFixed`, which rounds 0.95 down, because its binary value is slightly less.
  return new Intl.NumberFormat('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  }).format(value)
}
