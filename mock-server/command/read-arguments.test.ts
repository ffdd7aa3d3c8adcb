import { expect, it } from 'vitest'
import { readArguments } from './read-arguments.ts'

const table = {
  target: { placeholder: 'FILE' },
  rule: { placeholder: 'ID', repeatable: true },
  list: {},
  json: { read: () => true },
} as const
const read = (...args: string[]) => readArguments('stack-parity try', args, table)

it('reads values after a space and after =, switches, and repeated options', () => {
  expect(read('--target', 'a.json', '--rule=a', '--list', '--rule', 'b=c')).toEqual({
    target: ['a.json'],
    rule: ['a', 'b=c'],
    list: ['true'],
  })
  expect(read('--target=--odd', '--json=false')).toEqual({ target: ['--odd'], json: ['false'] })
  expect(read('--target', '-')).toEqual({ target: ['-'] })
})

it.each([['--help'], ['-h'], ['--zzzz', '--help']])('reads a request for help from %s', (...args) => {
  expect(read(...args)).toEqual({ help: ['true'] })
})

it.each([
  ['--targte', 'there is no option --targte. Did you mean --target?'],
  ['--zzzz', 'there is no option --zzzz. stack-parity try --help lists them.'],
  ['--constructor', 'there is no option --constructor. stack-parity try --help lists them.'],
  ['-t', 'there is no option -t. stack-parity try --help lists them.'],
  ['a.json', '"a.json" is no option: options begin with two dashes.'],
  ['--target', '--target needs a value: --target FILE.'],
  ['--target=', '--target needs a value: --target FILE.'],
  ['--target --list', '--target needs a value: --target FILE.'],
  ['--target a --target b', '--target is given twice.'],
  ['--list=true', '--list takes no value.'],
])('refuses %s', (line, sentence) => {
  expect(read(...line.split(' '))).toBe(sentence)
})
