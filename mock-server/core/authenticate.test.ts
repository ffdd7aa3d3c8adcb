import { describe, expect, it } from 'vitest'
import { createBasicAuthentication, createBearerAuthentication, namesIn, tokenOf } from './authenticate.ts'

const key = { id: 'key', keySecret: 'se:cret', organizationId: 'o', name: 'Terraform' }
const basic = (credentials: string) => `Basic ${btoa(credentials)}`

function open() {
  let asked = 0
  const find = createBasicAuthentication(id => {
    asked++
    return id === key.id ? key : undefined
  })
  return { find, asked: () => asked }
}

describe('basic credentials', () => {
  it.each([
    ['key id and secret, with a colon in the secret', basic('key:se:cret')],
    ['any letter case of the scheme', `bASIC ${btoa('key:se:cret')}`],
    ['more than one blank', `Basic   ${btoa('key:se:cret')}`],
  ])('are %s', (_, header) => {
    expect(open().find(header)).toBe(key)
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
    ['no Base64', 'Basic %%%'],
    ['Base64 of an impossible length', 'Basic a'],
    ['no blank', `Basic${btoa('key:se:cret')}`],
    ['something before the scheme', `x${basic('key:se:cret')}`],
    ['something after the credentials', `${basic('key:se:cret')} x`],
  ])('are not %s', (_, header) => {
    expect(open().find(header)).toBeUndefined()
  })

  it('are none without a colon, also where they are the secret and all but their last sign the key id', () => {
    const find = createBasicAuthentication(id => (id === 'abc' ? { ...key, id, keySecret: 'abcd' } : undefined))
    expect(find(basic('abc:abcd'))).toBeDefined()
    expect(find(basic('abcd'))).toBeUndefined()
  })

  it('are not looked up again for a caller who returns, be they good or bad', () => {
    const { find, asked } = open()
    for (const header of [basic('key:se:cret'), basic('key:x')]) {
      const first = find(header)
      const before = asked()
      expect(find(header)).toBe(first)
      expect(asked()).toBe(before)
    }
  })

  it('are forgotten when they would fill the memory', () => {
    const { find, asked } = open()
    const long = (sign: string) => basic(`key:${sign.repeat(40_000)}`)
    for (const sign of ['a', 'b', 'a', 'b']) find(long(sign))
    expect(asked()).toBe(2)
    find(long('c'))
    find(long('a'))
    expect(asked()).toBe(4)
  })
})

describe('a bearer token', () => {
  const isOurs = createBearerAuthentication('access')

  it('is what stands behind the word, wherever that stands, up to the next such word', () => {
    for (const header of ['Bearer access', 'xxBearer access', 'Bearer accessBearer more']) {
      expect(isOurs(header)).toBe('access')
    }
    for (const header of [undefined, '', 'access', 'bearer access', 'Bearer ', 'Bearer accesS', 'Bearer access ']) {
      expect(isOurs(header)).toBeUndefined()
    }
    expect(tokenOf('Bearer a Bearer b')).toBe('a ')
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
    expect(namesIn(header)).toEqual(names)
  })
})
