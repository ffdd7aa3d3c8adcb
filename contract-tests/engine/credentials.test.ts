import { expect, it } from 'vitest'
import { authorization } from './credentials.ts'

const wrongSecret = (apiKey: string) =>
  authorization({ selfHosted: { baseUrl: 'http://127.0.0.1', apiKey } }, 'selfHosted', 'wrongSecret')!.slice(
    'Bearer '.length,
  )

it('alters a secret to another one of the same length, and a hexadecimal one to a hexadecimal one', () => {
  for (let code = 0x21; code < 0x7f; code++) {
    const secret = `a-secret${String.fromCharCode(code)}`
    const other = wrongSecret(secret)
    expect(other).not.toBe(secret)
    expect(other).toHaveLength(secret.length)
    expect(other).toMatch(/^a-secret[!-~]$/)
  }
  for (const digit of '0123456789abcdefABCDEF') expect(wrongSecret(`00${digit}`)).toMatch(/^00[0-9a-f]$/i)
})
