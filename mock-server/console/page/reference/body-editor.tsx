import { useState } from 'preact/hooks'
import { Button, paintJson, readJson, Switches } from '../parts/elements.tsx'
import type { Schema } from '../parts/openapi.ts'
import { type FormSettings, refuseInvalidJson, SchemaForm } from '../parts/schema-form.tsx'

interface EditorProps extends Pick<FormSettings, 'named' | 'choices'> {
  /** Undefined for a body that is not JSON. */
  readonly schema: Schema | undefined
  readonly text: string
  /** The text that Reset restores. */
  readonly example: string
  readonly change: (text: string) => void
  readonly send: () => void
}

/** An editor of a body: as JSON in colours, or as a form. */
export function BodyEditor({ schema, named, choices, text, example, change, send }: EditorProps) {
  const [mode, choose] = useState<'JSON' | 'Form'>('JSON')
  const wrong = schema ? whyNoJson(text) : ''
  return (
    <section class="body">
      <h3 class="row spread">
        Body
        <span class="row">
          {text !== example && (
            <Button onClick={() => change(example)} class="small">
              Reset
            </Button>
          )}
          {schema && (
            <Switches label="Editor" names={['JSON', 'Form'] as const} pressed={mode} choose={choose} class="small" />
          )}
        </span>
      </h3>
      {mode === 'Form' && schema ? (
        <div class="card form">
          <BodyForm {...{ schema, named, choices, text, change }} />
        </div>
      ) : (
        <div class="editor">
          {/* The line break gives an empty last line its height. */}
          <pre aria-hidden="true">
            {paintJson(text)}
            {'\n'}
          </pre>
          <textarea
            {...{ spellcheck: false, autoComplete: 'off', 'aria-label': 'Body', value: text }}
            onInput={event => change(event.currentTarget.value)}
            onKeyDown={event => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              send()
            }}
          />
        </div>
      )}
      <output class="wrong">{wrong}</output>
    </section>
  )
}

function BodyForm({ schema, named, choices, text, change }: Omit<EditorProps, 'example' | 'send'>) {
  const [initial] = useState(() => readJson(text.trim() || '{}'))
  const [value, setValue] = useState(initial?.value)
  const [wrong, setWrong] = useState('')
  if (!initial) return <p class="quiet">The body is not JSON: correct it there first.</p>
  const write = (next: unknown) => {
    setValue(next)
    try {
      refuseInvalidJson(next)
      setWrong('')
      change(JSON.stringify(next, null, 2))
    } catch (error) {
      setWrong((error as Error).message)
    }
  }
  return (
    <>
      <SchemaForm schema={schema!} named={named} choices={choices} value={value} change={write} />
      <output class="wrong">{wrong}</output>
    </>
  )
}

function whyNoJson(text: string): string {
  try {
    if (text.trim() !== '') JSON.parse(text)
    return ''
  } catch (error) {
    return `This is not JSON, and is sent as it is: ${(error as Error).message}.`
  }
}
