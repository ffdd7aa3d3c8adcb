import type { RunDetails } from 'fast-check'

/** Reports a failure in a few words, with the seed that brings it back. */
export function reportSeed<T>({ failed, seed, numRuns, counterexamplePath, errorInstance }: RunDetails<T>): void {
  if (!failed) return
  const description = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  throw new Error(`after ${numRuns} runs of --seed ${seed} (path ${counterexamplePath}): ${description}`)
}

/** As much of a request as somebody wants to read. */
export const shorten = (text: string) =>
  text.length > 2000 ? `${text.slice(0, 1500)} … ${text.length} characters … ${text.slice(-300)}` : text
