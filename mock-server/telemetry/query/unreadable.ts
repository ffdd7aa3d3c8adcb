/**
 * Why a filter, a column or a group cannot be read: thrown inside the chart engine, and turned into a refusal at its door.
 */
export class Unreadable {
  constructor(
    /** What was expected, in a sentence of ours without its place. */
    readonly sentence: string,
    /** Where in the text, from 0. */
    readonly at = 0,
    /** What a real deployment says instead: the words of its parser or of its database. */
    readonly raw = sentence,
    /** The part of the query that it stands in, such as `where`, where that is known. */
    readonly part?: string,
  ) {}
}

/** Reads what belongs to a part of a query; what is unreadable there is thrown with the name of the part. */
export function inPart<T>(part: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof Unreadable ? new Unreadable(error.sentence, error.at, error.raw, part) : error
  }
}
