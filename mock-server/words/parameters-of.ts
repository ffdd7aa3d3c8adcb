/** The names of the parameters in a path template, in their order; the segment of the managed form is none. */
export const parametersOf = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).filter(name => name !== 'segment')
