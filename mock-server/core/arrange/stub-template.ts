/** What a placeholder such as `{{body.name}}` or `{{now}}` may begin with; everything else in braces stays as it stands. */
const placeholders = /\{\{\s*((?:body|query|headers|params|method|path|operation|count|now)(?:\.[\w-]+)*)\s*\}\}/g

/**
 * Fills the placeholders of a JSON value from what is known of a call. A text that is one placeholder becomes the value that
 * it names, with its type, and is left out where there is none; within a text the value is written by `escaped`.
 */
export function fillTemplate(template: unknown, known: object, escaped = (text: string) => text): unknown {
  if (typeof template === 'string') return fillText(template, known, escaped)
  if (Array.isArray(template)) return template.map(item => fillTemplate(item, known))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fillTemplate(value, known)]))
}

function fillText(template: string, known: object, escaped: (text: string) => string): unknown {
  const [first] = template.matchAll(placeholders)
  if (first?.[0] === template) return valueAt(first[1]!, known)
  return template.replace(placeholders, (_, path: string) => {
    const value = valueAt(path, known)
    if (value === undefined) return ''
    return escaped(typeof value === 'string' ? value : JSON.stringify(value))
  })
}

/** Goes by own properties alone: `{{body.constructor}}` names nothing unless the body has such a field. */
function valueAt(path: string, known: object): unknown {
  let value: unknown = known
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    // The length of a list is an own property, too.
    if (Array.isArray(value) && !/^\d+$/.test(name)) return undefined
    value = value[name as keyof typeof value]
  }
  return value
}

/** How a value is escaped within a text of this media type. */
export function escapeFor(type: string): (text: string) => string {
  if (/json/i.test(type)) return text => JSON.stringify(text).slice(1, -1)
  if (/html|xml/i.test(type)) return text => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
  return text => text
}
