export type Child = Node | string | number | false | null | undefined | readonly Child[]
type Value = string | number | boolean | undefined | ((event: never) => unknown) | Readonly<Record<string, string>>
export type Attributes = Readonly<Record<string, Value>>

/** The tag that a selector such as `p.quiet` begins with. */
type TagOf<Selector> = Selector extends `${infer Tag}.${string}` ? Tag : Selector
type Made<Selector> =
  TagOf<Selector> extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[TagOf<Selector>] : never

/**
 * Makes an element: `element('p.quiet', { title: 'why' }, children)`, without attributes `element('p', children)`. Children
 * that are no elements become text: nothing that came with a request is ever read as markup. Of the attributes, a function
 * is a listener (`onclick`), an object the properties of the style, true an empty attribute, false and undefined none.
 */
export function element<const Selector extends string>(
  selector: Made<Selector> extends never ? never : Selector,
  ...rest: readonly [attributes: Attributes, children?: Child] | readonly [children?: Child]
): Made<Selector> {
  const [tag = '', ...classes] = selector.split('.')
  const [attributes, children] = (isAttributes(rest[0]) ? rest : [{}, rest[0]]) as [Attributes, Child]
  const made: HTMLElement = document.createElement(tag)
  if (classes.length > 0) made.className = classes.join(' ')
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key.slice(2), value as EventListener)
    else if (typeof value === 'object')
      for (const [name, text] of Object.entries(value)) made.style.setProperty(name, text)
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : String(value))
  }
  append(made, children)
  return made as Made<Selector>
}

const isAttributes = (value: unknown): boolean => Object.getPrototypeOf(value ?? '') === Object.prototype

export function append(parent: Node, child: Child): void {
  if (Array.isArray(child)) for (const one of child) append(parent, one)
  else if (child instanceof Node) parent.appendChild(child)
  else if (child !== false && child !== null && child !== undefined) parent.appendChild(new Text(String(child)))
}

/** Puts these children in the place of all others. */
export function fill(parent: Element, child: Child): void {
  parent.replaceChildren()
  append(parent, child)
}
