import type { Surroundings } from '../command.ts'
import type { Report } from '../harness/report/report.ts'
import { UsageError } from '../harness/target.ts'
import { writeText } from './files.ts'

/** The kinds of report, each a function of the json report. */
const kinds: Record<string, (report: Report) => string> = { json: report => `${JSON.stringify(report, null, 2)}\n` }

interface WantedReport {
  readonly kind: string
  readonly file: string
}

/** Reads the values of `--report KIND=FILE`. */
export function readReports(values: readonly string[]): readonly WantedReport[] {
  return values.map(value => {
    const [, kind = '', file = ''] = /^([\w-]+)=([\s\S]+)$/.exec(value) ?? []
    if (Object.hasOwn(kinds, kind)) return { kind, file }
    throw new UsageError(
      `--report takes KIND=FILE with a KIND of ${Object.keys(kinds).join(', ')}, not ${JSON.stringify(value)}.`,
    )
  })
}

export function writeReports(report: Report, wanted: readonly WantedReport[], { stdout }: Surroundings): void {
  for (const { kind, file } of wanted) {
    const text = kinds[kind]!(report)
    if (file === '-') stdout.write(text)
    else writeText('report', file, text)
  }
}
