import { expect, it } from 'vitest'
import { options, renderOptions } from './options.ts'

it('the help keeps two spaces between each option and its description', () => {
  const lines = renderOptions(options).trimEnd().split('\n')
  expect(lines.filter(line => !/^ {2}--\S+(?: \S+)? {2}/.test(line))).toEqual([])
})
