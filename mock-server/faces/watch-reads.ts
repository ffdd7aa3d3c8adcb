import { type AnswerReads, type Place, placeBelow } from '../core/usage/place.ts'

/** Methods that give the program the whole text of an answer, so that it counts as read whole. */
const wholeReads = ['arrayBuffer', 'blob', 'bytes', 'formData', 'text'] as const

/**
 * Notes which fields of an answer a program reads, in a Response that behaves as before. The value of `json()` consists of
 * plain objects whose fields are accessors: a Proxy would be refused by structuredClone and by messages to workers.
 */
export function watchResponse(response: Response, reads: AnswerReads): Response {
  const { places } = reads
  const readWhole = () => {
    for (const place of places) place.isWhole = true
  }
  if (places.length === 0 || !response.body) return response
  const define = (name: string, value: unknown) => Object.defineProperty(response, name, { value })
  define('json', async () => watchValue(await Response.prototype.json.call(response), places))
  define('clone', () => watchResponse(Response.prototype.clone.call(response), reads))
  for (const name of wholeReads) {
    const read = response[name] as (() => unknown) | undefined
    if (read)
      define(name, () => {
        readWhole()
        return read.call(response)
      })
  }
  const getBody = Object.getOwnPropertyDescriptor(Response.prototype, 'body')?.get
  return Object.defineProperty(response, 'body', {
    get() {
      readWhole()
      return getBody?.call(response)
    },
  })
}

function watchValue(value: unknown, places: readonly Place[]): unknown {
  for (const place of places) place.count++
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) return watchObject(value as Values, places)
  const items = belowOf(places, '[]')
  for (const item of items) item.isRead = true
  for (let index = 0; index < value.length; index++) value[index] = watchValue(value[index], items)
  return value
}

type Values = Record<string, unknown>

/** Returns the object that it is given, so that a subclass adds its private fields to any object. */
class Given {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: private fields of a subclass go to the returned object.
    return object
  }
}

/** Keeps the values of a watched object where the program cannot see them. */
class Watched extends Given {
  readonly #values: Values

  constructor(object: object, values: Values) {
    super(object)
    this.#values = values
  }

  /** The values of a watched object, or of one that inherits from it. */
  static valuesOf(object: object | null): Values | undefined {
    let holder = object
    while (holder !== null) {
      if (#values in holder) return holder.#values
      holder = Object.getPrototypeOf(holder)
    }
    return undefined
  }
}

/** The accessors of the fields of objects in a place. Objects share them: with functions of its own, each would take longer. */
interface Shape {
  readonly names: readonly string[]
  /** The places of each field. */
  readonly places: readonly (readonly Place[])[]
  readonly descriptors: PropertyDescriptorMap
}

const shapeOfPlace = Symbol('shape')

function watchObject(values: Values, places: readonly Place[]): object {
  const known = places[0] as Place & { [shapeOfPlace]?: Shape }
  const names = Object.keys(values)
  let shape = known[shapeOfPlace]
  if (!shape || shape.names.length !== names.length || !shape.names.every((name, index) => name === names[index])) {
    shape = createShape(names, places)
    known[shapeOfPlace] = shape
  }
  for (const field of shape.places) for (const place of field) place.count++
  return new Watched(Object.create(Object.prototype, shape.descriptors), values)
}

function createShape(names: readonly string[], places: readonly Place[]): Shape {
  const fields = names.map(name => belowOf(places, name))
  const entries = names.map((name, index) => [name, describeField(name, fields[index]!)] as const)
  return { names, places: fields, descriptors: Object.fromEntries([...entries, [inspectSymbol, inspectDescriptor]]) }
}

const belowOf = (places: readonly Place[], name: string) => places.map(place => placeBelow(place, name))

function describeField(name: string, places: readonly Place[]): PropertyDescriptor {
  const watched = new WeakSet<object>()
  return {
    get() {
      for (const place of places) place.isRead = true
      const values = Watched.valuesOf(this as object)
      const value = values?.[name]
      if (typeof value !== 'object' || value === null || watched.has(value)) return value
      // Its presence was counted with the object that has it.
      for (const place of places) place.count--
      const own = watchValue(value, places) as object
      watched.add(own)
      values![name] = own
      return own
    },
    set(written) {
      const plain = { value: written, writable: true, enumerable: true, configurable: true }
      Object.defineProperty(this, name, plain)
    },
    enumerable: true,
    configurable: true,
  }
}

/** What Node calls to print an object, which would show accessors instead of values. */
const inspectSymbol = Symbol.for('nodejs.util.inspect.custom')
const inspectDescriptor: PropertyDescriptor = {
  value(this: object, _: number, options: object, inspect: (value: unknown, options: object) => string) {
    return inspect({ ...this }, options)
  },
  enumerable: false,
  configurable: true,
  writable: true,
}
