import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import hostileReport from '../../fixtures/schemas/examples/hostile-report.json'
import { UsageError } from '../engine/target/target.ts'
import { type Report, reportKinds } from '../report/report.ts'
import type { CommandContext } from './command.ts'
import { readReports, writeReports } from './reports.ts'

const report = hostileReport as Report

describe('--report', () => {
  let folder: string
  let printed: string[]
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stack-parity-reports-'))
    printed = []
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const write = (values: readonly string[], env: Record<string, string> = {}, of = report) => {
    const stdout = { write: (text: string) => printed.push(text) }
    writeReports(of, readReports(values), { stdout, stderr: stdout, env } as unknown as CommandContext)
  }
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')

  it('writes each kind to its file, and to stdout for -', () => {
    write(['sarif=-', `junit=${join(folder, 'a=b.xml')}`, `html=${join(folder, 'report.html')}`])
    expect(JSON.parse(printed.join(''))).toMatchObject({ version: '2.1.0' })
    expect(read('a=b.xml')).toMatch(/^<\?xml/)
    expect(read('report.html')).toMatch(/^<!doctype html>/)
  })

  it('writes no SARIF of a run that judged nothing, since it would close the open alerts of a repository', () => {
    const rules = report.rules.map(rule => ({ ...rule, outcome: 'errored' as const }))
    const values = ['sarif', 'json'].map(kind => `${kind}=${join(folder, kind)}`)
    write(values, {}, { ...report, rules, drift: [] })
    expect(readdirSync(folder)).toEqual(['json'])
    expect(printed.join('')).toBe(
      `${join(folder, 'sarif')} is not written: nothing was judged, and a report without results would close the open alerts of a repository.\n`,
    )
    write(values)
    expect(readdirSync(folder)).toEqual(['json', 'sarif'])
  })

  it('refuses an unknown kind, a missing file name, and two kinds on stdout', () => {
    expect(() => readReports(['pdf=x.pdf'])).toThrow(`a KIND of ${reportKinds.join(', ')}, not "pdf=x.pdf"`)
    expect(() => readReports(['toString=x'])).toThrow(UsageError)
    expect(() => readReports(['json='])).toThrow(UsageError)
    expect(() => readReports(['json=-', 'junit=x.xml', 'github=-'])).toThrow(
      '--report json=- and github=- would mix on stdout: give all but one of them a file.',
    )
  })

  it('appends the Markdown report to the step summary of GitHub, for the github kind only', () => {
    const file = join(folder, 'summary.md')
    writeFileSync(file, 'before\n')
    write(['json=-'], { GITHUB_STEP_SUMMARY: file })
    expect(read('summary.md')).toBe('before\n')
    write(['github=-'], { GITHUB_STEP_SUMMARY: file })
    expect(read('summary.md')).toMatch(/^before\n## .*1 must rule and 1 should rule are broken\.\n/)
  })

  it('names the file that it cannot write', () => {
    const file = join(folder, 'no', 'summary.md')
    expect(() => write(['github=-'], { GITHUB_STEP_SUMMARY: file })).toThrow(
      `the step summary ${file} cannot be written`,
    )
  })
})
