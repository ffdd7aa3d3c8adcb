/** The grammars beside this file, and how Peggy makes parsers of them. The build reads this file too, so it imports nothing. */
export const grammars = {
  // Brackets may be tried in two ways, each of which would double the time for each level without the cache.
  lucene: { file: 'lucene.peggy', options: { cache: true, plugins: [{ use: keepLiterals }] } },
  sql: { file: 'sql.peggy', options: { allowedStartRules: ['One', 'Several'] } },
}

/** Peggy merges `"[" / "{"` into the class `[[{]`; deployments name both literals in their errors. */
function keepLiterals({ passes }: { passes: { transform: { name: string }[] } }) {
  passes.transform = passes.transform.filter(({ name }) => name !== 'mergeCharacterClasses')
}
