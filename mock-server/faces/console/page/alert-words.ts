import type { Alert } from '../../../words/resources.ts'
import { type NumberFormat, numbersOf } from './number-format.ts'

/** The address of an alert. */
export const alertAddress = (stack: string, id: string) =>
  `#/alerts/${encodeURIComponent(stack)}/${encodeURIComponent(id)}`

const thresholds: Readonly<Record<Alert['thresholdType'], string>> = {
  above: 'at least',
  above_exclusive: 'more than',
  below: 'less than',
  below_or_equal: 'at most',
  equal: 'exactly',
  not_equal: 'anything but',
  between: 'between',
  not_between: 'outside of',
}

/** When an alert fires, in words. */
export function tellThreshold(alert: Alert, format?: NumberFormat): string {
  const { thresholdType, threshold, thresholdMax, interval, numConsecutiveWindows: windows } = alert
  const tell = (value: number) => numbersOf(format).whole(value)
  const most = thresholdMax !== undefined && /between/.test(thresholdType) ? ` and ${tell(thresholdMax)}` : ''
  const lasting = windows && windows > 1 ? `, ${windows} times running` : ''
  return `${thresholds[thresholdType]} ${tell(threshold)}${most} in ${interval}${lasting}`
}

const tones: Readonly<Record<string, string>> = { ALERT: 'bad', OK: 'good', PENDING: 'warn' }

/** The tone of an alert's state. */
export const toneOfAlert = (state: string): string => tones[state] ?? 'plain'
