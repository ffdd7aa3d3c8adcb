import { append, element, fill } from '../element.ts'
import type { Schema, Schemas } from '../openapi.ts'
import { button, paint, switches } from '../parts.ts'
import { type FieldOptions, type SchemaField, schemaField } from '../schema-fields.ts'

export interface BodyEditor {
  readonly root: HTMLElement
  text(): string
  /** Puts another example in, unless somebody has written. */
  offer(text: string, choices?: FieldOptions['choices']): void
}

/** A body to write: as JSON whose words are told apart, or as a form of its fields. Both are the same text. */
export function createBodyEditor(
  schema: Schema | undefined,
  named: Schemas,
  onChange: () => void,
  send: () => void,
): BodyEditor {
  let example = ''
  let choices: FieldOptions['choices']
  const area = element('textarea', { spellcheck: 'false', autocomplete: 'off', 'aria-label': 'Body' })
  const painted = element('pre', { 'aria-hidden': 'true' })
  const said = element('p.wrong', { role: 'status' })
  const editor = element('div.editor', [painted, area])
  const form = element('div.card.form', { hidden: true })
  const changed = () => {
    // A line that is still empty has its height, too.
    fill(painted, [...paint(area.value), '\n'])
    said.textContent = schema ? whyNoJson(area.value) : ''
    reset.hidden = area.value === example
    onChange()
  }
  const write = (text: string) => {
    area.value = text
    changed()
  }

  const drawForm = () => {
    let field: SchemaField
    try {
      field = schemaField('', schema!, area.value.trim() === '' ? {} : JSON.parse(area.value), {
        named,
        choices,
        required: true,
      })
    } catch {
      fill(form, element('p.quiet', 'The body is no JSON: mend it there first.'))
      return
    }
    const read = () => {
      try {
        write(JSON.stringify(field.read(), null, 2))
      } catch (error) {
        said.textContent = (error as Error).message
      }
    }
    field.root.addEventListener('input', read)
    field.root.addEventListener('change', read)
    fill(form, field.root)
  }

  const show = (isForm: boolean) => {
    editor.hidden = isForm
    form.hidden = !isForm
    if (isForm) drawForm()
  }
  const ways = switches(['JSON', 'Form'], 'JSON', name => show(name === 'Form'), { class: 'small' })
  const putBack = () => {
    write(example)
    if (!form.hidden) drawForm()
  }
  const reset = button('Reset', putBack, { class: 'small' })

  area.addEventListener('input', changed)
  area.addEventListener('keydown', event => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    send()
  })
  const root = element('section.body')
  append(root, [element('h3', ['Body', element('span.switches', [reset, schema && ways])]), editor, form, said])
  return {
    root,
    text: () => area.value,
    offer(text, offered) {
      choices = offered
      const isUntouched = area.value === example
      example = text
      if (isUntouched) write(text)
      if (isUntouched && !form.hidden) drawForm()
    },
  }
}

function whyNoJson(text: string): string {
  try {
    if (text.trim() !== '') JSON.parse(text)
    return ''
  } catch (error) {
    return `This is no JSON, and is sent as it stands: ${(error as Error).message}.`
  }
}
