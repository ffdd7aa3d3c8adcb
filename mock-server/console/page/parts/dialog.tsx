import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { usePage } from '../state.ts'
import { Button, Code, CopyButton, Failure } from './elements.tsx'

/**
 * The dialog of the page. Escape, the button and the browser's Back close it, because an open dialog adds an entry to the
 * history. When it is closed, the focus returns to where it was.
 */
export function DialogHost() {
  const { dialog, close } = usePage()
  const isOpen = dialog.value !== undefined
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    if (!isOpen) return
    const shown = element.current!
    shown.showModal()
    history.pushState({ isDialog: true }, '')
    addEventListener('popstate', close)
    return () => {
      removeEventListener('popstate', close)
      shown.close()
      if (history.state?.isDialog) history.back()
    }
  }, [isOpen])
  useLayoutEffect(() => {
    const firstField = '[autofocus], [data-field] :is(input, select, textarea)'
    if (dialog.value) element.current?.querySelector<HTMLElement>(firstField)?.focus()
  }, [dialog.value])
  if (!dialog.value) return null
  const { title, content } = dialog.value
  return (
    <dialog class="sheet" aria-labelledby="sheet-title" ref={element} onClose={close}>
      <header>
        <h2 id="sheet-title">{title}</h2>
        <Button onClick={close} class="icon" aria-label="Close">
          ✕
        </Button>
      </header>
      <div key={title} class="stack contents">
        {content}
      </div>
    </dialog>
  )
}

interface DeletionProps {
  readonly request: string
  readonly remove: () => Promise<unknown>
  readonly children: ComponentChildren
}

/** Asks before a deletion, and shows why it was refused. */
export function ConfirmDeletion({ request, remove, children }: DeletionProps) {
  const { close } = usePage()
  const [refusal, setRefusal] = useState<string | undefined>(undefined)
  const act = async () => {
    try {
      await remove()
      close()
    } catch (error) {
      setRefusal((error as Error).message)
    }
  }
  return (
    <>
      {children}
      <p class="how quiet tiny">
        <code>{request}</code>
      </p>
      <Failure error={refusal} />
      <footer>
        <Button onClick={close} autoFocus>
          Cancel
        </Button>
        <Button onClick={act} class="danger">
          Delete
        </Button>
      </footer>
    </>
  )
}

export type Secrets = readonly (readonly [name: string, text: string])[]
const secretName = /secret|password|keyId|connectionString/i

/** The secrets of an answer, such as that to a creation, which no other answer has. */
export const secretsIn = (answer: unknown): Secrets =>
  typeof answer === 'object' && answer !== null
    ? Object.entries(answer).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string' && secretName.test(entry[0]),
      )
    : []

/** Shows secrets once, such as those of a new record. */
export function NewSecrets({ secrets }: { readonly secrets: Secrets }) {
  const { close } = usePage()
  return (
    <>
      <p class="notice">This is shown once: no other answer has it. Copy it now.</p>
      {secrets.map(([name, text]) => (
        <div key={name} class="stack">
          <h3>{name}</h3>
          <Code text={text} label={name} />
        </div>
      ))}
      <footer>
        {secrets.length > 1 && (
          <CopyButton text={secrets.map(([name, text]) => `${name}=${text}`).join('\n')} label="Copy all" />
        )}
        <Button onClick={close} class="primary" autoFocus>
          Done
        </Button>
      </footer>
    </>
  )
}
