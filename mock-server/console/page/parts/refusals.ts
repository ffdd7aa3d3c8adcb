import { resolve, type Schema, type Schemas } from './openapi.ts'

/** What the mock refused: findings by the paths of the fields that they name, and all others. */
export interface Refusals {
  readonly byField: Readonly<Record<string, string>>
  readonly others: string
}

/** Divides a refusal into findings, word for word, and gives each the field of the schema that it names. */
export function readRefusal(sentence: string, schema: Schema, named: Schemas): Refusals {
  const byField: Record<string, string> = {}
  const others = findingsIn(sentence).filter(finding => {
    const path = pathsIn(finding)
      .map(found => fieldAt(found.replace(/^body\./, '').split('.'), schema, named))
      .find(found => found !== '')
    if (path !== undefined) byField[path] = byField[path] === undefined ? finding : `${byField[path]}; ${finding}`
    return path === undefined
  })
  return { byField, others: others.join('; ') }
}

/** The parts of a sentence that name a field of their own, such as `request body.name: Required; request body.roles: …`. */
const findingsIn = (sentence: string): readonly string[] => sentence.split(/; (?=[\w ]+(?:\.[\w$]+)*: )/)

/** The words that may be the path of a field, the longest first. */
const pathsIn = (finding: string): readonly string[] =>
  [...finding.matchAll(/[\w$]+(?:\.[\w$]+)*/g)].map(([path]) => path).sort((one, other) => other.length - one.length)

/** As much of a path as the schema has: a path may lead on into a text. */
function fieldAt(path: readonly string[], schema: Schema, named: Schemas): string {
  const known: string[] = []
  let above = resolve(schema, named)
  for (const part of path) {
    const next = /^\d+$/.test(part) ? above.items : above.properties?.[part]
    if (!next) break
    known.push(part)
    above = resolve(next, named)
  }
  return known.join('.')
}
