import { describe, expect, it } from 'vitest'
import { readExposition } from './exposition.ts'

const good = `# HELP a Things, with a \\\\ in it.
# TYPE a counter
a{x="1",y="a \\"b\\" \\\\ \\n"} 3
a{x="2"} 3.5e+06 1717243200000

# a remark
# TYPE h histogram
h_bucket{le="+Inf"} 2
h_sum 1
h_count 2
plain NaN
`

describe('the text format of Prometheus', () => {
  it('is read into its families and counters', () => {
    expect(readExposition(good)).toEqual({
      families: new Set(['a', 'h', 'plain']),
      undescribed: ['h', 'plain'],
      counters: new Map([
        ['a{x="1",y="a \\"b\\" \\\\ \\n"}', 3],
        ['a{x="2"}', 3.5e6],
      ]),
    })
    expect(readExposition('').families).toEqual(new Set())
  })

  it.each([
    ['a{x="1"}3\n', 'a sample'],
    ['a{x=1} 3\n', 'a sample'],
    ['a{x="\\t"} 3\n', 'a sample'],
    ['a three\n', 'a sample'],
    ['1a 3\n', 'a sample'],
    ['a 3', 'a line feed'],
    ['a 3\na 4\n', 'each sample once'],
    ['a{x="1",y="2"} 3\na{y="2",x="1"} 4\n', 'each sample once'],
    ['a{x="1",x="2"} 3\n', 'each label once'],
    ['a 3\nb 1\na{x="1"} 3\n', 'all lines of a family'],
    ['# TYPE a gauge\n# TYPE a gauge\n', 'one type'],
    ['a 3\n# TYPE a gauge\n', 'the type of a family before its samples'],
    ['# TYPE a thing\n', 'one type'],
  ])('does not allow %j, but expects %s', (text, expected) => {
    expect(readExposition(text).finding?.expected).toContain(expected)
  })
})
