import { mkdirSync, writeFileSync } from 'node:fs'
import { readProgramOptions } from '../read-program-options.ts'
import { renderTypes } from './render-types.ts'

readProgramOptions('types', {})
const dist = new URL('../../dist/', import.meta.url)
mkdirSync(dist, { recursive: true })
// Indented they are an eighth larger.
writeFileSync(new URL('types.d.ts', dist), renderTypes().replace(/^ +/gm, ''))
// What is imported for its types alone is asked for by programs that keep the import, too.
writeFileSync(new URL('types.js', dist), 'export {}\n')
