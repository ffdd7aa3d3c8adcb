import type { Chaos, Disturbances } from './chaos.ts'

/** Describes the chaos settings that are on, in a few words each. */
export function sayChaos({ rateLimit, operations, byOperation = {}, ...general }: Chaos): string[] {
  const notes = [...sayDisturbances(general), ...(rateLimit ? ['rate limits'] : [])]
  const limited = operations && notes.length > 0 ? [...notes, `only ${operations.join(', ')}`] : notes
  return [...limited, ...Object.entries(byOperation).flatMap(([id, own]) => sayOf(id, own))]
}

const sayOf = (id: string, own: Disturbances): string[] => {
  const notes = sayDisturbances(own)
  return notes.length > 0 ? [`${id}: ${notes.join(', ')}`] : []
}

function sayDisturbances({ latencyMs, errorRate, dropRate, truncateRate }: Disturbances): string[] {
  const percent = (rate = 0) => `${Math.round(rate * 1000) / 10} %`
  return [
    latencyMs && latencyMs[1] > 0 && `${[...new Set(latencyMs)].join('–')} ms`,
    errorRate && `${percent(errorRate)} errors`,
    dropRate && `${percent(dropRate)} dropped`,
    truncateRate && `${percent(truncateRate)} cut off`,
  ].filter(note => typeof note === 'string')
}
