import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Report } from './report.ts'
import { createPaint, renderTerminal } from './terminal.ts'

it('lets nothing of a hostile target reach the terminal as a control code or a workflow command', () => {
  const file = new URL('../../../fixtures/schemas/examples/hostile-report.json', import.meta.url)
  const text = renderTerminal(JSON.parse(readFileSync(file, 'utf8')) as Report, createPaint(false))
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
  expect(text.split('\n').filter(line => line.trimStart().startsWith('::'))).toEqual([])
})
