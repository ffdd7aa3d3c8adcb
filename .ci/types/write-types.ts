import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readProgramOptions } from '../read-program-options.ts'
import { renderTypes } from './render-types.ts'

readProgramOptions('types', {})
const file = fileURLToPath(new URL('../../mock-server/types.ts', import.meta.url))
writeFileSync(file, renderTypes())
execFileSync('npx', ['biome', 'format', '--write', file], { stdio: 'inherit' })
