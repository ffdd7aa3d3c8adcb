import { writeFileSync } from 'node:fs'
import { readProgramOptions } from '../../.ci/read-program-options.ts'
import { renderRules } from './rules-document.ts'

readProgramOptions('rules', {})
writeFileSync(new URL('../RULES.md', import.meta.url), renderRules())
