import { useState } from 'preact/hooks'
import { Button, Failure, Form, Switches } from '../parts/elements.tsx'
import { isNullable, resolve, type Schema, type Schemas } from '../parts/openapi.ts'
import { type FormSettings, refuseInvalidJson, SchemaForm } from '../parts/schema-form.tsx'
import { usePage } from '../state.ts'

type Fields = Readonly<Record<string, unknown>>

/** A way to create or change a record: over the API, or directly in the world. */
export interface FormMode extends Pick<FormSettings, 'choices' | 'items'> {
  readonly name: string
  /** When to use it, in a sentence. */
  readonly description: string
  /** The request, such as `POST /api/v2/alerts`. */
  readonly request: string
  readonly schema: Schema
  readonly schemas: Schemas
  readonly value?: object
  /** Only changed fields are sent. */
  readonly isPatch?: boolean
  send(body: Fields): Promise<unknown>
}

interface FormProps {
  readonly verb: string
  readonly modes: readonly FormMode[]
  /** Called with the answer; closes the dialog, or shows another one. */
  readonly done: (answer: unknown) => unknown
}

/** A form for one or more modes. A refusal is shown at the field that it names. */
export function RecordForm({ verb, modes, done }: FormProps) {
  const [chosen, choose] = useState(modes[0]!.name)
  return (
    <>
      {modes.length > 1 && (
        <Switches label="How" names={modes.map(({ name }) => name)} pressed={chosen} choose={choose} />
      )}
      <ModeForm key={chosen} mode={modes.find(({ name }) => name === chosen)!} {...{ verb, done }} />
    </>
  )
}

function ModeForm({ mode, verb, done }: Pick<FormProps, 'verb' | 'done'> & { readonly mode: FormMode }) {
  const { schema, schemas, choices, items, isPatch } = mode
  const page = usePage()
  const [value, setValue] = useState<Fields>({ ...mode.value })
  const [refusals, setRefusals] = useState<Refusals | undefined>(undefined)
  const [isSending, setSending] = useState(false)
  const change = (next: unknown) => {
    setValue(next as Fields)
    setRefusals(undefined)
  }
  const submit = async () => {
    setSending(true)
    try {
      refuseInvalidJson(value)
      await done(await mode.send(isPatch ? patchOf(value, { ...mode.value }, schema) : withoutBlanks(value)))
    } catch (error) {
      setRefusals(readRefusal((error as Error).message, schema, schemas))
      // After the refusal is rendered.
      setTimeout(() => document.querySelector<HTMLElement>('.sheet :is([aria-invalid], [role="alert"])')?.focus())
    } finally {
      setSending(false)
    }
  }
  return (
    // The browser marks invalid values but does not stop the form, so that the mock refuses them in its own words.
    <Form
      noValidate
      submit={submit}
      onKeyDown={event => {
        // Enter in a field submits with Ctrl or ⌘ only, so that nothing is created by accident.
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
        event.preventDefault()
        if (event.ctrlKey || event.metaKey) void submit()
      }}
    >
      <p class="quiet">{mode.description}</p>
      <SchemaForm {...{ schema, schemas, choices, items, value, change }} refusals={refusals?.byField} />
      <Failure error={refusals?.general || undefined} />
      <footer>
        <code class="how quiet tiny">{mode.request}</code>
        <Button onClick={page.close}>Cancel</Button>
        <button
          type="submit"
          class="primary"
          disabled={isSending}
          title={isSending ? 'It is being sent.' : 'Ctrl Enter'}
        >
          {verb}
        </button>
      </footer>
    </Form>
  )
}

/** Leaves out empty texts, so that the mock judges their absence. */
const withoutBlanks = (value: Fields): Fields =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== '' && one !== undefined))

/** The fields that differ from before, with null for a removed field that may be null. */
function patchOf(value: Fields, before: Fields, schema: Schema): Fields {
  const patch: Record<string, unknown> = {}
  for (const name of new Set([...Object.keys(before), ...Object.keys(value)])) {
    const one = value[name]
    const isCleared = one === undefined && name in before && isNullable(schema.properties?.[name] ?? {})
    const isChanged = JSON.stringify(one) !== JSON.stringify(before[name]) && (one !== '' || name in before)
    if (isCleared) patch[name] = null
    else if (isChanged && one !== undefined) patch[name] = one
  }
  return patch
}

/** The findings of a refusal, by the paths of the fields that they name. */
interface Refusals {
  readonly byField: Readonly<Record<string, string>>
  /** The findings that name no field. */
  readonly general: string
}

/** Splits a refusal into findings, and assigns each to the field of the schema that it names. */
function readRefusal(sentence: string, schema: Schema, schemas: Schemas): Refusals {
  const byField: Record<string, string> = {}
  const general = findingsIn(sentence).filter(finding => {
    const path = pathsIn(finding)
      .map(candidate => fieldAt(candidate.replace(/^body\./, '').split('.'), schema, schemas))
      .find(field => field !== '')
    if (path !== undefined) byField[path] = byField[path] === undefined ? finding : `${byField[path]}; ${finding}`
    return path === undefined
  })
  return { byField, general: general.join('; ') }
}

/** The parts of a sentence that name a field of their own, such as `request body.name: Required; request body.roles: …`. */
const findingsIn = (sentence: string): readonly string[] => sentence.split(/; (?=[\w ]+(?:\.[\w$]+)*: )/)

/** The words that can be the path of a field, the longest first. */
const pathsIn = (finding: string): readonly string[] =>
  [...finding.matchAll(/[\w$]+(?:\.[\w$]+)*/g)].map(([path]) => path).sort((one, other) => other.length - one.length)

/** The part of a path that the schema has: the end of a path may be a word of the sentence. */
function fieldAt(path: readonly string[], schema: Schema, schemas: Schemas): string {
  const known: string[] = []
  let parent = resolve(schema, schemas)
  for (const part of path) {
    const next = /^\d+$/.test(part) ? parent.items : parent.properties?.[part]
    if (!next) break
    known.push(part)
    parent = resolve(next, schemas)
  }
  return known.join('.')
}
