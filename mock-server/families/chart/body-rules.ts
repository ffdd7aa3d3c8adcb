import type { BodyRules } from '../../fields/judge.ts'
import { typeOfEnumeration } from '../../fields/sentences.ts'
import type { BodyOf } from '../family.ts'

export type ChartRequest = BodyOf<'chart.query'>
export type ChartSeries = ChartRequest['series'][number]

const whole = 'Timestamp must be an integer'
const union = 'Invalid input'

/** Refuses seconds, which have ten digits. */
const checkMoment: NonNullable<BodyRules['checks']>[string] = (time: number, reportIssue) => {
  if (time <= 0) reportIssue('Timestamp must be positive')
  if (String(time).length < 13) reportIssue('Timestamp must be in milliseconds')
}

/** The sentences of deployments for charts; how many series there may be is an option of the mock. */
export const chartRules: BodyRules = {
  sentences: {
    'series min': 'Series array cannot be empty',
    'series.metricDataType type': typeOfEnumeration,
    'series.sortOrder type': union,
    'series.sortOrder values': union,
    'startTime whole': whole,
    'endTime whole': whole,
  },
  checks: {
    startTime: checkMoment,
    endTime: checkMoment,
    series: (series: readonly ChartSeries[] | ChartSeries, reportIssue, { maxSeries }) => {
      if (!Array.isArray(series)) return
      if (series.length > maxSeries) reportIssue(`Array must contain at most ${maxSeries} element(s)`)
      const groups = new Set(series.map(({ groupBy }: ChartSeries) => JSON.stringify(groupBy)))
      if (groups.size > 1) reportIssue('All series must have the same groupBy fields')
    },
  },
}
