/**
 * The grammars beside this file, and how Peggy makes parsers of them. The build reads this file too, so it imports nothing.
 * The cache keeps what each rule found at each place, so that no text takes exponential time.
 */
export const grammars = {
  lucene: { file: 'lucene.peggy', options: optionsFor('Query') },
  sql: { file: 'sql.peggy', options: optionsFor('One', 'Several') },
}

/** Peggy would merge `"[" / "{"` into one class, which is faster, but deployments name the two in their errors. */
function optionsFor(...allowedStartRules: string[]) {
  const use = ({ passes }: { passes: { transform: { name: string }[] } }) => {
    passes.transform = passes.transform.filter(({ name }) => name !== 'mergeCharacterClasses')
  }
  return { cache: true, allowedStartRules, plugins: [{ use }] } as object
}
