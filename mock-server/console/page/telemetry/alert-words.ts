import type { Alert } from '../../../words/resources.ts'
import { pageAddress } from '../address.ts'
import { type NumberFormat, numbersOf } from './number-format.ts'

/** The address of an alert. */
export const alertAddress = (stack: string, id: string) => pageAddress('alerts', stack, id)

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
export function writeThreshold(alert: Alert, format?: NumberFormat): string {
  const { thresholdType, threshold, thresholdMax, interval, numConsecutiveWindows: windows } = alert
  const write = (value: number) => numbersOf(format).whole(value)
  const most = thresholdMax != null && /between/.test(thresholdType) ? ` and ${write(thresholdMax)}` : ''
  const lasting = windows && windows > 1 ? `, ${windows} times running` : ''
  return `${thresholds[thresholdType]} ${write(threshold)}${most} in ${interval}${lasting}`
}
