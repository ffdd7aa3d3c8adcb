/** A value, or a promise of it where an external engine computes it. */
export type MaybePromise<T> = T | Promise<T>

/** Like `then`, but synchronous if the value is available. */
export function when<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Like `Promise.all`, but synchronous if all values are available. */
export function whenAll<T, U>(values: readonly MaybePromise<T>[], next: (values: readonly T[]) => U): MaybePromise<U> {
  return values.some(value => value instanceof Promise) ? Promise.all(values).then(next) : next(values as readonly T[])
}

/** Like `read`, with errors that are thrown or rejected replaced by `explain(error)`. */
export function mapErrors<T>(read: () => MaybePromise<T>, explain: (error: unknown) => unknown): MaybePromise<T> {
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
