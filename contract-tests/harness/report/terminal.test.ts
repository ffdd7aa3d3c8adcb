import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Report } from './report.ts'
import { createPaint, renderTerminal } from './terminal.ts'

it('lets nothing of a hostile target reach the terminal as a control code or a workflow command', () => {
  const file = new URL('../../../fixtures/schemas/examples/hostile-report.json', import.meta.url)
  const text = renderTerminal(JSON.parse(readFileSync(file, 'utf8')) as Report, createPaint(false))
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
  expect(text.split('\n').filter(line => line.trimStart().startsWith('::'))).toEqual([])
})

describe('a reason why nothing could be judged', () => {
  const errored = (id: string, detail: string) =>
    ({
      id,
      section: '2.2',
      level: 'must',
      says: 'says',
      form: 'cloud',
      outcome: 'errored',
      detail,
      exchanges: [],
    }) as never
  const render = (count: number) => {
    const file = new URL('../../../fixtures/schemas/examples/hostile-report.json', import.meta.url)
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report
    const many = Array.from({ length: count }, (_, index) => errored(`many/${index}`, 'nobody\nanswers'))
    const rules = [...many, errored('one/alone', 'a time-out')]
    return renderTerminal({ ...report, rules, drift: [] }, createPaint(false))
  }

  it('is said once when many verdicts share it', () => {
    const text = render(6)
    expect(text).toContain('\nNot judged\n  6 ×  nobody\\nanswers\n')
    expect(text.match(/nobody/g)).toHaveLength(1)
    expect(text).toMatch(/^ {2}! many\/5 +must +! cloud$/m)
    expect(text).toContain('      cloud: a time-out\n')
  })

  it('stands with its verdict when few do', () => {
    const text = render(5)
    expect(text.match(/ {6}cloud: nobody\\nanswers\n/g)).toHaveLength(5)
    expect(text).not.toContain('Not judged')
  })
})
