import { element } from '../element.ts'

/**
 * Shows what the mock said of a form: each finding at the field that it names, and the others in a place for them. What it
 * said stays word for word.
 */
export function showRefusal(form: HTMLElement, rest: HTMLElement, sentence: string): void {
  clearRefusals(form, rest)
  const left = findingsIn(sentence).filter(finding => !showAtField(form, finding))
  rest.hidden = left.length === 0
  rest.textContent = left.join('; ')
  const first = form.querySelector<HTMLElement>('[aria-invalid]')
  if (first) first.focus()
  else rest.scrollIntoView({ block: 'nearest' })
}

export function clearRefusals(form: HTMLElement, rest: HTMLElement): void {
  for (const said of form.querySelectorAll('.refused')) said.remove()
  for (const input of form.querySelectorAll('[aria-invalid]')) {
    input.removeAttribute('aria-invalid')
    input.removeAttribute('aria-describedby')
  }
  rest.hidden = true
}

/** The parts of a sentence that name a field of their own, such as `request body.name: Required; request body.roles: …`. */
const findingsIn = (sentence: string): readonly string[] => sentence.split(/; (?=[\w ]+(?:\.[\w$]+)*: )/)

/** The words that may be the path of a field, the longest first. */
const pathsIn = (finding: string): readonly string[] =>
  [...finding.matchAll(/[\w$]+(?:\.[\w$]+)*/g)].map(([path]) => path).sort((one, other) => other.length - one.length)

function showAtField(form: HTMLElement, finding: string): boolean {
  const field = pathsIn(finding)
    .map(path => fieldAt(form, path.replace(/^body\./, '').split('.')))
    .find(found => found !== undefined)
  if (!field) return false
  const id = `refused-${Math.random().toString(36).slice(2)}`
  field.append(element('p.refused', { id }, finding))
  for (let above = field.parentElement; above && above !== form; above = above.parentElement) {
    if (above instanceof HTMLDetailsElement) above.open = true
  }
  const input = field.querySelector('input, select, textarea')
  input?.setAttribute('aria-invalid', 'true')
  input?.setAttribute('aria-describedby', id)
  return true
}

/** The field at a path, or the one around it where the path leads on into a text. */
function fieldAt(form: HTMLElement, path: readonly string[]): HTMLElement | undefined {
  let found: HTMLElement | undefined
  for (const part of path) {
    const next: Element | null | undefined = /^\d+$/.test(part)
      ? found?.querySelector(':scope > ul')?.children[Number(part)]
      : (found ?? form).querySelector(`[data-field="${CSS.escape(part)}"]`)
    if (!next) return found
    found = next as HTMLElement
  }
  return found
}
