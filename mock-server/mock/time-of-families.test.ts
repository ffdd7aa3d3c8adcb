import { expect, it } from 'vitest'
import { type ModelName, models } from '../core/families.ts'
import { activities } from '../families/organization/activity/index.ts'
import { createMock, type Mock } from './mock.ts'

const now = Date.UTC(2026, 5, 1, 12)
const second = 1000
const day = 86_400 * second

/** Records that time will change; of a family without an entry there is one more as at the start. */
const begun: { readonly [Name in ModelName]?: readonly object[] } = {
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

/** A mock in which every place is laid out, with new records of each family that time changes. */
function open(): Mock {
  const mock = createMock({ now, freeze: true })
  for (const { name, nextChangeAt: next, isSingleton } of models) {
    if (!next || isSingleton) continue
    for (const fields of begun[name as ModelName] ?? [{}]) mock.records.create(name as ModelName, fields)
  }
  mock.state()
  return mock
}

const bring = (mock: Mock, ms: number) => mock.deployment().world.applyTime(now + ms)
const recordsOf = (mock: Mock) => JSON.parse(JSON.stringify(mock.deployment().world.save()))

it('time brings the same to all families in one step, in many, and over a saved state', () => {
  const [atOnce, often, before] = [open(), open(), open()]
  bring(atOnce, 3 * day)
  for (let ms = 0; ms < 600 * second; ms += 10 * second) bring(often, ms)
  for (let ms = day; ms <= 3 * day; ms += day) bring(often, ms)
  expect(recordsOf(often)).toEqual(recordsOf(atOnce))
  bring(before, 20 * second)
  const after = createMock({ now, freeze: true })
  after.load(JSON.parse(JSON.stringify(before.state())))
  expect(recordsOf(after)).toEqual(recordsOf(before))
  expect(recordsOf(after)).not.toEqual(recordsOf(atOnce))
  bring(after, 3 * day)
  expect(recordsOf(after)).toEqual(recordsOf(atOnce))
})

it('what time does is written down in the order of time, whichever family it belongs to', () => {
  const mock = open()
  bring(mock, 3 * day)
  const { world } = mock.deployment()
  const times = world.places(activities).map(place => {
    const all = world.in(activities, place).list()
    return all.map(({ createdAt }) => Date.parse(createdAt)).filter(time => time > now)
  })
  expect(times.flat().length).toBeGreaterThan(1)
  for (const since of times) expect(since).toEqual(since.toSorted((a, b) => a - b))
})
