/** Thrown for a filter, column or group that cannot be read. Callers of the engine turn it into a refusal. */
export class InvalidQuery {
  constructor(
    /** What was expected, in the words of the mock and without the position. */
    readonly sentence: string,
    /** The position in the text, from 0. */
    readonly at = 0,
    /** The sentence of real deployments: that of their parser or database. */
    readonly raw = sentence,
    /** The name that the database gives to this kind of error, such as `UNKNOWN_IDENTIFIER`; undefined for other kinds. */
    readonly code?: string,
    /** The part of the query, such as `where`, if known. */
    readonly part?: string,
  ) {}

  with({ at = this.at, raw = this.raw, code = this.code, part = this.part }): InvalidQuery {
    return new InvalidQuery(this.sentence, at, raw, code, part)
  }
}

/** Runs `read` and adds the name of the part to an InvalidQuery that it throws. */
export function inPart<T>(part: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof InvalidQuery ? error.with({ part }) : error
  }
}
