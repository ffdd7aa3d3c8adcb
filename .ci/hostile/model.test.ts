import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningMock, startMock } from '../../mock-server/faces/serve.ts'
import { runAlone, runTogether } from './model-runs.ts'

// Always the same commands, so that a failure comes from a change; `npm run model` generates others.
const seed = 5

describe('dashboards and alerts', () => {
  let running: RunningMock
  beforeAll(async () => {
    running = await startMock({ seed: 1 })
  })
  afterAll(() => running.close())

  it('agree with a simple model after the random commands of one client', async () => {
    expect(await runAlone({ steps: 1000, seed })).toBeGreaterThan(500)
  })

  it('agree with a simple model after the concurrent commands of many clients', async () => {
    expect(await runTogether(running.target(), { steps: 1000, seed })).toBeGreaterThan(500)
    expect(running.mock.worlds.size).toBe(0)
  })
})
