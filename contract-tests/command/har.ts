import { basename } from 'node:path'
import { type JudgeHarOptions, judgeHar } from '../har/judge-har.ts'
import type { Report } from '../harness/report/report.ts'
import { readJson } from './files.ts'
import type { Given } from './options.ts'

/** `--har FILE`: the report of recorded traffic. */
export const readHarReport = (given: Given, options: JudgeHarOptions): Report => {
  const file = given.har![0]!
  return readJson('--har', file, har => judgeHar(har, { ...options, name: basename(file) }))
}
