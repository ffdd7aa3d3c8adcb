import { expect, it } from 'vitest'
import { tryToRead } from './read-program-options.ts'

const options = {
  seed: { description: 'the seed of the random requests', number: undefined },
  rounds: { description: 'how often', number: 10 },
  over: { description: 'which way', words: ['process', 'sockets'] },
  only: { description: 'these', words: ['speed', 'start'], isRepeatable: true },
  slice: { description: 'any of these', words: [], isRepeatable: true },
  quick: { description: 'a short run', isSwitch: true },
} as const

it('tryToRead reads numbers, words and switches', () => {
  expect(tryToRead('try', options, [])).toEqual({
    seed: undefined,
    rounds: 10,
    over: [],
    only: [],
    slice: [],
    quick: false,
  })
  const args = ['--seed=7', '--over', 'sockets', '--only', 'speed', '--only', 'start', '--quick', '--slice', 'any']
  expect(tryToRead('try', options, args)).toMatchObject({
    seed: 7,
    over: ['sockets'],
    only: ['speed', 'start'],
    slice: ['any'],
    quick: true,
  })
  expect(tryToRead('try', options, ['--help'])).toBeUndefined()
})

it.each([
  [['--zzz'], /^there is no option --zzz\. npm run try -- --help lists them\.$/],
  [['--sed', '1'], /Did you mean --seed\?$/],
  [['--seed', 'x'], /^--seed takes a number, not "x"\.$/],
  [['--rounds', '-1'], /^--rounds takes a number, not "-1"\.$/],
  [['--over', 'air'], /^--over takes one of process, sockets, not "air"\.$/],
  [['journal'], /^"journal" is no option/],
])('tryToRead explains why it refuses %j', (args, description) => {
  expect(tryToRead('try', options, args)).toMatch(description)
})
