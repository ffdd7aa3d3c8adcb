import { type Place, placeBelow } from '../core/usage/place.ts'

/**
 * A Response that behaves as any other, and notes in places which fields of its body the program reads. The value of `json()`
 * consists of plain objects whose fields are accessors: a Proxy would be refused by structuredClone and by messages to workers.
 * Every way to the whole text of the body counts as reading all of it. It is a class, since methods that are defined on each
 * response take 15 µs. `json()` reads the bytes that the response was made of: through the stream it takes 20 µs more, and
 * accessors take as long.
 */
export class WatchedResponse extends Response {
  readonly #places: readonly Place[]
  readonly #bytes: Uint8Array | undefined
  #isRead = false

  constructor(body: BodyInit, init: ResponseInit, places: readonly Place[]) {
    super(body, init)
    this.#places = places
    if (body instanceof Uint8Array) this.#bytes = body
  }

  /** Notes that the body is read whole, and marks it as used if `json()` has read it without. */
  #readWhole() {
    for (const place of this.#places) place.isWhole = true
    this.#markUsed()
  }

  #markUsed() {
    if (this.#isRead && !super.bodyUsed) void super.arrayBuffer()
  }

  override async json() {
    const isUnread = this.#bytes && !this.bodyUsed && !super.body?.locked
    if (!isUnread) {
      this.#markUsed()
      return watchValue(await super.json(), this.#places)
    }
    this.#isRead = true
    return watchValue(JSON.parse(new TextDecoder().decode(this.#bytes)), this.#places)
  }

  override get bodyUsed() {
    return this.#isRead || super.bodyUsed
  }

  override clone() {
    this.#markUsed()
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
  return new Watched(value, value)
}

type Values = Record<string, unknown>

/** Returns the object that it is given, so that a subclass adds its private fields to any object. */
class Given {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: private fields of a subclass go to the returned object.
    return object
  }
}

/** Keeps the values of a watched object where the program cannot see them, and marks a watched list. */
class Watched extends Given {
  readonly #values: Values | unknown[]

  constructor(object: object, values: Values | unknown[]) {
    super(object)
    this.#values = values
  }

  static has(object: object): boolean {
    return #values in object
  }

  /** The values of a watched object, or of one that inherits from it. */
  static valuesOf(object: object | null): Values | undefined {
    let holder = object
    while (holder !== null) {
      if (#values in holder) return holder.#values as Values
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
  const watched: Values = {}
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!
    const value = values[name]
    const isPlain =
      (typeof value !== 'object' || value === null) && name !== '__proto__' && isRead(shape.places[index]!)
    // One by one: `Object.create` with all accessors takes almost twice as long.
    if (isPlain) watched[name] = value
    else Object.defineProperty(watched, name, shape.descriptors[index]!)
  }
  return new Watched(Object.defineProperty(watched, inspectSymbol, inspectDescriptor), values)
}

/** Whether nothing is left to be noted of a field without fields of its own. */
function isRead(places: readonly Place[]): boolean {
  for (const place of places) if (!place.isRead) return false
  return true
}

function createShape(names: readonly string[], places: readonly Place[]): Shape {
  const fields = names.map(name => belowOf(places, name))
  return { names, places: fields, descriptors: names.map((name, index) => describeField(name, fields[index]!)) }
}

const belowOf = (places: readonly Place[], name: string) => places.map(place => placeBelow(place, name))

function describeField(name: string, places: readonly Place[]): PropertyDescriptor {
  return {
    get() {
      for (const place of places) place.isRead = true
      const values = Watched.valuesOf(this as object)
      const value = values?.[name]
      if (typeof value !== 'object' || value === null || Watched.has(value)) return value
      // Its presence was counted with the object that has it.
      for (const place of places) place.count--
      const own = watchValue(value, places)
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
