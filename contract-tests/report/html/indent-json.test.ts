import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { indentJson } from './rule.ts'

it('indents JSON as JSON.stringify does, whatever its spacing was', () => {
  const structure = fc.jsonValue({ maxDepth: 5 }).filter(value => typeof value === 'object' && value !== null)
  fc.assert(
    fc.property(structure, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      expect(indentJson(JSON.stringify(value, null, space))).toBe(JSON.stringify(value, null, 2))
    }),
    { numRuns: 200 },
  )
})

it('changes no number and drops no repeated key', () => {
  expect(indentJson('{"n":12345678901234567890.10,"n":1e2}')).toBe('{\n  "n": 12345678901234567890.10,\n  "n": 1e2\n}')
})

it('indents the existing part of a body that was cut off', () => {
  expect(indentJson('{"a":[1,"tw…')).toBe('{\n  "a": [\n    1,\n    "tw…')
})

it('does not change text that is not JSON', () => {
  for (const text of ['Unauthorized', '<html>\n</html>', '', '[warn] a, b', '{{ template }}']) {
    expect(indentJson(text)).toBe(text)
  }
})
