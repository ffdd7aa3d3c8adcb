import { writeFileSync } from 'node:fs'
import { readProgramOptions } from '../../mock-server/testing/read-program-options.ts'
import { renderRules } from './rules-document.ts'

readProgramOptions('rules', {})
writeFileSync(new URL('../RULES.md', import.meta.url), renderRules())
