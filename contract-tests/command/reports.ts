import { appendFileSync } from 'node:fs'
import { UsageError } from '../engine/target/target.ts'
import { hasJudgedNothing } from '../report/exit-status.ts'
import { reporters } from '../report/index.ts'
import { type Report, type ReportKind, reportKinds } from '../report/report.ts'
import { createPaint } from '../report/terminal.ts'
import type { CommandContext } from './command.ts'
import { refuseMissingFolder, writeText } from './files.ts'

export interface RequestedReport {
  readonly kind: ReportKind
  readonly file: string
}

/** Reads the values of `--report KIND=FILE`. */
export function readReports(values: readonly string[]): readonly RequestedReport[] {
  const onStdout = values.filter(value => value.endsWith('=-'))
  if (onStdout.length > 1)
    throw new UsageError(`--report ${onStdout.join(' and ')} would mix on stdout: give all but one of them a file.`)
  return values.map(value => {
    const [, kind = '', file = ''] = /^([\w-]+)=([\s\S]+)$/.exec(value) ?? []
    if (!Object.hasOwn(reporters, kind)) {
      throw new UsageError(
        `--report takes KIND=FILE with a KIND of ${reportKinds.join(', ')}, not ${JSON.stringify(value)}.`,
      )
    }
    if (file !== '-') refuseMissingFolder('--report', file)
    return { kind: kind as ReportKind, file }
  })
}

export function writeReports(
  report: Report,
  requested: readonly RequestedReport[],
  { stdout, stderr, env }: CommandContext,
): void {
  for (const { kind, file } of requested) {
    if (kind === 'sarif' && report.rules.length > 0 && hasJudgedNothing(report)) {
      stderr.write(
        `${file === '-' ? 'The SARIF report' : file} is not written: nothing was judged, and a report without results would close the open alerts of a repository.\n`,
      )
      continue
    }
    const text = reporters[kind](report)
    if (file === '-') stdout.write(text)
    else writeText('--report', file, text)
  }
  if (requested.some(({ kind }) => kind === 'github')) appendSummary(report, env.GITHUB_STEP_SUMMARY)
}

/** The stream for people: stderr when a report for a program goes to stdout. */
export function screenFor(requested: readonly RequestedReport[], { stdout, stderr, env }: CommandContext) {
  const screen = requested.some(({ file }) => file === '-') ? stderr : stdout
  return { screen, paint: createPaint(screen.isTTY === true && !env.NO_COLOR) }
}

/** GitHub shows what a step appends to this file on the page of its run. */
function appendSummary(report: Report, file: string | undefined): void {
  if (!file) return
  try {
    appendFileSync(file, reporters.markdown(report))
  } catch (error) {
    throw new UsageError(`the step summary ${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`)
  }
}
