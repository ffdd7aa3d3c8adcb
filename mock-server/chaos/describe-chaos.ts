import type { Chaos, Disturbances } from './chaos.ts'

// A file of its own: the console page loads it, without the contract that chaos.ts imports.

/** Describes the chaos settings that are on, in a few words each. */
export function describeChaos({ rateLimit, operations, byOperation = {}, ...general }: Chaos): string[] {
  const notes = [...describeDisturbances(general), ...(rateLimit ? ['rate limits'] : [])]
  if (operations && notes.length > 0) notes.push(`only ${operations.join(', ')}`)
  const ofOperations = Object.entries(byOperation)
    .map(([id, own]) => [id, describeDisturbances(own).join(', ')] as const)
    .flatMap(([id, own]) => (own ? `${id}: ${own}` : []))
  return [...notes, ...ofOperations]
}

function describeDisturbances({ latencyMs, errorRate, dropRate, truncateRate }: Disturbances): string[] {
  const percent = (rate = 0) => `${Math.round(rate * 1000) / 10} %`
  return [
    latencyMs && latencyMs[1] > 0 && `${[...new Set(latencyMs)].join('–')} ms`,
    errorRate && `${percent(errorRate)} errors`,
    dropRate && `${percent(dropRate)} dropped`,
    truncateRate && `${percent(truncateRate)} cut off`,
  ].filter(note => typeof note === 'string')
}
