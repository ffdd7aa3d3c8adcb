import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type Report, type RuleReport, summarise } from './report.ts'
import { createPaint, renderTerminal, type TerminalOptions } from './terminal.ts'

it('the report on a terminal escapes control characters and workflow commands of a hostile target', () => {
  const file = new URL('../../fixtures/schemas/examples/hostile-report.json', import.meta.url)
  const text = renderTerminal(JSON.parse(readFileSync(file, 'utf8')) as Report, createPaint(false))
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
  expect(text.split('\n').filter(line => line.trimStart().startsWith('::'))).toEqual([])
})

const hostile = JSON.parse(
  readFileSync(new URL('../../fixtures/schemas/examples/hostile-report.json', import.meta.url), 'utf8'),
) as Report
const verdict = (id: string, more: Partial<RuleReport> = {}): RuleReport => ({
  id,
  section: '2.2',
  level: 'must',
  says: `The rule ${id}.`,
  form: 'cloud',
  outcome: 'held',
  detail: '',
  observed: null,
  exchanges: [],
  ...more,
})
const render = (rules: readonly RuleReport[], options: TerminalOptions = {}, more: Partial<Report> = {}) =>
  renderTerminal(
    {
      ...hostile,
      target: { name: 'staging', forms: ['cloud', 'managed'] },
      rules,
      drift: [],
      left: undefined,
      cut: undefined,
      summary: summarise(rules, []),
      ...more,
    },
    createPaint(false),
    options,
  )
const broken = { outcome: 'broken', detail: 'expected 1, got 2' } as const

describe('the report on a terminal', () => {
  it('lists the rules, then each failure once and in full, then its last line', () => {
    const text = render([
      verdict('member/a', broken),
      verdict('member/a', { ...broken, form: 'managed' }),
      verdict('member/b'),
      verdict('member/c', { ...broken, level: 'should' }),
    ])
    expect(text).toBe(`§2.2 Member
  ✗ member/a  must    cloud, managed
  ✓ member/b  must    cloud
  ✗ member/c  should  cloud

2 rules are broken

✗ member/c should, §2.2 Member
  The rule member/c.
  cloud: expected 1, got 2

✗ member/a must, §2.2 Member
  The rule member/a.
  cloud: expected 1, got 2
  managed: expected 1, got 2

staging, 3 rules in 2 forms: 1 held, 2 broken, 0 observed, 0 not applicable, 0 drifted · 42 requests in 1.23 s
`)
  })

  it('shows a reason that many rules share once, without the ids of the rules', () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      verdict(`many/${index}`, { outcome: 'errored', detail: 'nobody\nanswers' }),
    )
    expect(render(many)).toBe(`Not judged
  60 rules in cloud: nobody\\nanswers

staging, 60 rules in 2 forms: 0 held, 0 broken, 0 observed, 0 not applicable, 60 errored, 0 drifted · 42 requests in 1.23 s
`)
  })

  it('names the rules below a reason that few rules share', () => {
    const text = render([
      verdict('member/a', { outcome: 'not-applicable', detail: 'there is none' }),
      verdict('member/b'),
    ])
    expect(text).toContain('Not applicable\n  1 rule in cloud: there is none\n      member/a\n')
  })

  it('counts a rule by its worst form, and shows how many rules were not judged in every form', () => {
    const skipped = { form: 'managed', outcome: 'not-applicable', detail: 'there is none' } as const
    expect(render([verdict('member/a'), verdict('member/a', skipped), verdict('member/b')])).toContain(
      'staging, 2 rules in 2 forms: 2 held (1 not in every form), 0 broken',
    )
  })

  it('shows only drift, leftovers, errored rules, broken rules and the last line if it is quiet', () => {
    const rules = [
      verdict('member/a', broken),
      verdict('member/b'),
      verdict('member/c', { outcome: 'not-applicable', detail: 'there is none' }),
      verdict('member/d', { outcome: 'errored', detail: 'a time-out' }),
      verdict('member/e', { outcome: 'known-broken', detail: 'as ever' }),
    ]
    const { drift, left } = hostile
    const text = render(rules, { quiet: true, sweep: 'stack-parity sweep …' }, { drift, left })
    expect(
      text
        .split('\n')
        .filter(line => /^\S/.test(line))
        .map(line => line.slice(0, 24)),
    ).toEqual([
      'Drift',
      'Left behind in managed: ',
      'Delete what is left with',
      'Not judged',
      '1 rule is broken',
      '✗ member/a must, §2.2 Me',
      'staging, 5 rules in 2 fo',
    ])
    expect(text).not.toMatch(/member\/[bce]|^§/m)
    expect(
      render([verdict('member/b')], { quiet: true })
        .trimEnd()
        .split('\n'),
    ).toHaveLength(1)
  })

  it('cuts the lines of the list at the width of the terminal, but no value of a failure', () => {
    const detail = 'x'.repeat(200)
    const text = render(
      [
        verdict('member/a', { outcome: 'broken', detail }),
        verdict('member/observed', { level: 'observe', outcome: 'observed', observed: 'y'.repeat(200) }),
      ],
      { columns: 60 },
    )
    expect(text).toContain(detail)
    const list = text.split('\n').slice(1, 3)
    expect(list.map(({ length }) => length <= 60)).toEqual([true, true])
    expect(list[1]).toMatch(/y…$/)
  })

  it('wraps sentences between words at the width of the terminal', () => {
    const reason = 'it requires telemetry with attributes, and the specification has no operation that writes telemetry'
    const text = render([verdict('member/a', { outcome: 'not-applicable', detail: reason })], { columns: 40 })
    const lines = text.split('\n')
    const first = lines.findIndex(line => line.includes('it requires'))
    const wrapped = lines.slice(first, first + 4)
    expect(wrapped.every(({ length }) => length <= 40)).toBe(true)
    expect(wrapped.map(line => line.trim()).join(' ')).toContain(reason)
  })

  it('wraps everything but the lines of the list and the commands to copy', () => {
    const coloured = renderTerminal(hostile, createPaint(true), { columns: 60, sweep: 'stack-parity sweep …' })
    const text = stripVTControlCharacters(coloured)
    const long = text.split('\n').filter(line => line.length > 60)
    const isWord = (line: string) => !line.trim().includes(' ')
    expect(long.filter(line => !isWord(line) && !/^ *(?:curl|export) /.test(line))).toEqual([])
  })

  const difference = {
    part: 'shapes',
    kind: 'breaking',
    id: 'cloud a.list $.x',
    was: 'a',
    is: 'b'.repeat(300),
  } as const

  it('shows the fingerprint of each difference unless it is quiet, and cuts long values', () => {
    const drift = [{ ...difference, fingerprint: '601c37fdc604' }]
    const lines = render([], {}, { drift }).split('\n')
    expect(lines.slice(0, 3)).toEqual([
      'Drift',
      `  breaking  cloud a.list $.x (shapes)  a → ${'b'.repeat(200)}…`,
      '            601c37fdc604',
    ])
    expect(render([], { quiet: true }, { drift })).not.toContain('601c37fdc604')
  })

  it('says how many differences it leaves out, of one line and of all', () => {
    const many = (part: 'shapes' | 'document', kind: 'breaking' | 'additive') =>
      Array.from({ length: 48 }, (_, index) => {
        const fingerprint = String(index).padStart(12, '0')
        return { ...difference, part, kind, id: `answer/Thing.${index}/gone`, family: 'thing', fingerprint }
      })
    const text = render([], {}, { drift: [...many('shapes', 'breaking'), ...many('document', 'additive')] })
    expect(text).toMatch(/^ {2}and 8 more: --report json=FILE has them all$/m)
    expect(text).toMatch(
      /answer gone \(48\): 0, 1, 2, 3, 4, 5, 6, 7 \(Thing\) and 40 more: --report json=FILE has them all$/m,
    )
  })
})
