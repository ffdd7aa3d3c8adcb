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
function worldWith(...list: readonly Key[]): World {
  const ofKeys = createDocuments<object>('key', record => keyOf(keys, record))
  for (const one of list) ofKeys.create(one)
  const ofTeams = createDocuments<object>('team', record => keyOf(teams, record))
  ofTeams.create({ id: 'team', accessKey: 'access', ingestionKey: 'ingestion' })
  const made = new Map<string, unknown>()
  const once = (name: string, make: () => unknown) => {
    if (!made.has(name)) made.set(name, make())
    return made.get(name)
  }
  return { once, in: (model: AnyModel) => (model === keys ? ofKeys : ofTeams) } as unknown as World
}
const world = worldWith(key)

describe('basic credentials', () => {
  it.each([
    ['key id and secret, with a colon in the secret', basic('key:se:cret')],
    ['any letter case of the scheme', `bASIC ${btoa('key:se:cret')}`],
    ['more than one blank', `Basic   ${btoa('key:se:cret')}`],
  ])('are %s', (_, header) => {
    expect(findKey(world, header)).toBe(key)
  })

  it.each([
    ['nothing', undefined],
    ['an empty header', ''],
    ['another secret of the same length', basic('key:se:creT')],
    ['another first sign of the secret', basic('key:Se:cret')],
    ['the beginning of the secret', basic('key:se:cre')],
    ['more than the secret', basic('key:se:cret\0')],
    ['an empty secret', basic('key:')],
    ['no colon', basic('key')],
    ['no key id', basic(':se:cret')],
    ['another key id', basic('yek:se:cret')],
    ['the key id in another letter case', basic('KEY:se:cret')],
    ['no Base64', 'Basic %%%'],
    ['Base64 of an impossible length', 'Basic a'],
    ['no blank', `Basic${btoa('key:se:cret')}`],
    ['something before the scheme', `x${basic('key:se:cret')}`],
    ['something after the credentials', `${basic('key:se:cret')} x`],
  ])('are not %s', (_, header) => {
    expect(findKey(world, header)).toBeUndefined()
  })

  it('are a key id in any letter case where that was chosen, but the secret as it is', () => {
    expect(findKey(world, basic('KEY:se:cret'), true)).toBe(key)
    expect(findKey(world, basic('KEY:SE:CRET'), true)).toBeUndefined()
  })

  it('are none without a colon, also where they are the secret and all but their last sign the key id', () => {
    const other = worldWith({ ...key, keyId: 'abc', keySecret: 'abcd' })
    expect(findKey(other, basic('abc:abcd'))).toBeDefined()
    expect(findKey(other, basic('abcd'))).toBeUndefined()
  })
})

describe('a bearer token', () => {
  it('is what stands behind the word, wherever that stands, up to the next such word', () => {
    for (const header of ['Bearer access', 'xxBearer access', 'Bearer accessBearer more']) {
      expect(isAccessKey(world, header)).toBe(true)
    }
    for (const header of [undefined, '', 'access', 'bearer access', 'Bearer ', 'Bearer accesS', 'Bearer access ']) {
      expect(isAccessKey(world, header)).toBe(false)
    }
    expect(isAccessKey(world, 'Bearer ingestion')).toBe(false)
    expect(tokenOf('Bearer a Bearer b')).toBe('a ')
  })

  it('may be in any letter case where that was chosen, but not the scheme', () => {
    expect(isAccessKey(world, 'Bearer ACCESS', true)).toBe(true)
    expect(isAccessKey(world, 'bearer access', true)).toBe(false)
  })
})

describe('the names in a header', () => {
  it.each([
    [basic('key:se:cret'), ['key', 'se']],
    [basic('key'), ['key']],
    ['Bearer access', ['access']],
    ['Basic a', ['a']],
    ['Token one two', ['two']],
    ['alone', ['alone']],
  ])('%s: %j', (header, names) => {
    expect(callerNamesIn(header)).toEqual(names)
  })
})
