/** The plural of an English noun, or of the name of a model, such as `savedSearch`. */
export type Plural<Name extends string> = Name extends `${string}s`
  ? Name
  : Name extends `${string}${'x' | 'z' | 'ch' | 'sh'}`
    ? `${Name}es`
    : Name extends `${string}${'a' | 'e' | 'o' | 'u'}y`
      ? `${Name}s`
      : Name extends `${infer Stem}y`
        ? `${Stem}ies`
        : `${Name}s`

export function pluralOf<Name extends string>(name: Name): Plural<Name> {
  const ending = /(?:x|z|ch|sh)$/.test(name) ? 'es' : 's'
  const plural = name.endsWith('s') ? name : name.replace(/([^aeou])y$/, '$1ie') + ending
  return plural as Plural<Name>
}
