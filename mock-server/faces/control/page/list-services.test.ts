import { describe, expect, it } from 'vitest'
import { createMock } from '../../../mock/mock.ts'
import { listServices } from './list-services.ts'

const noon = Date.parse('2026-03-01T12:00:00Z')
const minute = 60_000

function open() {
  const mock = createMock({ now: noon, freeze: true })
  const { organizationId: within } = mock.target({ cloud: 'http://mock.test' }).cloud!
  const list = () => listServices(mock.deployment().world, within, mock.clock.now()).services
  const find = (name: string) => list().find(one => one.name === name)!
  const arrange = (name: string, fields: object) => mock.records.update('service', find(name).id, fields, { within })
  const pass = (ms: number) => mock.moveClock(mock.clock.now() + ms)
  return { find, arrange, pass }
}

describe('services of the console', () => {
  it('show from activities what they were, and from the clock what comes', () => {
    const { find, arrange, pass } = open()
    expect(find('staging').history.map(({ state }) => state)).toEqual(['running', 'idle'])
    arrange('staging', { state: 'awaking', since: noon })
    expect(find('staging').next).toEqual({ state: 'running', at: noon + 20_000 })
    pass(minute)
    expect(find('staging').history.slice(1)).toEqual([
      { state: 'idle', at: noon - 60 * minute },
      { state: 'running', at: noon + 20_000 },
    ])
  })

  it('forget what they were more than a day ago', () => {
    const { find, pass } = open()
    pass(26 * 60 * minute)
    expect(find('staging').history.map(({ state }) => state)).toEqual(['idle'])
  })

  it('are what they were arranged to be, since they were', () => {
    const { find, arrange } = open()
    arrange('production', { state: 'degraded' })
    expect(find('production').history).toMatchObject([{ state: 'degraded' }])
    arrange('staging', { state: 'failed', since: noon - minute })
    expect(find('staging').history.at(-1)).toEqual({ state: 'failed', at: noon - minute })
  })

  it('offer the moves that the API would make', () => {
    const { find, arrange } = open()
    expect(['production', 'staging', 'reporting', 'sandbox'].map(name => find(name).moves)).toEqual([
      {},
      { stop: 'stopping', awake: 'awaking' },
      { stop: 'stopping' },
      { start: 'starting' },
    ])
    arrange('reporting', { state: 'stopped' })
    expect(find('production').moves).toEqual({ stop: 'stopping' })
  })

  it('do not idle while secondaries share their data', () => {
    const { find, arrange } = open()
    arrange('production', { since: noon })
    arrange('reporting', { since: noon })
    expect(find('production').next).toBeUndefined()
    expect(find('reporting').next).toMatchObject({ state: 'idle' })
  })
})
