import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseTarget, UsageError } from './target.ts'

const cloud = { baseUrl: 'https://api.example.test', keyId: 'key', keySecret: 'a-secret-of-the-cloud' }
const selfHosted = { baseUrl: 'https://open.example.test', apiKey: 'a-secret-of-the-stack' }

/** The error about a target file; undefined if the file is valid. */
function refusalOf(target: unknown, environment: Record<string, string> = {}): string | undefined {
  try {
    parseTarget(JSON.stringify(target), environment)
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as Error).message
  }
}

const examples = ['mock.json', 'deployment.example.json'].map(name => ({
  name,
  text: readFileSync(new URL(`../../../fixtures/targets/${name}`, import.meta.url), 'utf8'),
}))
const environment = new Proxy({}, { get: () => 'from-the-environment' })

describe('a target file', () => {
  it.each(examples)('may be $name, with its placeholders filled in', ({ text }) => {
    const { cloud, selfHosted } = parseTarget(text.replace(/<\w+>/g, 'filled-in'), environment)
    expect([cloud?.keySecret, selfHosted?.apiKey]).toEqual(['from-the-environment', 'from-the-environment'])
  })

  it('may have a name like a placeholder, and a secret that begins or ends with dots', () => {
    expect(refusalOf({ name: '…', cloud: { ...cloud, keySecret: 'a...' } })).toBeUndefined()
    expect(refusalOf({ cloud: { ...cloud, keySecret: '...a' } })).toBeUndefined()
  })

  it('may lack one form and all ids, and have empty ids', () => {
    expect(refusalOf({ cloud })).toBeUndefined()
    expect(refusalOf({ selfHosted })).toBeUndefined()
    expect(refusalOf({ cloud: { ...cloud, serviceId: '', references: { tileId: '' } } })).toBeUndefined()
  })

  it.each([
    [[], 'it must be a JSON object with `cloud` with baseUrl, keyId and keySecret'],
    [{}, 'it names neither `cloud` nor `selfHosted`: there is nothing to verify. It needs `cloud` with baseUrl,'],
    [{ cloud: { ...cloud, keySecret: undefined } }, '`cloud.keySecret` is missing.'],
    [{ selfHosted: { ...selfHosted, apiKey: '' } }, '`selfHosted.apiKey` is missing.'],
    [{ selfHosted: { apiKey: 'key' } }, '`selfHosted.baseUrl` is missing.'],
    [{ selfHosted, control: {} }, '`control.baseUrl` is missing.'],
    [{ selfHosted, control: { baseUrl: 'here' } }, '`control.baseUrl` is "here": it must begin with http'],
    [{ cloud: { ...cloud, baseUrl: 'a http://b' } }, '`cloud.baseUrl` is "a http://b": it must begin with http'],
    [{ cloud: { ...cloud, baseUrl: 'https://me@a.test' } }, '`cloud.baseUrl` has a user or a password in it'],
    [
      { cloud: { ...cloud, baseUrl: 'https://a.test/v1//' } },
      '`cloud.baseUrl` is "https://a.test/v1//": leave out /v1',
    ],
    [{ cloud: { ...cloud, secondKeySecret: 'a\nb' } }, '`cloud.secondKeySecret` has a line break'],
    [{ cloud: { ...cloud, keyId: ' … ' } }, '`cloud.keyId` is still a placeholder'],
    [{ cloud, notOffered: 'cloud' }, '`notOffered` must be a list of forms and operations.'],
    [{ cloud, notOffered: ['clod'] }, 'which is no form and no operation; did you mean "cloud"?'],
    [{ selfHosted, notOffered: ['selfHosted'] }, '`notOffered` lists every form of the target'],
    [{ selfHosted, writes: 'yes' }, '`writes` must be true or false, without quotes.'],
    [{ cloud: { ...cloud, serviceId: 5 } }, '`cloud.serviceId` must be a text in quotes.'],
    [{ cloud: { ...cloud, references: 'x' } }, '`cloud.references` must be an object.'],
    [
      { selfHosted: { ...selfHosted, references: { sources: [] } } },
      '`selfHosted.references.sources` must be an object',
    ],
    [
      { selfHosted: { ...selfHosted, references: { dashboard: 'd' } } },
      '`selfHosted.references.dashboard` is not known; known are dashboardId, tileId,',
    ],
    [{ cloud: { ...cloud, organizationId: '<uuid>' } }, '`cloud.organizationId` is still a placeholder'],
    [{ cloud: { ...cloud, keySecret: '…' } }, '`cloud.keySecret` is still a placeholder'],
  ])('that holds %j is refused: %s', (target, sentence) => {
    expect(refusalOf(target)).toContain(sentence)
  })

  it.each([
    ['ftp://x', 'it must begin with http:// or https://.'],
    ['http://[', 'it is no valid address.'],
    ['http://127.0.0.1:99999', 'it is no valid address.'],
    ['https://x?key=1', 'leave out what begins with ? or #'],
    ['https://x/#', 'leave out what begins with ? or #'],
    ['https://x/api/v2/', 'leave out /api/v2, every path begins with it.'],
  ])('with the address %s is refused: %s', (baseUrl, sentence) => {
    expect(refusalOf({ selfHosted: { ...selfHosted, baseUrl } })).toBe(
      `\`selfHosted.baseUrl\` is "${baseUrl}": ${sentence}${sentence.endsWith('.') ? '' : ', since paths are appended.'}`,
    )
  })

  it('is refused if the address of the cloud ends with /v1', () => {
    expect(refusalOf({ cloud: { ...cloud, baseUrl: 'https://x/v1' } })).toContain('leave out /v1')
    expect(refusalOf({ cloud: { ...cloud, baseUrl: 'https://x/gateway/v11' } })).toBeUndefined()
  })

  it.each(['https://me:hunter2@x', 'https://me:hunter2@x:99999', 'ftp://me:hunter2@x', 'https://hunter2@x?a'])(
    'with a password in the address %s is refused without showing the password',
    baseUrl => {
      const refusal = refusalOf({ selfHosted: { ...selfHosted, baseUrl } })
      expect(refusal).toContain('`selfHosted.baseUrl`')
      expect(refusal).not.toContain('hunter2')
    },
  )

  it.each(['hunter2\n', 'hunter2\0', ' hunter2', 'hunter2 of 鍵'])(
    'with the credential %j, which a header cannot hold, is refused without showing it',
    apiKey => {
      const refusal = refusalOf({ selfHosted: { ...selfHosted, apiKey: '$KEY' } }, { KEY: apiKey })
      expect(refusal).toContain('`selfHosted.apiKey`')
      expect(refusal).not.toContain('hunter2')
    },
  )
})
