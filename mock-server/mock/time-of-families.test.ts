import { expect, it } from 'vitest'
import { activities } from '../families/organization/activity/index.ts'
import { core, type ModelName } from './made-of.ts'
import { createMock, type Mock } from './mock.ts'

const now = Date.UTC(2026, 5, 1, 12)
const second = 1000
const day = 86_400 * second

/** Records that change with time. A family without an entry gets one new record with its default fields. */
const changingRecords: { readonly [Name in ModelName]?: readonly object[] } = {
  service: [
    { state: 'provisioning', since: now },
    { state: 'stopping', since: now - 5 * second },
    { state: 'terminating', since: now - 150 * second },
  ],
  clickPipe: [
    { state: 'Provisioning', changesAt: now + 30 * second },
    { state: 'Stopping', changesAt: now + 7 * second },
  ],
  reversePrivateEndpoint: [{ status: 'Provisioning', changesAt: now + 25 * second }],
}

/** A mock with new records of every family that changes with time. `state()` creates the records of all places. */
function open(): Mock {
  const mock = createMock({ now, freeze: true })
  for (const { name, nextChangeAt: next, isSingleton } of core.models) {
    if (!next || isSingleton) continue
    for (const fields of changingRecords[name as ModelName] ?? [{}]) mock.records.create(name as ModelName, fields)
  }
  mock.state()
  return mock
}

const passTime = (mock: Mock, ms: number) => mock.deployment().world.applyTime(now + ms)
const recordsOf = (mock: Mock) => JSON.parse(JSON.stringify(mock.deployment().world.save()))

it('time changes all families alike in one step, in many steps, and after loading a saved state', () => {
  const [atOnce, often, before] = [open(), open(), open()]
  passTime(atOnce, 3 * day)
  for (let ms = 0; ms < 600 * second; ms += 10 * second) passTime(often, ms)
  for (let ms = day; ms <= 3 * day; ms += day) passTime(often, ms)
  expect(recordsOf(often)).toEqual(recordsOf(atOnce))
  passTime(before, 20 * second)
  const after = createMock({ now, freeze: true })
  after.load(JSON.parse(JSON.stringify(before.state())))
  expect(recordsOf(after)).toEqual(recordsOf(before))
  expect(recordsOf(after)).not.toEqual(recordsOf(atOnce))
  passTime(after, 3 * day)
  expect(recordsOf(after)).toEqual(recordsOf(atOnce))
})

it('activities that time causes are in the order of their times, for all families', () => {
  const mock = open()
  passTime(mock, 3 * day)
  const { world } = mock.deployment()
  const times = world.places(activities).map(place => {
    const all = world.in(activities, place).list()
    return all.map(({ createdAt }) => Date.parse(createdAt)).filter(time => time > now)
  })
  expect(times.flat().length).toBeGreaterThan(1)
  for (const since of times) expect(since).toEqual(since.toSorted((a, b) => a - b))
})
