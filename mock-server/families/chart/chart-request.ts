import { chartQuery } from '../../../fixtures/contract/chart.ts'
import { type BodyRules, createJudge, type Judge } from '../../fields/judge.ts'
import { typeOfEnumeration } from '../../fields/sentences.ts'
import type { Edition } from '../../words/edition.ts'
import type { Issue } from '../../words/refusal.ts'
import { remember } from '../../words/remember.ts'
import type { BodyOf } from '../family.ts'

export type ChartRequest = BodyOf<'chart.query'>
export type ChartSeries = ChartRequest['series'][number]

const whole = 'Timestamp must be an integer'
const union = 'Invalid input'

/** Seconds have ten digits: whoever sends them meant another moment. */
const checkMoment: NonNullable<BodyRules['checks']>[string] = (time: number, complain) => {
  if (time <= 0) complain('Timestamp must be positive')
  if (String(time).length < 13) complain('Timestamp must be in milliseconds')
}

const rules: BodyRules = {
  sentences: {
    'series least': 'Series array cannot be empty',
    'series.metricDataType type': typeOfEnumeration,
    'series.sortOrder type': union,
    'series.sortOrder values': union,
    'startTime whole': whole,
    'endTime whole': whole,
  },
  checks: {
    startTime: checkMoment,
    endTime: checkMoment,
    series: (series: readonly ChartSeries[] | ChartSeries, complain) => {
      if (!Array.isArray(series)) return
      const groups = new Set(series.map(({ groupBy }: ChartSeries) => JSON.stringify(groupBy)))
      if (groups.size > 1) complain('All series must have the same groupBy fields')
    },
  },
}

/** By edition and by how many series there may be. */
const judgeOf = remember((key: string): Judge => {
  const [edition, most] = key.split(' ') as [Edition, string]
  const fields = { ...chartQuery.fields, series: { ...chartQuery.fields.series, most: Number(most) } }
  return createJudge({ type: 'object', fields }, { form: 'selfHosted', edition, part: 'Body', ...rules })
}, 10)

/** The request of a body, or everything that is wrong with it. Twelve characters of any kind are an id, too. */
export function readChartRequest(
  body: unknown,
  edition: Edition,
  mostSeries: number,
): { readonly request: ChartRequest } | { readonly issues: readonly Issue[] } {
  const { value, issues } = judgeOf(`${edition} ${mostSeries}`)(body, {
    edition,
    now: 0,
    twelveCharacters: true,
    mostSeries,
  })
  return issues.length > 0 ? { issues } : { request: value as ChartRequest }
}
