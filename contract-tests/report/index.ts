import { renderCtrf } from './ctrf.ts'
import { renderGitHub } from './github.ts'
import { renderHtml } from './html.ts'
import { renderJUnit } from './junit.ts'
import { renderMarkdown } from './markdown.ts'
import type { Report, ReportKind } from './report.ts'
import { renderSarif } from './sarif.ts'

/** Every kind of report as a function of the json report. These functions also run in a browser. */
export const reporters: Readonly<Record<ReportKind, (report: Report) => string>> = {
  json: report => `${JSON.stringify(report, null, 2)}\n`,
  junit: renderJUnit,
  ctrf: renderCtrf,
  sarif: renderSarif,
  html: renderHtml,
  markdown: renderMarkdown,
  github: renderGitHub,
}
