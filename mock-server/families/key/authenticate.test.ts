import { describe, expect, it } from 'vitest'
import { callerNamesIn, tokenOf } from '../../words/authorization.ts'
import { type AnyModel, keyOf } from '../../world/collection.ts'
import { createDocuments } from '../../world/stored.ts'
import type { World } from '../../world/world.ts'
import { isAccessKey, teams } from '../team/index.ts'
import { findKey } from './authenticate.ts'
import { type Key, keys } from './model.ts'

const key = { id: 'record', keyId: 'key', keySecret: 'se:cret', organizationId: 'o', name: 'Terraform' } as Key
const basic = (credentials: string) => `Basic ${btoa(credentials)}`

/** A world with these keys, and a team whose access key is `access`. */
function createWorldWith(...list: readonly Key[]): World {
  const keyRecords = createDocuments<object>('key', record => keyOf(keys, record))
  for (const one of list) keyRecords.create(one)
  const teamRecords = createDocuments<object>('team', record => keyOf(teams, record))
  teamRecords.create({ id: 'team', accessKey: 'access', ingestionKey: 'ingestion' })
  const cache = new Map<string, unknown>()
  const once = (name: string, make: () => unknown) => {
    if (!cache.has(name)) cache.set(name, make())
    return cache.get(name)
  }
  return { once, in: (model: AnyModel) => (model === keys ? keyRecords : teamRecords) } as World
}
const world = createWorldWith(key)

describe('basic credentials', () => {
  it.each([
    ['a colon in the secret', basic('key:se:cret')],
    ['the scheme in another letter case', `bASIC ${btoa('key:se:cret')}`],
    ['more than one space', `Basic   ${btoa('key:se:cret')}`],
  ])('are accepted with %s', (_, header) => {
    expect(findKey(world, header)).toBe(key)
  })

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['another secret of the same length', basic('key:se:creT')],
    ['another first character of the secret', basic('key:Se:cret')],
    ['the beginning of the secret', basic('key:se:cre')],
    ['more than the secret', basic('key:se:cret\0')],
    ['an empty secret', basic('key:')],
    ['no colon', basic('key')],
    ['no key id', basic(':se:cret')],
    ['another key id', basic('yek:se:cret')],
    ['the key id in another letter case', basic('KEY:se:cret')],
    ['invalid Base64', 'Basic %%%'],
    ['Base64 of an impossible length', 'Basic a'],
    ['no space after the scheme', `Basic${btoa('key:se:cret')}`],
    ['text before the scheme', `x${basic('key:se:cret')}`],
    ['text after the credentials', `${basic('key:se:cret')} x`],
  ])('are refused with %s', (_, header) => {
    expect(findKey(world, header)).toBeUndefined()
  })

  it('ignore the letter case of the key id by choice, but never that of the secret', () => {
    expect(findKey(world, basic('KEY:se:cret'), true)).toBe(key)
    expect(findKey(world, basic('KEY:SE:CRET'), true)).toBeUndefined()
  })

  it('are refused without a colon, also if splitting them at the index -1 would give key id and secret', () => {
    const other = createWorldWith({ ...key, keyId: 'abc', keySecret: 'abcd' })
    expect(findKey(other, basic('abc:abcd'))).toBeDefined()
    expect(findKey(other, basic('abcd'))).toBeUndefined()
  })
})

describe('a bearer token', () => {
  it('is the text after "Bearer ", anywhere in the header, up to the next "Bearer "', () => {
    for (const header of ['Bearer access', 'xxBearer access', 'Bearer accessBearer more']) {
      expect(isAccessKey(world, header)).toBe(true)
    }
    for (const header of [undefined, '', 'access', 'bearer access', 'Bearer ', 'Bearer accesS', 'Bearer access ']) {
      expect(isAccessKey(world, header)).toBe(false)
    }
    expect(isAccessKey(world, 'Bearer ingestion')).toBe(false)
    expect(tokenOf('Bearer a Bearer b')).toBe('a ')
  })

  it('ignores the letter case of the token by choice, but never that of the scheme', () => {
    expect(isAccessKey(world, 'Bearer ACCESS', true)).toBe(true)
    expect(isAccessKey(world, 'bearer access', true)).toBe(false)
  })
})

describe('the caller names in a header', () => {
  it.each([
    [basic('key:se:cret'), ['key', 'se']],
    [basic('key'), ['key']],
    ['Bearer access', ['access']],
    ['Basic a', ['a']],
    ['Token one two', ['two']],
    ['alone', ['alone']],
  ])('of %s are %j', (header, names) => {
    expect(callerNamesIn(header)).toEqual(names)
  })
})
