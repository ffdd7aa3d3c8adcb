import { InvalidQuery } from './invalid-query.ts'

/** The tables of a metric source that can be charted. */
export type MetricType = 'gauge' | 'sum' | 'histogram' | 'exponential histogram'

export interface Metric {
  readonly name: string
  readonly type: MetricType
  /** The edition whose computation applies. */
  readonly edition: '2.24' | '2.36'
}

/** Throws for aggregate functions that metrics of this type do not have. */
export function checkAggregate({ type }: Metric, aggFn: string, level: number | undefined): void {
  if (type === 'gauge' && aggFn === 'increase') {
    throw new InvalidQuery('Expected a metric of the type sum, which alone has an increase')
  }
  if (!type.endsWith('histogram') || aggFn === 'count') return
  if (aggFn === 'quantile') {
    if (level === undefined) throw new InvalidQuery('Expected a level: a quantile of a histogram has no default')
    return
  }
  const sentence = `Expected quantile or count of a metric of the type ${type}, which has no "${aggFn}"`
  const raw =
    type === 'histogram'
      ? `${aggFn} is not supported for histograms currently`
      : `${aggFn} is not currently supported for exponential histogram metrics`
  throw new InvalidQuery(sentence, 0, raw)
}
