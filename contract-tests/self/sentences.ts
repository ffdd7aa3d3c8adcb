import { gaps, rules, sentences } from '../../fixtures/contract/index.ts'

const ids = [...Object.keys(rules), ...Object.keys(gaps)]

/** The ids of rules and gaps that a pattern stands for; the pattern itself if there is none. */
function idsOf(pattern: string): readonly string[] {
  const expression = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
  const found = ids.filter(id => expression.test(id))
  return found.length > 0 ? found : [pattern]
}

/** The sentences of the specification with the ids of the rules and gaps that hold each. */
export const heldSentences = sentences.map(({ heldBy, ...sentence }) => ({
  ...sentence,
  heldBy: heldBy.flatMap(idsOf),
}))
