import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningMock, startMock } from '../../mock-server/faces/serve.ts'
import { fuzzInProcess, logs } from './fuzz-in-process.ts'
import { fuzzSockets, rememberChoices, tryNearWords } from './fuzz-sockets.ts'

// Always the same requests, so that a failure comes from a change. `npm run fuzz` generates others.
const seed = 20260301

describe('a mock that gets random requests', () => {
  let running: RunningMock
  beforeAll(async () => {
    running = await startMock({ seed: 1, logs })
  })
  afterAll(() => running.close())

  it('answers all of them as promised, in process', async () => {
    let answers = 0
    await fuzzInProcess({ requests: 2000, seed, onAnswer: () => answers++ })
    expect(answers).toBe(2000)
  })

  it('answers nearly right words in the addresses of the control plane as promised', async () => {
    const statuses = new Set<number>()
    const putBack = await rememberChoices(running.target())
    await tryNearWords(running.target(), status => statuses.add(status))
    await putBack()
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 404]))
  })

  it('answers all of them as promised, over sockets', async () => {
    const statuses = new Set<number>()
    await fuzzSockets(running.target(), { requests: 240, seed, onAnswer: status => statuses.add(status) })
    expect([...statuses]).toEqual(expect.arrayContaining([200, 204, 400, 401, 404]))
    const members = `${running.target().cloud!.baseUrl}/v1/organizations/x/members`
    expect((await fetch(members)).status).toBe(401)
  })
})
