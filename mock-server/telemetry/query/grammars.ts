/** The grammar files and Peggy's options. This module has no imports, because the build reads it too. */
export const grammars = {
  // Brackets have two alternatives; without the cache the time would double with each level.
  lucene: { file: 'lucene.peggy', options: { cache: true, plugins: [{ use: keepLiterals }] } },
  sql: { file: 'sql.peggy', options: { allowedStartRules: ['One', 'Several'] } },
}

/** Peggy merges `"[" / "{"` into the class `[[{]`; deployments list both literals in their errors. */
function keepLiterals({ passes }: { passes: { transform: { name: string }[] } }) {
  passes.transform = passes.transform.filter(({ name }) => name !== 'mergeCharacterClasses')
}
