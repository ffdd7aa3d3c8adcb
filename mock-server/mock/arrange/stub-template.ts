/** The roots of placeholders such as `{{body.name}}` or `{{now}}`; other text in braces is kept. */
const placeholders = /\{\{\s*((?:body|query|headers|params|method|path|operation|count|now)(?:\.[\w-]+)*)\s*\}\}/g

/**
 * Fills the placeholders of a JSON value from a call. A string that is one placeholder becomes the value with its type,
 * or is omitted if there is none. If the template itself is a longer string, `escapeText` escapes the values inside it.
 */
export function fillTemplate(template: unknown, values: object, escapeText = (text: string) => text): unknown {
  if (typeof template === 'string') return fillText(template, values, escapeText)
  if (Array.isArray(template)) return template.map(item => fillTemplate(item, values))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fillTemplate(value, values)]))
}

function fillText(template: string, values: object, escapeText: (text: string) => string): unknown {
  const [first] = template.matchAll(placeholders)
  if (first?.[0] === template) return valueAt(first[1]!, values)
  return template.replace(placeholders, (_, path: string) => {
    const value = valueAt(path, values)
    if (value === undefined) return ''
    return escapeText(typeof value === 'string' ? value : JSON.stringify(value))
  })
}

/** Reads own properties only: `{{body.constructor}}` is undefined unless the body has such a field. */
function valueAt(path: string, values: object): unknown {
  let value: unknown = values
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    // The length of a list is an own property, too.
    if (Array.isArray(value) && !/^\d+$/.test(name)) return undefined
    value = value[name as keyof typeof value]
  }
  return value
}

/** The escape function of a media type. */
export function escapeFor(type: string): (text: string) => string {
  if (/json/i.test(type)) return text => JSON.stringify(text).slice(1, -1)
  if (/html|xml/i.test(type)) return text => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
  return text => text
}
