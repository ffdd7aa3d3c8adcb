import { type Place, placeBelow } from '../core/usage/place.ts'

/**
 * A Response that behaves as any other, and notes in places which fields of its body the program reads. The value of `json()`
 * consists of plain objects whose fields are accessors: a Proxy would be refused by structuredClone and by messages to workers.
 * Every way to the whole text of the body counts as reading all of it. It is a class, since methods that are defined on each
 * response take 15 µs.
 */
export class WatchedResponse extends Response {
  readonly #places: readonly Place[]

  constructor(body: BodyInit, init: ResponseInit, places: readonly Place[]) {
    super(body, init)
    this.#places = places
  }

  #readWhole() {
    for (const place of this.#places) place.isWhole = true
  }

  override async json() {
    return watchValue(await super.json(), this.#places)
  }

  override clone() {
    const { body, status, statusText, headers } = super.clone()
    return new WatchedResponse(
      body as ReadableStream<Uint8Array<ArrayBuffer>>,
      { status, statusText, headers },
      this.#places,
    )
  }

  override get body() {
    this.#readWhole()
    return super.body
  }

  override text() {
    this.#readWhole()
    return super.text()
  }

  override arrayBuffer() {
    this.#readWhole()
    return super.arrayBuffer()
  }

  override blob() {
    this.#readWhole()
    return super.blob()
  }

  override bytes() {
    this.#readWhole()
    return super.bytes()
  }

  override formData() {
    this.#readWhole()
    return super.formData()
  }
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
  readonly descriptors: readonly PropertyDescriptor[]
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
  const watched = {}
  // One by one: `Object.create` with all of them takes almost twice as long.
  for (let index = 0; index < names.length; index++)
    Object.defineProperty(watched, names[index]!, shape.descriptors[index]!)
  return new Watched(Object.defineProperty(watched, inspectSymbol, inspectDescriptor), values)
}

function createShape(names: readonly string[], places: readonly Place[]): Shape {
  const fields = names.map(name => belowOf(places, name))
  return { names, places: fields, descriptors: names.map((name, index) => describeField(name, fields[index]!)) }
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
