import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAdministrative } from './administrative.ts'
import type { Collection } from './collection.ts'
import { createDocuments } from './stored.ts'

interface Thing {
  readonly id: string
  readonly inner: { readonly number: number; readonly list: readonly number[] }
}

const keyOf = ({ id }: Thing) => id
const thing = (id: string, number = 0): Thing => ({ id, inner: { number, list: [number] } })

const kinds: readonly [string, (name: string, key: typeof keyOf) => Collection<Thing>][] = [
  ['administrative records', createAdministrative],
  ['documents', createDocuments],
]

const tasks = ['create', 'replace', 'touch', 'remove', 'get', 'list'] as const
const operation = fc.record({
  task: fc.constantFrom(...tasks),
  // Few keys, so that operations meet on them; two are names that every object inherits.
  key: fc.constantFrom('a', 'b', 'c', '1', 'constructor', '__proto__'),
  number: fc.integer(),
})
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

/** What a collection returns or throws, and what it holds afterwards. */
function perform(collection: Collection<Thing>, { task, key, number }: Operation) {
  const act = () => {
    if (task === 'list') return collection.list()
    return task === 'remove' || task === 'get' ? collection[task](key) : collection[task](thing(key, number))
  }
  let outcome: unknown
  try {
    outcome = act()
  } catch (error) {
    outcome = (error as Error).message
  }
  const { size, version } = collection
  return { outcome, size, version, list: collection.list() }
}

describe('the two kinds of collection', () => {
  it('behave the same for any sequence of operations', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), operations => {
        const administrative = createAdministrative<Thing>('thing', keyOf)
        const documents = createDocuments<Thing>('thing', keyOf)
        for (const one of operations) expect(perform(administrative, one)).toEqual(perform(documents, one))
      }),
      { numRuns: 200 },
    )
  })
})

describe.each(kinds)('%s', (_, create) => {
  it('are listed in order of creation, also after a replacement', () => {
    const things = create('thing', keyOf)
    for (const id of ['b', 'a', 'c']) things.create(thing(id))
    things.replace(thing('b', 7))
    expect(things.list()).toEqual([thing('b', 7), thing('a'), thing('c')])
    things.remove('b')
    things.create(thing('b', 8))
    expect(things.list().map(keyOf)).toEqual(['a', 'c', 'b'])
  })

  it('do not change a list that they returned before', () => {
    const things = create('thing', keyOf)
    things.create(thing('a'))
    const before = things.list()
    things.replace(thing('a', 1))
    things.touch(thing('a', 2))
    things.create(thing('b'))
    things.remove('a')
    expect(before).toEqual([thing('a')])
  })

  it('keep their version on a touch, and increase it on a write', () => {
    const things = create('thing', keyOf)
    things.create(thing('a'))
    const { version } = things
    things.touch(thing('a', 1))
    expect([things.get('a'), things.list(), things.version]).toEqual([thing('a', 1), [thing('a', 1)], version])
    things.replace(thing('a', 2))
    expect([things.get('a'), things.list(), things.version]).toEqual([thing('a', 2), [thing('a', 2)], version + 1])
    things.touch(thing('a', 3))
    expect(things.list()).toEqual([thing('a', 3)])
    expect(things.remove('b')).toBe(false)
    expect(things.version).toBe(version + 1)
  })

  it('name the record that already exists or is missing', () => {
    const things = create('thing', keyOf)
    things.create(thing('a'))
    expect(() => things.create(thing('a'))).toThrow('create a record of thing: the key a is taken')
    expect(() => things.replace(thing('b'))).toThrow('replace a record of thing: there is none with the key b')
    expect(() => things.touch(thing('b'))).toThrow('touch a record of thing: there is none with the key b')
  })
})

/** A BroadcastChannel as in browsers: a message arrives at all other channels of the same name. */
class Channel {
  static readonly open: Channel[] = []
  onmessage: ((event: { data: unknown }) => void) | null = null
  readonly listeners: ((event: { data: unknown }) => void)[] = []
  constructor(readonly name: string) {
    Channel.open.push(this)
  }
  addEventListener(_: string, listener: (event: { data: unknown }) => void) {
    this.listeners.push(listener)
  }
  postMessage(data: unknown) {
    for (const other of Channel.open) {
      if (other === this || other.name !== this.name) continue
      const event = { data: structuredClone(data) }
      for (const listener of other.listeners) listener(event)
      other.onmessage?.(event)
    }
  }
  close() {
    Channel.open.splice(Channel.open.indexOf(this), 1)
  }
}

describe('administrative records in a browser', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    Channel.open.length = 0
  })

  it('are not copied between databases, and leave no channel open', () => {
    vi.stubGlobal('BroadcastChannel', Channel)
    vi.stubGlobal('window', globalThis)
    const [one, other] = [createAdministrative<Thing>('thing', keyOf), createAdministrative<Thing>('thing', keyOf)]
    one.create(thing('a', 1))
    other.create(thing('b', 1))
    one.replace(thing('a', 2))
    expect([one.list(), other.list()]).toEqual([[thing('a', 2)], [thing('b', 1)]])
    expect(Channel.open).toEqual([])
    expect(globalThis.BroadcastChannel).toBe(Channel)
  })
})
