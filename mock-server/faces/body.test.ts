import { describe, expect, it } from 'vitest'
import { createMock } from '../mock/mock.ts'
import { createFetch } from './fetch.ts'

const bytes = Uint8Array.of(0x22, 0xe9, 0x22)

/** Creates a dashboard on a deployment that reads the body before it checks Content-Type. */
async function post(contentType: string, body: Uint8Array<ArrayBuffer> | string = bytes) {
  const mock = createMock({ choices: { selfHosted: { 'error/content-type': 'refused by body' } } })
  const { baseUrl, apiKey } = mock.target({ selfHosted: 'http://self-hosted.localhost' }).selfHosted!
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': contentType }
  const response = await createFetch(mock)(`${baseUrl}/api/v2/dashboards`, { method: 'POST', headers, body })
  const { message } = await response.json()
  return [response.status, message]
}

describe('the charset of a body', () => {
  it.each(['application/json; charset=iso-8859-1', 'Application/JSON;charset="latin1"'])(
    'matters for %s',
    async type => {
      expect(await post(type)).toEqual([415, 'Something went wrong :('])
    },
  )

  it.each([
    ['text/plain; charset=iso-8859-1', 'Expected object, received string'],
    ['image/png; charset=x', 'name: Required; tiles: Required'],
    ['application/json-seq; charset=iso-8859-1', 'name: Required; tiles: Required'],
  ])('does not matter for %s', async (type, sentence) => {
    expect(await post(type)).toEqual([400, `Body validation failed: ${sentence}`])
  })

  it.each(['utf-8', '"UTF-8"', 'utf8', 'us-ascii'])('can be %s for JSON', async charset => {
    const sentence = 'Body validation failed: name: Required; tiles: Required'
    expect(await post(`application/json; charset=${charset}`, '{}')).toEqual([400, sentence])
  })
})
