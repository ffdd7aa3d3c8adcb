type Child = Node | string | number | false | null | undefined | readonly Child[]
type Value = string | number | boolean | undefined | ((event: never) => unknown)

/**
 * Makes an element. Children that are no elements become text: nothing that came with a request is ever read as markup.
 * A function is a listener (`onclick`), true an empty attribute, false and undefined none.
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, Value>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key.slice(2), value as EventListener)
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : String(value))
  }
  append(made, children)
  return made
}

export function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) append(parent, child)
    else if (child instanceof Node) parent.appendChild(child)
    else if (child !== false && child !== null && child !== undefined)
      parent.appendChild(document.createTextNode(String(child)))
  }
}

/** Puts these children in the place of all others. */
export function fill(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren()
  append(parent, children)
}
