import type { RunDetails } from 'fast-check'

/** Reports a failure with the seed that reproduces it. */
export function reportSeed<T>({ failed, seed, numRuns, counterexamplePath, errorInstance }: RunDetails<T>): void {
  if (!failed) return
  const description = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  throw new Error(`after ${numRuns} runs of --seed ${seed} (path ${counterexamplePath}): ${description}`)
}

/** Shortens a request for a message. */
export const shorten = (text: string) =>
  text.length > 2000 ? `${text.slice(0, 1500)} … ${text.length} characters … ${text.slice(-300)}` : text
