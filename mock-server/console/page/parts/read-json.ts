/** The value of a JSON text, in an object because it may be null; undefined when the text is not JSON. */
export function readJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
