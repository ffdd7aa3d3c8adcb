import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readTarget } from './files.ts'
import { readKnownBroken, readKnownDrift } from './values.ts'

const utf16le = (text: string) => Buffer.from(text, 'utf16le')

/** Files as editors and shells write them. */
it.each<[string, (text: string) => Uint8Array]>([
  ['CRLF', text => Buffer.from(text.replaceAll('\n', '\r\n'))],
  ['CR', text => Buffer.from(text.replaceAll('\n', '\r'))],
  ['a byte order mark', text => Buffer.from(`\uFEFF${text}`)],
  ['UTF-16, as PowerShell writes it', text => utf16le(`\uFEFF${text.replaceAll('\n', '\r\n')}`)],
  ['UTF-16 in the other order of bytes', text => utf16le(`\uFEFF${text}`).swap16()],
  ['UTF-16 without a byte order mark', utf16le],
])('reads lists and target files with %s', (_, encode) => {
  const folder = mkdtempSync(join(tmpdir(), 'stack-parity-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), encode(text))
    return join(folder, name)
  }
  const list = write('known.txt', 'path/unknown-path # remark\n\n# all of it\nmember/name-is-a-string\n')
  const context = { baselines: new URL('file:///none/') } as Parameters<typeof readKnownBroken>[1]
  expect(readKnownBroken({ 'known-broken': [list] }, context)).toEqual(['path/unknown-path', 'member/name-is-a-string'])
  const drift = write('drift.txt', '0123456789ab # since Monday\n')
  expect([...readKnownDrift({ 'known-drift': [drift] })]).toEqual(['0123456789ab'])
  const selfHosted = { baseUrl: 'https://api.example.test', apiKey: 'kéy' }
  const target = write('target.json', JSON.stringify({ selfHosted }, null, 2))
  expect(readTarget(target, {}, false)).toMatchObject({ selfHosted })
})
