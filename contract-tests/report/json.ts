import type { Report } from './report.ts'

/** The report as it stands: every other kind is made from this one. */
export const renderJson = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`
