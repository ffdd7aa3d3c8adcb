import { afterEach, describe, expect, it } from 'vitest'
import type { TargetFile } from '../mock/mock.ts'
import { type RunningMock, startMock } from './serve.ts'

let running: RunningMock | undefined
afterEach(() => running?.close())

describe('a run of the suite by the control plane', () => {
  it('judges a world like the shown one, and leaves stubs, clock, records and calls of all worlds alone', async () => {
    const answers: unknown[] = []
    let target: TargetFile | undefined
    const send = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${target!.selfHosted!.baseUrl}/api/v2/${path}`, { headers })
      answers.push([response.status, (await response.text()).slice(0, 30)])
    }
    const verify = async (given: TargetFile) => {
      target = given
      const authorization = `Bearer ${given.selfHosted!.apiKey}`
      await send('webhooks', { authorization })
      await send('webhooks')
      await send('alerts', { authorization })
      const control = given.control!.baseUrl
      await fetch(`${control}/control/clock`, { method: 'PUT', body: '{"advanceMs": 3600000}' })
      answers.push((await (await fetch(`${control}/control/worlds`)).json()).length)
      return { report: { summary: {} }, html: '' }
    }
    const start = Date.parse('2026-03-01T09:00:00Z')
    running = await startMock({ now: start, freeze: true, logs: 100, console: { verify } })
    const { mock } = running
    const shown = mock.worlds.open({ seed: 7 })
    for (const world of [mock, shown.world]) world.stub({ when: { path: '/api/v2/webhooks' }, answer: { status: 503 } })
    shown.world.setFaults(['alert/list-answers'])
    const before = [mock.state(), shown.world.state()]

    const control = `${running.target().control!.baseUrl}/control/verify`
    expect((await fetch(`${control}?world=${shown.id}`, { method: 'POST' })).status).toBe(200)
    await expect.poll(async () => (await (await fetch(control)).json()).is).toBe('done')
    // The fault is that of the shown world; its stub does not answer, nor that of the first world.
    expect(answers).toEqual([[200, expect.any(String)], [401, expect.any(String)], [500, expect.any(String)], 0])
    expect(target!.selfHosted!.baseUrl).not.toBe(running.target().selfHosted!.baseUrl)
    expect([mock.calls(), shown.world.calls()]).toEqual([[], []])
    expect([mock.state(), shown.world.state()]).toEqual(before)
    expect([mock, shown.world].map(world => world.stubs()[0]!.answered)).toEqual([0, 0])
    expect(mock.worlds.list().map(({ id }) => id)).toEqual([shown.id])
    await expect(fetch(target!.selfHosted!.baseUrl)).rejects.toThrow()
  })
})
