/** The index of the families: a line for each, which exports what `Family` has. */
export * as search from './search.ts'
export * as team from './team.ts'
