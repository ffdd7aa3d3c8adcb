import { basename } from 'node:path'
import type { Report } from '../report/report.ts'
import { type JudgeHarOptions, judgeHar } from '../run/har/judge-har.ts'
import { readJson } from './files.ts'
import type { Given } from './options.ts'

/** `--har FILE`: the report of recorded traffic. */
export const readHarReport = (given: Given, options: JudgeHarOptions): Report => {
  const file = given.har![0]!
  return readJson('--har', file, har => judgeHar(har, { ...options, name: basename(file) }))
}
