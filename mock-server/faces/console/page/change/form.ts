import { element, fill } from '../element.ts'
import { isNullable, type Schema, type Schemas } from '../openapi.ts'
import { button, switches } from '../parts.ts'
import { type FieldOptions, type SchemaField, schemaField } from '../schema-fields.ts'
import { clearRefusals, showRefusal } from './refusals.ts'
import { openSheet } from './sheet.ts'

/** One way to make or change a record: by the API, or by arranging it. */
export interface Way {
  readonly name: string
  /** What it is good for, in a sentence. */
  readonly says: string
  /** The request, such as `POST /api/v2/alerts`. */
  readonly how: string
  readonly schema: Schema
  readonly named: Schemas
  readonly value?: object
  readonly choices?: FieldOptions['choices']
  readonly items?: FieldOptions['items']
  /** Only what was changed is sent. */
  readonly isPatch?: boolean
  send(body: Readonly<Record<string, unknown>>): Promise<unknown>
}

interface Form {
  readonly title: string
  readonly verb: string
  readonly ways: readonly Way[]
  /** Called with what was answered, after the form has gone. */
  done(answer: unknown): unknown
}

/** Opens a form for one or more ways. What is refused is shown at the field that it names, and the form stays. */
export function openForm({ title, verb, ways, done }: Form): void {
  openSheet(title, close => {
    const place = element('div.way')
    const show = (name: string) => {
      fill(place, renderWay(ways.find(way => way.name === name)!, { verb, close, done }))
      place.querySelector<HTMLElement>('[data-field] :is(input, select, textarea)')?.focus()
    }
    const tabs = element('div.ways', { role: 'group', 'aria-label': 'How', hidden: ways.length < 2 }, [
      switches(
        ways.map(({ name }) => name),
        ways[0]!.name,
        show,
      ),
    ])
    queueMicrotask(() => show(ways[0]!.name))
    return [tabs, place]
  })
}

interface Ending extends Pick<Form, 'verb' | 'done'> {
  readonly close: () => void
}

function renderWay(way: Way, { verb, close, done }: Ending): HTMLElement {
  const { schema, named, value, choices, items, isPatch = false } = way
  const field = schemaField('', schema, value, { named, choices, items, required: true })
  const before = isPatch ? (field.read() as object) : undefined
  const refused = element('p.notice', { role: 'alert', hidden: true })
  const submit = element('button.primary', verb)
  // The mock judges, in its own words: the browser marks what is out of bounds, and keeps nothing back.
  const form = element('form', { novalidate: true })
  form.addEventListener('change', () => narrow(form))
  form.addEventListener('submit', async event => {
    event.preventDefault()
    submit.disabled = true
    try {
      const answer = await way.send(bodyOf(field, before, schema))
      close()
      await done(answer)
    } catch (error) {
      submit.disabled = false
      showRefusal(form, refused, (error as Error).message)
    }
  })
  form.addEventListener('input', () => clearRefusals(form, refused))
  fill(form, [
    element('p.quiet', way.says),
    field.root,
    refused,
    element('footer', [element('code.how', way.how), button('Cancel', close), submit]),
  ])
  narrow(form)
  return form
}

/** What stands in the form; of a change only what differs from before, and null for what was taken out and may be null. */
function bodyOf(field: SchemaField, before: object | undefined, schema: Schema): Record<string, unknown> {
  const stands = Object.entries(field.read() as Record<string, unknown>)
  // A text that nobody filled in is not sent, so that the mock says what it thinks of that.
  const body = Object.fromEntries(stands.filter(([name, one]) => one !== '' || (before && name in before)))
  if (!before) return body
  const had = before as Readonly<Record<string, unknown>>
  const changed = Object.entries(body).filter(([name, one]) => JSON.stringify(one) !== JSON.stringify(had[name]))
  const cleared = Object.keys(had).filter(name => !(name in body) && isNullable(schema.properties?.[name] ?? {}))
  return Object.fromEntries([...changed, ...cleared.map(name => [name, null] as const)])
}

/** Of what lies within something that is chosen elsewhere in the form, only that is left to choose: the tiles of a dashboard. */
function narrow(form: HTMLElement): void {
  const chosen = new Set([...form.querySelectorAll('select')].map(({ value }) => value))
  const options = [...form.querySelectorAll<HTMLOptionElement>('option[data-within]')]
  const isAny = options.some(option => chosen.has(option.dataset.within!))
  for (const option of options) {
    option.hidden = isAny && !chosen.has(option.dataset.within!)
    option.disabled = option.hidden
    if (!option.hidden || !option.selected) continue
    const twin = options.find(one => one.value === option.value && chosen.has(one.dataset.within!))
    option.selected = false
    if (twin) twin.selected = true
  }
}
