import { expect, it } from 'vitest'
import book from '../../fixtures/engines/charts.json' with { type: 'json' }
import { createAsk, type EngineQuery, shorten } from './both.ts'

it('answers chart queries as ClickHouse does', async () => {
  const ask = await createAsk()
  const answers = book.answers as unknown as readonly [EngineQuery, string][]
  expect(answers.length).toBeGreaterThan(800)
  const differing: unknown[] = []
  for (const [asked, answer] of answers) {
    const { answered } = await ask(asked)
    if (shorten(answered) !== answer) differing.push({ asked, answered })
  }
  expect(differing).toEqual([])
})
