import { Unreadable } from '../query/unreadable.ts'
import type { Scalar } from './compiled.ts'

/** Some seconds of work. A step is the smallest thing that is counted, such as a look at eight characters. */
const mostSteps = 100_000_000

/** What it takes to hand one value to a function. */
const stepsPerValue = 4

/** What it takes to write one element of an array, and the memory that it needs. */
const stepsPerElement = 4

/** As many characters are read in the time of one step. */
const charactersPerStep = 8

/** The characters that are held at once: of texts that were made, of groups, and of the answer. */
const mostKept = 128 * 1024 * 1024

/** Parts up to this length are found in about the time in which the text is read. */
const shortPart = 32

/**
 * What one query may cost, with all its series: a part of it may be cheap by itself, and yet stand there a thousand times
 * and be run for each of a million rows. Handed from the query to whatever works for it.
 */
export class Budget {
  #steps = 0
  #kept = 0

  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps > mostSteps) {
      throw new Unreadable('Expected a query that takes less time: ask for a shorter time or by simpler expressions')
    }
  }

  read(characters: number): void {
    this.spend(characters / charactersPerStep)
  }

  /** What a function is called with: to look at a long text or at many elements takes longer. */
  take(value: Scalar): void {
    this.spend(stepsPerValue + (typeof value === 'string' ? value.length / charactersPerStep : 0))
    if (typeof value === 'object') this.made(value)
  }

  /** What a function makes: its characters and elements are written. */
  made(value: Scalar): void {
    if (typeof value === 'string') this.read(value.length)
    if (typeof value !== 'object' || value === null) return
    const parts: readonly Scalar[] = Array.isArray(value) ? value : Object.values(value)
    this.spend(parts.length * stepsPerElement)
    // A list of few elements may hold long texts, which are compared and written as they are.
    for (const part of parts) if (typeof part !== 'number') this.made(part)
  }

  /** A long part may agree almost to its end at every place of the text. */
  search(text: string, part: string): void {
    if (part.length > shortPart) this.read((text.length * (part.length - shortPart)) / charactersPerStep)
  }

  /** Numbers are small, maps share the texts of the rows; an element of a list is held by a few characters' worth. */
  keep(value: unknown): void {
    if (typeof value !== 'string' && !Array.isArray(value)) return
    this.#kept += value.length
    if (this.#kept > mostKept) {
      throw new Unreadable('Expected a query that needs less memory: ask for fewer groups or by shorter expressions')
    }
  }
}
