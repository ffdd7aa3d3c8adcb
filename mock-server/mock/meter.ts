import type { Form } from '../../fixtures/contract/index.ts'

/** The number of calls with these labels. Each label has few values, so that there are few counters. */
interface CallCount {
  readonly form: Form
  /** Absent for calls without an operation. */
  readonly operation?: string
  /** 0 if the connection was closed without an answer. */
  readonly status: number
  readonly count: number
}

/** A histogram of durations in seconds, by form, without the latency of chaos. */
export interface Durations {
  readonly form: Form
  /** Cumulative counts by upper bound; the last bucket has all. */
  readonly buckets: readonly { readonly atMost: number; readonly count: number }[]
  readonly sum: number
}

/** Counters of a mock over all of its worlds, including closed ones, since its start. */
export interface Statistics {
  readonly calls: readonly CallCount[]
  readonly durations: readonly Durations[]
}

interface MeasuredCall extends Omit<CallCount, 'count'> {
  readonly ms: number
}

/** Upper bounds of the buckets, in seconds. */
const bounds = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, Number.POSITIVE_INFINITY]

export type Meter = ReturnType<typeof createMeter>

export function createMeter() {
  const calls = new Map<string, { -readonly [Field in keyof CallCount]: CallCount[Field] }>()
  const durations = new Map<Form, { sum: number; counts: number[] }>()
  return {
    record({ form, operation, status, ms }: MeasuredCall): void {
      const key = `${form} ${status} ${operation ?? ''}`
      const counter = calls.get(key) ?? { form, ...(operation !== undefined && { operation }), status, count: 0 }
      calls.set(key, counter)
      counter.count++

      const histogram = durations.get(form) ?? { sum: 0, counts: bounds.map(() => 0) }
      durations.set(form, histogram)
      const seconds = ms / 1000
      histogram.sum += seconds
      histogram.counts[bounds.findIndex(bound => seconds <= bound)]!++
    },
    read: (): Statistics => ({
      calls: [...calls.values()].map(count => ({ ...count })),
      durations: [...durations].map(([form, { sum, counts }]) => {
        let count = 0
        const buckets = bounds.map((atMost, i) => {
          count += counts[i]!
          return { atMost, count }
        })
        return { form, sum, buckets }
      }),
    }),
  }
}
