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
  // Few keys, so that they meet, and among them some that objects have by nature.
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
  it('do the same over any operations', () => {
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
  it('are listed in order of creation, also after one was replaced', () => {
    const things = create('thing', keyOf)
    for (const id of ['b', 'a', 'c']) things.create(thing(id))
    things.replace(thing('b', 7))
    expect(things.list()).toEqual([thing('b', 7), thing('a'), thing('c')])
    things.remove('b')
    things.create(thing('b', 8))
    expect(things.list().map(keyOf)).toEqual(['a', 'c', 'b'])
  })

  it('keep a list that was handed out as it is', () => {
    const things = create('thing', keyOf)
    things.create(thing('a'))
    const before = things.list()
    things.replace(thing('a', 1))
    things.touch(thing('a', 2))
    things.create(thing('b'))
    things.remove('a')
    expect(before).toEqual([thing('a')])
  })

  it('take a touch as no new version, and a write as one', () => {
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

  it('say which record is there already, or is not there', () => {
    const things = create('thing', keyOf)
    things.create(thing('a'))
    expect(() => things.create(thing('a'))).toThrow('create a record of thing: the key a is taken')
    expect(() => things.replace(thing('b'))).toThrow('replace a record of thing: there is none with the key b')
    expect(() => things.touch(thing('b'))).toThrow('touch a record of thing: there is none with the key b')
  })
})

/** A channel as browsers have it: what is posted to one arrives at the others of the same name. */
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

describe('where there is a window', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    Channel.open.length = 0
  })

  it('two databases copy no records into each other, and no channel is left open', () => {
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
