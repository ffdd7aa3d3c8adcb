import { gaps, rules, sentences } from '../../fixtures/built-contract/index.ts'

const ids = [...Object.keys(rules), ...Object.keys(gaps)]

/** The ids of the rules and gaps that match a pattern; the pattern itself if none does. */
function idsOf(pattern: string): readonly string[] {
  const expression = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
  const found = ids.filter(id => expression.test(id))
  return found.length > 0 ? found : [pattern]
}

/** The sentences of the specification, each with the ids of its rules and gaps. */
export const heldSentences = sentences.map(({ heldBy, ...sentence }) => ({
  ...sentence,
  heldBy: heldBy.flatMap(idsOf),
}))
