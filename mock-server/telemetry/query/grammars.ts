/** The grammar files and Peggy's options. This module has no imports, because the build reads it too. */
export const grammars = {
  // Two alternatives of a rule begin with a bracket: without the cache, each level of nesting would double the time to parse.
  lucene: { file: 'lucene.peggy', options: { cache: true, plugins: [{ use: keepLiterals }] } },
  sql: { file: 'sql.peggy', options: { allowedStartRules: ['One', 'Several', 'Columns', 'Orders', 'Statement'] } },
}

/** Peggy merges `"[" / "{"` into the class `[[{]`; deployments list both literals in their errors. */
function keepLiterals({ passes }: { passes: { transform: { name: string }[] } }) {
  passes.transform = passes.transform.filter(({ name }) => name !== 'mergeCharacterClasses')
}
