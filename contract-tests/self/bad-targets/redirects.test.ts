import { describe, expect, it } from 'vitest'
import { clients, judge } from './judge.ts'
import { startHttpTarget } from './start-target.ts'

/** A redirect is an answer: the run does not follow it, so no credentials reach its location. */

describe.each(clients)('a target that redirects (client: %s)', (_, createClient) => {
  it.each([302, 307])('is not followed to another host after a %i', async status => {
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
    // No answer is one of this API, so the address counts as wrong.
    expect(members).toMatchObject({ outcome: 'errored', detail: expect.stringContaining(`(${status} to GET /`) })
  })

  it('is not followed when it redirects to itself', async () => {
    const received: string[] = []
    const bad = await startHttpTarget((request, response) => {
      received.push(`${request.method} ${request.url}`)
      response.writeHead(302, { location: request.url }).end()
    })
    const { requests } = await judge(bad, createClient)
    expect(received.length).toBe(requests)
  })
})
