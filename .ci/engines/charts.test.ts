import { expect, it } from 'vitest'
import book from '../../fixtures/engines/charts.json' with { type: 'json' }
import { createAsk, type EngineQuery, shorten } from './both.ts'

it('the mock answers chart queries as ClickHouse does', async () => {
  const send = await createAsk()
  const answers = book.answers as unknown as readonly [EngineQuery, string][]
  expect(answers.length).toBeGreaterThan(800)
  const differing: unknown[] = []
  for (const [query, answer] of answers) {
    const { answered } = await send(query)
    if (shorten(answered) !== answer) differing.push({ query, answered })
  }
  expect(differing).toEqual([])
})
