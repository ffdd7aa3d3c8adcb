import type { Form } from '../../fixtures/contract/index.ts'

/** Calls that were answered alike. Each field has few values, so that there are few of these however many calls come. */
export interface CallCount {
  readonly form: Form
  /** Absent for calls of no operation. */
  readonly operation?: string
  /** 0 where the connection was closed without an answer. */
  readonly status: number
  readonly count: number
}

/** How long the answers of a form took, in seconds, without the waiting that chaos adds. */
export interface Durations {
  readonly form: Form
  /** How many took at most so long; all of them are in the last. */
  readonly buckets: readonly { readonly atMost: number; readonly count: number }[]
  readonly sum: number
}

/** What a mock counts over all of its worlds, also those that are closed, from its start on. */
export interface Statistics {
  readonly calls: readonly CallCount[]
  readonly durations: readonly Durations[]
}

interface Metered {
  readonly form: Form
  readonly operation: string | undefined
  readonly status: number
  readonly ms: number
}

/** In seconds. */
const bounds = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, Number.POSITIVE_INFINITY]

export interface Meter {
  record(call: Metered): void
  read(): Statistics
}

export function createMeter(): Meter {
  const calls = new Map<string, { -readonly [Field in keyof CallCount]: CallCount[Field] }>()
  const durations = new Map<Form, { sum: number; counts: number[] }>()
  return {
    record({ form, operation, status, ms }) {
      const key = `${form} ${status} ${operation ?? ''}`
      const alike = calls.get(key)
      if (alike) alike.count++
      else calls.set(key, { form, ...(operation !== undefined && { operation }), status, count: 1 })

      let taken = durations.get(form)
      if (!taken) {
        taken = { sum: 0, counts: bounds.map(() => 0) }
        durations.set(form, taken)
      }
      const seconds = ms / 1000
      taken.sum += seconds
      taken.counts[bounds.findIndex(bound => seconds <= bound)]!++
    },
    read: () => ({
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
