import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningMock, startMock } from '../../mock-server/faces/serve.ts'
import { runAlone, runTogether } from './model-runs.ts'

// Always the same commands; `npm run model` generates others.
const seed = 5

describe('dashboards and alerts, next to a plain model of them', () => {
  let running: RunningMock
  beforeAll(async () => {
    running = await startMock({ seed: 1 })
  })
  afterAll(() => running.close())

  it('are what one client made of them', async () => {
    expect(await runAlone({ steps: 1000, seed })).toBeGreaterThan(500)
  }, 30_000)

  it('are what many clients made of them at the same time', async () => {
    expect(await runTogether(running.target(), { steps: 1000, seed })).toBeGreaterThan(500)
    expect(running.mock.worlds.size).toBe(0)
  }, 30_000)
})
