import { useState } from 'preact/hooks'
import { Button, highlightJson, Switches } from '../parts/elements.tsx'
import type { Schema } from '../parts/openapi.ts'
import { readJson } from '../parts/read-json.ts'
import { type FormSettings, refuseInvalidJson, SchemaForm } from '../parts/schema-form.tsx'

interface EditorProps extends Pick<FormSettings, 'schemas' | 'choices'> {
  /** Undefined for a body that is not JSON. */
  readonly schema: Schema | undefined
  readonly text: string
  /** The text that Reset restores. */
  readonly example: string
  readonly change: (text: string) => void
  readonly send: () => void
}

/** An editor of a body: as text, in the colours of JSON, or as a form. */
export function BodyEditor({ schema, schemas, choices, text, example, change, send }: EditorProps) {
  const [mode, choose] = useState<'JSON' | 'Form'>('JSON')
  const problem = schema ? explainInvalidJson(text) : ''
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
          <BodyForm {...{ schema, schemas, choices, text, change }} />
        </div>
      ) : (
        <div class="editor">
          {/* The line break gives an empty last line its height. */}
          <pre aria-hidden="true">
            {highlightJson(text)}
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
      <output class="wrong">{problem}</output>
    </section>
  )
}

function BodyForm({ schema, schemas, choices, text, change }: Omit<EditorProps, 'example' | 'send'>) {
  const [initial] = useState(() => readJson(text.trim() || '{}'))
  const [value, setValue] = useState(initial?.value)
  const [problem, setProblem] = useState('')
  if (!initial) return <p class="quiet">The body is not JSON. Correct it in the JSON editor first.</p>
  const write = (next: unknown) => {
    setValue(next)
    try {
      refuseInvalidJson(next)
      setProblem('')
      change(JSON.stringify(next, null, 2))
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <>
      <SchemaForm schema={schema!} schemas={schemas} choices={choices} value={value} change={write} />
      <output class="wrong">{problem}</output>
    </>
  )
}

function explainInvalidJson(text: string): string {
  try {
    if (text.trim() !== '') JSON.parse(text)
    return ''
  } catch (error) {
    return `This is not JSON, and is sent as it is: ${(error as Error).message}.`
  }
}
