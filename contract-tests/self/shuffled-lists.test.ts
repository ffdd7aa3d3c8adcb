import { expect, it } from 'vitest'
import { createMock } from '../../mock-server/index.ts'
import { verify } from '../run/verify.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

/** The order of a list never decides what a run does, nor what it finds. `SEEDS=10` tries as many orders. */

const isAboutOrder = (id: string) => /\/newest-comes-first$/.test(id)

/** A generator of Lehmer. */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  const shuffled = [...items]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!]
  }
  return shuffled
}

const seeds = Array.from({ length: Number(process.env.SEEDS ?? 1) }, (_, index) => index + 1)

it.each(seeds)('finds nothing broken where every list is shuffled by seed %i, but its order', async seed => {
  const mock = createMock({ logs: 1000, as: 'self-hosted-2.36' })
  const direct = createDirectClient(mock)
  const random = createRandom(seed)
  const shuffled = (text: string) => {
    const json = JSON.parse(text)
    const key = ['result', 'data'].find(one => Array.isArray(json[one]))
    return key ? JSON.stringify({ ...json, [key]: shuffle(json[key], random) }) : text
  }
  const report = await verify({
    target: directTarget(mock),
    client: {
      ...direct,
      async send(request) {
        const answer = await direct.send(request)
        const isList = request.method === 'GET' && !request.path.includes('?') && answer.text.startsWith('{')
        return isList ? { ...answer, text: shuffled(answer.text) } : answer
      },
    },
    allowEffects: ['disrupts', 'costs', 'notifies', 'grants'],
  })
  const wrong = report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
  expect(wrong.filter(({ id }) => !isAboutOrder(id)).map(({ id, detail }) => `${id}: ${detail}`)).toEqual([])
  expect(wrong.length).toBeGreaterThan(0)
})
