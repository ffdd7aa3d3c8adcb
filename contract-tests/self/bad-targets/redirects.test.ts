import { describe, expect, it } from 'vitest'
import { clients, judge } from './judge.ts'
import { startHttpTarget } from './start-target.ts'

/** A redirect is an answer: it is not followed, and no credential goes where it points. */

describe.each(clients)('a target that redirects, asked with %s', (_, createClient) => {
  it.each([302, 307])('is not followed to another host by %i', async status => {
    const arrived: unknown[] = []
    const elsewhere = await startHttpTarget((request, response) => {
      arrived.push([request.method, request.url, request.headers])
      response.end('{}')
    })
    const bad = await startHttpTarget((request, response) => {
      response.writeHead(status, { location: elsewhere.baseUrl + request.url }).end()
    })
    const report = await judge(bad, createClient)
    expect(arrived).toEqual([])
    const members = report.rules.find(({ id }) => id === 'member/list-answers-200')
    // Nothing there answers as the API does: it is the address that is wrong.
    expect(members).toMatchObject({ outcome: 'errored', detail: expect.stringContaining(`(${status}, `) })
  })

  it('is not followed in circles', async () => {
    const asked: string[] = []
    const bad = await startHttpTarget((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      response.writeHead(302, { location: request.url }).end()
    })
    const { requests } = await judge(bad, createClient)
    expect(asked.length).toBe(requests)
  })
})
