import type { Chaos } from './chaos.ts'

/** Describes the chaos settings that are on, in a few words each. */
export function sayChaos({ latencyMs, errorRate, dropRate, truncateRate, rateLimit, operations }: Chaos): string[] {
  const percent = (rate = 0) => `${Math.round(rate * 1000) / 10} %`
  const notes = [
    latencyMs && latencyMs[1] > 0 && `${[...new Set(latencyMs)].join('–')} ms`,
    errorRate && `${percent(errorRate)} errors`,
    dropRate && `${percent(dropRate)} dropped`,
    truncateRate && `${percent(truncateRate)} cut off`,
    rateLimit && 'rate limits',
  ].filter(note => typeof note === 'string')
  return operations && notes.length > 0 ? [...notes, `only ${operations.join(', ')}`] : notes
}
