import { InvalidQuery } from '../query/invalid-query.ts'
import type { Scalar } from './compiled.ts'

/** Limit of steps per query, some seconds of work. Comparing eight characters is one step. */
const maxSteps = 100_000_000

/** Steps per argument of a function, and per element of an array that it returns. */
const stepsPerValue = 4
const stepsPerElement = 4

const charactersPerStep = 8

/** Limit of characters that a query holds at once: computed strings, groups and the answer. */
const maxCharactersInMemory = 128 * 1024 * 1024

/** Searching a text for a substring of up to this length takes about as long as reading the text. */
const shortSubstring = 32

/** Limits the cost of a query with all its series: even a cheap expression may occur a thousand times, for a million rows. */
export class Budget {
  #steps = 0
  #charactersInMemory = 0

  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps > maxSteps) {
      throw new InvalidQuery('Expected a query that takes less time: ask for a shorter time or by simpler expressions')
    }
  }

  chargeCharacters(characters: number): void {
    this.spend(characters / charactersPerStep)
  }

  /** Charges an argument of a call: long strings and many elements take longer. */
  chargeArgument(value: Scalar): void {
    this.spend(stepsPerValue + (typeof value === 'string' ? value.length / charactersPerStep : 0))
    if (typeof value === 'object') this.chargeResult(value)
  }

  /** Charges the result of a call by its characters and elements. */
  chargeResult(value: Scalar): void {
    if (typeof value === 'string') this.chargeCharacters(value.length)
    if (typeof value !== 'object' || value === null) return
    const parts: readonly Scalar[] = Array.isArray(value) ? value : Object.values(value)
    this.spend(parts.length * stepsPerElement)
    // A short list may hold long strings.
    for (const part of parts) if (typeof part !== 'number') this.chargeResult(part)
  }

  /** Charges the search for a long substring, which may match almost to its end at every position. */
  chargeSearch(text: string, part: string): void {
    if (part.length > shortSubstring)
      this.chargeCharacters((text.length * (part.length - shortSubstring)) / charactersPerStep)
  }

  /** Charges memory: strings by characters, lists by elements. Maps are free, because they share the strings of rows. */
  chargeMemory(value: unknown): void {
    if (typeof value !== 'string' && !Array.isArray(value)) return
    this.#charactersInMemory += value.length
    if (this.#charactersInMemory > maxCharactersInMemory) {
      throw new InvalidQuery('Expected a query that needs less memory: ask for fewer groups or by shorter expressions')
    }
  }
}
