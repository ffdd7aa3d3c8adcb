import { append, element } from '../element.ts'
import { button, code, copyButton } from '../parts.ts'

/** Opens a sheet over the page. Escape and its cross close it, and the focus goes back to where it was. */
export function openSheet(title: string, build: (close: () => void) => readonly Node[]): HTMLDialogElement {
  const sheet = element('dialog.sheet', { 'aria-labelledby': 'sheet-title' })
  const close = () => sheet.close()
  sheet.addEventListener('close', () => sheet.remove())
  append(sheet, [
    element('header', [
      element('h2', { id: 'sheet-title' }, title),
      button('✕', close, { class: 'opens', 'aria-label': 'Close' }),
    ]),
    build(close),
  ])
  document.body.append(sheet)
  sheet.showModal()
  return sheet
}

/** Asks before something is deleted; a refusal is shown where it was asked. */
export function askToDelete(
  what: string,
  { says, how, remove }: { readonly says: string; readonly how: string; readonly remove: () => Promise<unknown> },
): void {
  openSheet(`Delete ${what}?`, close => {
    const refused = element('p.notice', { role: 'alert', hidden: true })
    const act = async () => {
      confirm.disabled = true
      try {
        await remove()
        close()
      } catch (error) {
        refused.hidden = false
        refused.textContent = (error as Error).message
        confirm.disabled = false
        confirm.focus()
      }
    }
    const confirm = button('Delete', act, { class: 'danger' })
    const row = element('footer', [button('Cancel', close, { autofocus: true }), confirm])
    return [element('p', says), element('p.how', element('code', how)), refused, row]
  })
}

const secret = /secret|password|keyId|connectionString/i

/** What an answer shows this once: the texts beside the record that was made. */
export const secretsIn = (answer: unknown): readonly (readonly [name: string, text: string])[] =>
  typeof answer === 'object' && answer !== null
    ? Object.entries(answer).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string' && secret.test(entry[0]),
      )
    : []

/** Shows what is shown once, each with a button that copies it. */
export function showOnce(title: string, secrets: ReturnType<typeof secretsIn>): void {
  const lines = secrets.map(([name, text]) => `${name}=${text}`).join('\n')
  openSheet(title, close => [
    element('p.notice', 'This is shown once. No list and no get answers it again: copy it now.'),
    ...secrets.map(([name, text]) => element('div.once', [element('h3', name), code(text, name)])),
    element('footer', [
      secrets.length > 1 && copyButton(lines, 'Copy all'),
      button('Done', close, { class: 'primary', autofocus: true }),
    ]),
  ])
}
