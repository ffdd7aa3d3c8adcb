import { expect, it } from 'vitest'
import { authorization } from './credentials.ts'

const alterSecret = (apiKey: string) =>
  authorization({ selfHosted: { baseUrl: 'http://127.0.0.1', apiKey } }, 'selfHosted', 'wrongSecret')!.slice(
    'Bearer '.length,
  )

it('the wrong secret differs from the real one, is as long, and stays hexadecimal if it was', () => {
  for (let code = 0x21; code < 0x7f; code++) {
    const secret = `a-secret${String.fromCharCode(code)}`
    const altered = alterSecret(secret)
    expect(altered).not.toBe(secret)
    expect(altered).toHaveLength(secret.length)
    expect(altered).toMatch(/^a-secret[!-~]$/)
  }
  for (const digit of '0123456789abcdefABCDEF') expect(alterSecret(`00${digit}`)).toMatch(/^00[0-9a-f]$/i)
})
