import { useRef, useState } from 'preact/hooks'
import { Button, Failure, Switches } from '../parts/basic.tsx'
import { isNullable, resolve, type Schema, type Schemas } from '../parts/openapi.ts'
import { type FormSettings, refuseNoJson, SchemaForm } from '../parts/schema-form.tsx'
import { usePage } from '../state.ts'

type Fields = Readonly<Record<string, unknown>>

/** One way to make or change a record: by the API, or by arranging it. */
export interface FormMode extends Pick<FormSettings, 'choices' | 'items'> {
  readonly name: string
  /** What it is good for, in a sentence. */
  readonly description: string
  /** The request, such as `POST /api/v2/alerts`. */
  readonly how: string
  readonly schema: Schema
  readonly named: Schemas
  readonly value?: object
  /** Only what was changed is sent. */
  readonly isPatch?: boolean
  send(body: Fields): Promise<unknown>
}

interface FormProps {
  readonly verb: string
  readonly ways: readonly FormMode[]
  /** Called with the answer; it closes the dialog, or shows another. */
  readonly done: (answer: unknown) => unknown
}

/** A form for one or more ways. What is refused is shown at the field that it names, and the form stays. */
export function RecordForm({ verb, ways, done }: FormProps) {
  const [chosen, choose] = useState(ways[0]!.name)
  return (
    <>
      {ways.length > 1 && (
        <Switches label="How" names={ways.map(({ name }) => name)} pressed={chosen} choose={choose} />
      )}
      <WayForm key={chosen} way={ways.find(({ name }) => name === chosen)!} {...{ verb, done }} />
    </>
  )
}

function WayForm({ way, verb, done }: Pick<FormProps, 'verb' | 'done'> & { readonly way: FormMode }) {
  const { schema, named, choices, items, isPatch } = way
  const page = usePage()
  const [value, setValue] = useState<Fields>({ ...way.value })
  const [refusals, setRefusals] = useState<Refusals | undefined>(undefined)
  const [isSending, setSending] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const change = (next: unknown) => {
    setValue(next as Fields)
    setRefusals(undefined)
  }
  const submit = async () => {
    setSending(true)
    try {
      refuseNoJson(value)
      await done(await way.send(isPatch ? patchOf(value, { ...way.value }, schema) : withoutBlanks(value)))
    } catch (error) {
      setRefusals(readRefusal((error as Error).message, schema, named))
      // When the refusal is rendered.
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid], [role="alert"]')?.focus())
    } finally {
      setSending(false)
    }
  }
  return (
    // The mock judges, in its own words: the browser marks what is out of bounds, and keeps nothing back.
    <form
      noValidate
      ref={form}
      onKeyDown={event => {
        // Enter in a field creates nothing by accident; with Ctrl or ⌘ it is meant.
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
        event.preventDefault()
        if (event.ctrlKey || event.metaKey) void submit()
      }}
      onSubmit={event => {
        event.preventDefault()
        void submit()
      }}
    >
      <p class="quiet">{way.description}</p>
      <SchemaForm {...{ schema, named, choices, items, value, change }} refusals={refusals?.byField} />
      <Failure error={refusals?.others || undefined} />
      <footer>
        <code class="how">{way.how}</code>
        <Button act={page.close}>Cancel</Button>
        <button type="submit" class="primary" disabled={isSending} title="Ctrl Enter">
          {verb}
        </button>
      </footer>
    </form>
  )
}

/** Texts that nobody filled in are not sent, so that the mock judges their absence. */
const withoutBlanks = (value: Fields): Fields =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== '' && one !== undefined))

/** What differs from before, and null for what was taken out and may be null. */
function patchOf(value: Fields, before: Fields, schema: Schema): Fields {
  const kept = Object.entries(value).filter(([name, one]) => one !== undefined && (one !== '' || name in before))
  const changed = kept.filter(([name, one]) => JSON.stringify(one) !== JSON.stringify(before[name]))
  const cleared = Object.keys(before).filter(
    name => value[name] === undefined && isNullable(schema.properties?.[name] ?? {}),
  )
  return Object.fromEntries([...changed, ...cleared.map(name => [name, null] as const)])
}

/** What the mock refused: findings by the paths of the fields that they name, and all others. */
interface Refusals {
  readonly byField: Readonly<Record<string, string>>
  readonly others: string
}

/** Divides a refusal into findings, word for word, and gives each the field of the schema that it names. */
function readRefusal(sentence: string, schema: Schema, named: Schemas): Refusals {
  const byField: Record<string, string> = {}
  const others = findingsIn(sentence).filter(finding => {
    const path = pathsIn(finding)
      .map(found => fieldAt(found.replace(/^body\./, '').split('.'), schema, named))
      .find(found => found !== '')
    if (path !== undefined) byField[path] = byField[path] === undefined ? finding : `${byField[path]}; ${finding}`
    return path === undefined
  })
  return { byField, others: others.join('; ') }
}

/** The parts of a sentence that name a field of their own, such as `request body.name: Required; request body.roles: …`. */
const findingsIn = (sentence: string): readonly string[] => sentence.split(/; (?=[\w ]+(?:\.[\w$]+)*: )/)

/** The words that may be the path of a field, the longest first. */
const pathsIn = (finding: string): readonly string[] =>
  [...finding.matchAll(/[\w$]+(?:\.[\w$]+)*/g)].map(([path]) => path).sort((one, other) => other.length - one.length)

/** As much of a path as the schema has: a path may lead on into a text. */
function fieldAt(path: readonly string[], schema: Schema, named: Schemas): string {
  const known: string[] = []
  let above = resolve(schema, named)
  for (const part of path) {
    const next = /^\d+$/.test(part) ? above.items : above.properties?.[part]
    if (!next) break
    known.push(part)
    above = resolve(next, named)
  }
  return known.join('.')
}
