import { type AnswerReads, type Place, placeBelow } from '../core/usage/place.ts'

/** Methods and properties that give the program the whole text of an answer, so that it counts as read whole. */
const wholeReads = ['arrayBuffer', 'blob', 'bytes', 'formData', 'text'] as const

/**
 * Notes which fields of an answer a program reads, in a Response that behaves as before. The value of `json()` consists of
 * plain objects whose fields are accessors: a Proxy would be refused by structuredClone and by messages to workers.
 */
export function watchResponse(response: Response, reads: AnswerReads): Response {
  const readWhole = () => {
    for (const place of reads.places) place.isWhole = true
  }
  if (reads.places.length === 0 || !response.body) return response
  const { json, clone } = response
  const own: PropertyDescriptorMap = {
    json: { value: async () => watchValue(await json.call(response), reads.places) },
    clone: { value: () => watchResponse(clone.call(response), reads) },
  }
  for (const name of wholeReads) {
    const read = response[name] as (() => unknown) | undefined
    if (!read) continue
    own[name] = {
      value: () => {
        readWhole()
        return read.call(response)
      },
    }
  }
  const getBody = Object.getOwnPropertyDescriptor(Response.prototype, 'body')?.get
  own.body = {
    get: () => {
      readWhole()
      return getBody?.call(response)
    },
  }
  return Object.defineProperties(response, own)
}

function watchValue(value: unknown, places: readonly Place[]): unknown {
  for (const place of places) place.count++
  if (Array.isArray(value)) {
    const items = places.map(place => placeBelow(place, '[]'))
    for (const item of items) item.isRead = true
    for (let index = 0; index < value.length; index++) value[index] = watchValue(value[index], items)
    return value
  }
  return typeof value === 'object' && value !== null ? watchObject(value as Record<string, unknown>, places) : value
}

/** What Node calls to print an object, which would show accessors instead of values. */
const inspectSymbol = Symbol.for('nodejs.util.inspect.custom')

function watchObject(object: Record<string, unknown>, places: readonly Place[]): object {
  for (const name of Object.keys(object)) {
    const below = places.map(place => placeBelow(place, name))
    const value = watchValue(object[name], below)
    Object.defineProperty(object, name, {
      get: () => {
        for (const place of below) place.isRead = true
        return value
      },
      set(written) {
        const plain = { value: written, writable: true, enumerable: true, configurable: true }
        Object.defineProperty(this, name, plain)
      },
      enumerable: true,
      configurable: true,
    })
  }
  return Object.defineProperty(object, inspectSymbol, {
    value: (_: number, options: object, inspect: (value: unknown, options: object) => string) =>
      inspect({ ...object }, options),
    enumerable: false,
    configurable: true,
    writable: true,
  })
}
