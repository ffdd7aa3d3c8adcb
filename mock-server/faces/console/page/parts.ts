import type { Named } from './ask.ts'
import { type Attributes, type Child, element, fill } from './element.ts'

/** A button that does something, and submits no form. */
export const button = (says: Child, act: (event: Event) => unknown, attributes: Attributes = {}): HTMLButtonElement =>
  element('button', { type: 'button', onclick: act, ...attributes }, says)

/** Buttons of which one is pressed. */
export function switches<Name extends string>(
  names: readonly Name[],
  pressed: Name,
  choose: (name: Name) => unknown,
  attributes: Attributes = {},
): readonly HTMLButtonElement[] {
  const press = (name: Name) => {
    for (const one of buttons) one.ariaPressed = String(one.textContent === name)
    choose(name)
  }
  const buttons = names.map(name =>
    button(name, () => press(name), { ...attributes, 'aria-pressed': String(name === pressed) }),
  )
  return buttons
}

/** Names with what they stand for. */
export const definitions = (selector: 'dl' | `dl.${string}`, pairs: readonly (readonly [name: string, is: Child])[]) =>
  element(
    selector,
    pairs.map(([name, is]) => element('div', [element('dt', name), element('dd', is)])),
  )

/** The words that are searched for, in lower case. */
export const wordsIn = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

/** A button that copies a text, and says so. */
export function copyButton(text: string | (() => string), name = 'Copy'): HTMLElement {
  const act = async (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
    const isCopied = await copy(typeof text === 'string' ? text : text())
    made.textContent = isCopied ? 'Copied' : 'Not allowed'
    setTimeout(() => {
      made.textContent = name
    }, 1500)
  }
  const made = button(name, act, { class: 'copy', 'aria-live': 'polite' })
  return made
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Off loopback a page without https has no clipboard.
    const area = element('textarea.offscreen')
    area.value = text
    document.body.append(area)
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    return isCopied
  }
}

/** A text in fixed width with its copy button. */
export const code = (text: string, label?: string): HTMLElement =>
  element('div.code', [element('pre', label ? { 'aria-label': label, tabindex: 0 } : {}, text), copyButton(text)])

/** A body as it is read best: JSON with its words told apart, anything else as it came. */
export function body(text: string): HTMLElement {
  if (text === '') return element('p.quiet', 'No body.')
  const shown = pretty(text)
  const pre = element('pre', { tabindex: 0, 'aria-label': 'body' }, shown === undefined ? [text] : paint(shown))
  return element('div.code', [pre, copyButton(shown ?? text)])
}

function pretty(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return undefined
  }
}

const words = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi

/** JSON with its words told apart: names, texts and other values. */
export function paint(json: string): (Node | string)[] {
  const painted: (Node | string)[] = []
  let last = 0
  for (const found of json.matchAll(words)) {
    const [whole, text, colon] = found
    painted.push(json.slice(last, found.index))
    const kind = text === undefined ? 'number' : colon === undefined ? 'text' : 'key'
    painted.push(element('span', { class: `json-${kind}` }, text ?? whole), colon ?? '')
    last = found.index + whole.length
  }
  return [...painted, json.slice(last)]
}

const tones: Readonly<Record<string, string>> = {
  ...{ running: 'good', done: 'good', OK: 'good', enabled: 'good', idle: 'idle', stopped: 'plain' },
  ...{ failed: 'bad', error: 'bad', ALERT: 'bad', degraded: 'warn', partially_running: 'warn', PENDING: 'warn' },
}

/** The tone of a state of a service, backup, key or alert. */
export const toneOfState = (state: string, otherwise: string): string => tones[state] ?? otherwise

export const badge = (text: string, tone = ''): HTMLElement => element('span', { class: `badge ${tone}` }, text)

/** An on-off switch with its label; `change` may refuse by throwing: the switch goes back. */
export function toggle(label: Node | string, isOn: boolean, change: (isOn: boolean) => Promise<unknown>): HTMLElement {
  const input = element('input.switch', { type: 'checkbox', role: 'switch' })
  input.checked = isOn
  input.addEventListener('change', async () => {
    input.disabled = true
    try {
      await change(input.checked)
    } catch (error) {
      input.checked = !input.checked
      throw error
    } finally {
      input.disabled = false
      // A switch that is off loses the focus; it gets it back, unless the user has gone on.
      if (document.activeElement === document.body) input.focus({ preventScroll: true })
    }
  })
  return element('label.toggle', [input, element('span', label)])
}

/** Says a sentence at the foot of the page, and to screen readers. */
export type Say = (sentence: string) => void

export function createSay(): Say {
  const place = element('div', { id: 'said', role: 'status' })
  let quiet: ReturnType<typeof setTimeout> | undefined
  return sentence => {
    if (!place.isConnected) document.body.append(place)
    place.textContent = sentence
    place.classList.add('shown')
    clearTimeout(quiet)
    quiet = setTimeout(() => place.classList.remove('shown'), 5000)
  }
}

/** A table that scrolls by itself when it is wider than the page. */
export function table(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly (Node | string)[])[],
): HTMLElement {
  return element('div.scroll.panel', { role: 'region', 'aria-label': name, tabindex: 0 }, [
    element('table', [
      element('thead', [element('tr', [columns.map(column => element('th', { scope: 'col' }, column))])]),
      element('tbody', [rows.map(row => element('tr', [row.map(cell => element('td', cell))]))]),
    ]),
  ])
}

type Options = readonly (readonly [value: string, says: string])[]

/** Values to choose from, each with what it is called. */
export const select = (options: Options, chosen?: string | null, attributes: Attributes = {}): HTMLSelectElement =>
  element(
    'select',
    attributes,
    options.map(([value, says]) => element('option', { value, selected: value === chosen }, says)),
  )

/** A list to choose from; what is chosen is an address. */
export function choice(label: string, options: Options, chosen: string, address: (id: string) => string): HTMLElement {
  const list = select(options, chosen, { onchange: () => location.assign(address(list.value)) })
  return element('label.choose', [label, list])
}

/** A list of records to choose from by their names. */
export const recordChoice = (
  label: string,
  records: readonly Named[],
  chosen: string,
  address: (id: string) => string,
) =>
  choice(
    label,
    records.map(({ id, name }) => [id, String(name)]),
    chosen,
    address,
  )

/** Text of a POSIX shell. */
export const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** Does something now, and again and again until the signal ends; not while nobody looks. Only the first time may fail. */
export async function repeat(everyMs: number, signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  await work()
  const round = async () => {
    if (signal.aborted) return
    if (!document.hidden) await work().catch(() => {})
    setTimeout(round, everyMs)
  }
  setTimeout(round, everyMs)
}

/** Fills a place when what it shows is not what it showed before: what did not change keeps the focus, and stays open. */
export type Update = (place: Element, what: unknown, render: () => Child) => void

export function createUpdate(): Update {
  const shown = new Map<Element, string>()
  return (place, what, render) => {
    const text = JSON.stringify(what)
    if (shown.get(place) === text) return
    shown.set(place, text)
    fill(place, render())
  }
}
