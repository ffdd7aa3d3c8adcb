import { mkdirSync, writeFileSync } from 'node:fs'
import { readProgramOptions } from '../read-program-options.ts'
import { renderTypes } from './render-types.ts'

readProgramOptions('types', {})
const dist = new URL('../../dist/', import.meta.url)
mkdirSync(dist, { recursive: true })
// Without indentation, which would add an eighth to the size.
writeFileSync(new URL('types.d.ts', dist), renderTypes().replace(/^ +/gm, ''))
// Programs that do not remove imports of types import this module when they run.
writeFileSync(new URL('types.js', dist), 'export {}\n')
