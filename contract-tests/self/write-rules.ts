import { writeFileSync } from 'node:fs'
import { renderRules } from './rules-document.ts'

writeFileSync(new URL('../RULES.md', import.meta.url), renderRules())
