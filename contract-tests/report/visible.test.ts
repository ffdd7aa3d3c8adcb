import { describe, expect, it } from 'vitest'
import { onOneLine, showUnseen } from './visible.ts'

describe('showUnseen', () => {
  it('escapes control characters, direction overrides and lone surrogates', () => {
    expect(showUnseen('\u001b[31mred\u001b[0m')).toBe('\\u{1b}[31mred\\u{1b}[0m')
    expect(showUnseen('a\u202eb\u0000c\u009bd\ud800e\ufeff')).toBe('a\\u{202e}b\\u{0}c\\u{9b}d\\u{d800}e\\u{feff}')
  })

  it('escapes a carriage return, unless a line feed follows', () => {
    expect(showUnseen('all held\rx')).toBe('all held\\u{d}x')
    expect(showUnseen('one\r\ntwo\tthree')).toBe('one\ntwo\tthree')
  })

  it('does not change letters of any language or whole emoji', () => {
    expect(showUnseen('Zoë 数据 👩🏽‍🚀 שלום')).toBe('Zoë 数据 👩🏽‍🚀 שלום')
  })
})

describe('onOneLine', () => {
  it('escapes line breaks and tabs', () => {
    expect(onOneLine('one\r\ntwo\tthree')).toBe('one\\ntwo\\tthree')
  })
})
