import { expect, it } from 'vitest'
import { tryToRead } from './read-program-options.ts'

const options = {
  seed: { says: 'throws the dice', number: undefined },
  rounds: { says: 'how often', number: 10 },
  over: { says: 'which way', words: ['process', 'sockets'] },
  only: { says: 'these', words: ['speed', 'start'], many: true },
  quick: { says: 'for a glance', mark: true },
} as const

it('reads numbers, words and marks', () => {
  expect(tryToRead(options, [])).toEqual({
    values: { seed: undefined, rounds: 10, over: [], only: [], quick: false, help: false },
    words: [],
  })
  const args = ['--seed=7', '--over', 'sockets', '--only', 'speed', '--only', 'start', '--quick', 'journal']
  expect(tryToRead(options, args, true)).toMatchObject({
    values: { seed: 7, over: ['sockets'], only: ['speed', 'start'], quick: true },
    words: ['journal'],
  })
})

it.each([
  [['--zzz'], /--zzz/],
  [['--seed', 'x'], /^--seed takes a number, not "x"\.$/],
  [['--rounds', '-1'], /--rounds/],
  [['--over', 'air'], /^--over takes one of process, sockets, not "air"\.$/],
  [['journal'], /journal/],
  [['--help'], /^$/],
])('says what it does not understand: %j', (args, says) => {
  expect(tryToRead(options, args)).toMatch(says)
})
