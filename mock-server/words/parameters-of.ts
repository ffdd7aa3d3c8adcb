/** The names of the parameters in a path template, in order, without the fixed `{segment}` of the managed form. */
export const parametersOf = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).filter(name => name !== 'segment')
