/** A value that is there at once, or that an engine elsewhere still has to say. */
export type Eventually<T> = T | Promise<T>

/** Goes on with a value: at once when it is there. */
export function when<T, U>(value: Eventually<T>, next: (value: T) => Eventually<U>): Eventually<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Goes on when all values are there. */
export function whenAll<T, U>(values: readonly Eventually<T>[], next: (values: readonly T[]) => U): Eventually<U> {
  return values.some(value => value instanceof Promise) ? Promise.all(values).then(next) : next(values as readonly T[])
}

/** Reads a value, now or later, and has what is thrown on the way explained. */
export function explaining<T>(read: () => Eventually<T>, explain: (error: unknown) => unknown): Eventually<T> {
  const fail = (error: unknown): never => {
    throw explain(error)
  }
  try {
    const value = read()
    return value instanceof Promise ? value.catch(fail) : value
  } catch (error) {
    return fail(error)
  }
}
