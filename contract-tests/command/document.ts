import { basename } from 'node:path'
import { exitStatus, type Gates } from '../report/exit-status.ts'
import { type Report, summarise } from '../report/report.ts'
import type { Paint } from '../report/terminal.ts'
import type { AnswerJudge } from '../run/document/judge-answers.ts'
import { judgeDocument } from '../run/document/judge-document.ts'
import { readDocument } from '../run/document/read-document.ts'
import { readJson } from './files.ts'
import type { Given } from './options.ts'
import { screenFor, type WantedReport, writeReports } from './reports.ts'
import type { Surroundings } from './run.ts'

/** `--document FILE`: judges a vendor's description, prints how it drifts from the contract, and answers with the exit status. */
export function runDocument(
  given: Given,
  gates: Gates,
  reports: readonly WantedReport[],
  around: Surroundings,
): number {
  const file = given.document![0]!
  const startedAt = new Date()
  const { drift, forms } = readJson('--document', file, document => ({
    drift: judgeDocument(document),
    forms: readDocument(document).forms,
  }))
  const report: Report = {
    tool: { name: 'stack-parity', version: around.version },
    target: { name: basename(file), forms },
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    requests: 0,
    summary: summarise([], drift),
    rules: [],
    drift,
  }
  const { screen, paint } = screenFor(reports, around)
  screen.write(renderDrift(report, paint))
  writeReports(report, reports, around)
  // No rule is judged here; what can fail is drift alone.
  return exitStatus(report, gates) === 1 ? 1 : 0
}

/** `--document FILE` beside a target or a recording: the judge of its answers. The validator is loaded for it alone. */
export async function readAnswerJudge({ document }: Given): Promise<AnswerJudge | undefined> {
  if (!document) return undefined
  const { createAnswerJudge } = await import('../run/document/judge-answers.ts')
  return readJson('--document', document[0]!, createAnswerJudge)
}

function renderDrift({ target, drift }: Report, paint: Paint): string {
  const lines = drift.map(({ kind, id, was, is }) => {
    const colour = { breaking: paint.red, additive: paint.yellow, neutral: paint.dim }[kind]
    return `  ${colour(kind.padEnd(9))} ${id}  ${[was, is].map(plain).filter(Boolean).join(' → ')}`
  })
  const counts = (['breaking', 'additive', 'neutral'] as const).map(
    kind => `${drift.filter(one => one.kind === kind).length} ${kind}`,
  )
  const forms = target.forms.map(form => (form === 'selfHosted' ? 'self-hosted' : form)).join(', ')
  const last = drift.length === 0 ? 'agrees with the contract' : `drifts from the contract: ${counts.join(', ')}`
  return `${[...lines, `${target.name} (${forms}) ${last}.`].join('\n')}\n`
}

const plain = (value: unknown): string =>
  value === null
    ? ''
    : Array.isArray(value)
      ? value.join(', ')
      : typeof value === 'string'
        ? value
        : JSON.stringify(value)
