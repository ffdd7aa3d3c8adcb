/** The index of the families: a line for each (`export * as key from './key.ts'`), which exports what `Family` has. */
export {}
