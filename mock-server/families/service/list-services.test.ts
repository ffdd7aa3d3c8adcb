import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock/mock.ts'
import { listServices } from './list-services.ts'

const noon = Date.parse('2026-03-01T12:00:00Z')
const minute = 60_000

function open() {
  const mock = createMock({ now: noon, freeze: true })
  const { organizationId: within } = mock.target({ cloud: 'http://mock.test' }).cloud!
  const list = () => listServices(mock.deployment().world, within, mock.clock.now()).services
  const find = (name: string) => list().find(one => one.name === name)!
  const arrange = (name: string, fields: object) => mock.records.update('service', find(name).id, fields, { within })
  const passTime = (ms: number) => mock.moveClock(mock.clock.now() + ms)
  return { find, arrange, passTime }
}

describe('the services of the console', () => {
  it('show their previous states from activities, and their next state from the clock', () => {
    const { find, arrange, passTime } = open()
    expect(find('staging').history.map(({ state }) => state)).toEqual(['running', 'idle'])
    arrange('staging', { state: 'awaking', since: noon })
    expect(find('staging').next).toEqual({ state: 'running', at: noon + 20_000 })
    passTime(minute)
    expect(find('staging').history.slice(1)).toEqual([
      { state: 'idle', at: noon - 60 * minute },
      { state: 'running', at: noon + 20_000 },
    ])
  })

  it('omit states that ended more than a day ago', () => {
    const { find, passTime } = open()
    passTime(26 * 60 * minute)
    expect(find('staging').history.map(({ state }) => state)).toEqual(['idle'])
  })

  it('show an arranged state from its arranged time', () => {
    const { find, arrange } = open()
    arrange('production', { state: 'degraded' })
    expect(find('production').history).toMatchObject([{ state: 'degraded' }])
    arrange('staging', { state: 'failed', since: noon - minute })
    expect(find('staging').history.at(-1)).toEqual({ state: 'failed', at: noon - minute })
  })

  it('offer the commands that the API accepts', () => {
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

  it('do not idle while they have running secondaries', () => {
    const { find, arrange } = open()
    arrange('production', { since: noon })
    arrange('reporting', { since: noon })
    expect(find('production').next).toBeUndefined()
    expect(find('reporting').next).toMatchObject({ state: 'idle' })
  })
})
