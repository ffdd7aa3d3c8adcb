/** A value, or a promise if an engine elsewhere has to answer. */
export type Eventually<T> = T | Promise<T>

/** Like `then`, but synchronous if the value is available. */
export function when<T, U>(value: Eventually<T>, next: (value: T) => Eventually<U>): Eventually<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Like `Promise.all`, but synchronous if all values are available. */
export function whenAll<T, U>(values: readonly Eventually<T>[], next: (values: readonly T[]) => U): Eventually<U> {
  return values.some(value => value instanceof Promise) ? Promise.all(values).then(next) : next(values as readonly T[])
}

/** Like `read`, with errors that are thrown or rejected replaced by `explain(error)`. */
export function mapErrors<T>(read: () => Eventually<T>, explain: (error: unknown) => unknown): Eventually<T> {
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
