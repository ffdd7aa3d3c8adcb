import { isRecord } from '../../../words/check-options.ts'
import { append, element } from './element.ts'
import { boundsOf, isNullable, resolve, type Schema, type Schemas, typeOf } from './openapi.ts'
import { button } from './parts.ts'

/** A field of a form. */
export interface SchemaField {
  readonly root: HTMLElement
  /** Its value as JSON has it; undefined: it is left out. Text that is no JSON where JSON is asked for is thrown as a sentence. */
  read(): unknown
}

export interface FieldOptions {
  /** The schemas that others refer to by name. */
  readonly named?: Schemas
  /** Without it, the field may be left out. */
  readonly required?: boolean
  /** Values to choose from, by the names of fields at whatever depth: ids of what exists, and how to call them. */
  readonly choices?: Readonly<Record<string, readonly Choice[]>>
  /** What a new item of a list begins as, by the name of the list. */
  readonly items?: Readonly<Record<string, unknown>>
}

export interface Choice {
  readonly value: string
  readonly says?: string
  /** The id of what it lies in, where that is chosen in another field. */
  readonly within?: string
}

/**
 * A form for what a schema describes, filled with a value: fields that are required or have a value stand open, the others
 * wait behind a summary. The browser judges bounds and patterns (`form.reportValidity()`). A change of any field is an
 * `input` or `change` event that bubbles.
 */
export function schemaField(name: string, schema: Schema, value: unknown, options: FieldOptions = {}): SchemaField {
  const found = resolve(schema, options.named ?? {})
  const type = typeOf(found)
  if (type === 'object' && found.properties) return objectField(name, found, value, options)
  if (type === 'array' && found.items) return listField(name, found, value, options)
  if (type === 'object' || type === 'array') return jsonField(name, found, value, options)
  return simpleField(name, found, value, options)
}

function objectField(name: string, schema: Schema, value: unknown, options: FieldOptions): SchemaField {
  const given = isRecord(value) ? value : {}
  const required = new Set(schema.required)
  const fields = Object.entries(schema.properties!).map(([key, inner]) => {
    const isOpen = required.has(key) || key in given
    const field = schemaField(key, inner, given[key], { ...options, required: required.has(key) })
    field.root.dataset.field = key
    return { key, isOpen, field }
  })
  const roots = (isOpen: boolean) => fields.filter(one => one.isOpen === isOpen).map(({ field }) => field.root)
  const rest = roots(false)
  const root = element('fieldset.schema-object', name !== '' && element('legend', name))
  append(root, [
    schema.description && name !== '' && element('small', schema.description),
    roots(true),
    rest.length > 0 &&
      element('details', [
        element('summary', `${rest.length} more field${rest.length > 1 ? 's' : ''}`),
        element('div.schema-rest', rest),
      ]),
  ])
  return {
    root,
    read() {
      const entries = fields
        .map(({ key, field }) => [key, field.read()] as const)
        .filter(([, one]) => one !== undefined)
      // What may be left out, was not there before and has nothing filled in, is left out, whatever it would require.
      const isLeftOut = !options.required && name !== '' && !isRecord(value) && entries.every(([, one]) => isBlank(one))
      return isLeftOut ? undefined : Object.fromEntries(entries)
    },
  }
}

function listField(name: string, schema: Schema, value: unknown, options: FieldOptions): SchemaField {
  const rows = new Set<SchemaField>()
  const list = element('ul.schema-list')
  const told = () => list.dispatchEvent(new Event('change', { bubbles: true }))
  const add = (item: unknown) => {
    const field = schemaField(`${name}, one`, schema.items!, item, { ...options, required: true })
    const row = element('li', field.root)
    const drop = () => {
      rows.delete(field)
      row.remove()
      told()
    }
    row.append(button('Remove', drop, { class: 'copy', 'aria-label': `Remove one of ${name}` }))
    rows.add(field)
    list.append(row)
  }
  for (const item of Array.isArray(value) ? value : []) add(item)
  const addNew = () => {
    add(options.items?.[name])
    told()
    list.querySelector<HTMLElement>('li:last-child :is(input, select, textarea)')?.focus()
  }
  const more = button(`Add to ${name}`, addNew, { class: 'copy' })
  const isGiven = Array.isArray(value)
  return {
    root: element('div.schema-field', [labelText(name, schema, options), list, more]),
    read: () => (rows.size === 0 && !options.required && !isGiven ? undefined : [...rows].map(field => field.read())),
  }
}

function jsonField(name: string, schema: Schema, value: unknown, options: FieldOptions): SchemaField {
  const area = element('textarea', { rows: 3, spellcheck: 'false', required: options.required ?? false })
  area.value = value === undefined ? '' : JSON.stringify(value, null, 2)
  return {
    root: element('label.schema-field', [labelText(name, schema, options), area]),
    read() {
      if (area.value.trim() === '') return undefined
      try {
        return JSON.parse(area.value)
      } catch (error) {
        throw new Error(`${name} is no JSON: ${(error as Error).message}`)
      }
    },
  }
}

function simpleField(name: string, schema: Schema, value: unknown, options: FieldOptions): SchemaField {
  const type = typeOf(schema)
  const label = labelText(name, schema, options)
  const offered = options.choices?.[name.replace(/, one$/, '')]
  const closed = type === 'boolean' ? [true, false] : schema.enum
  if (closed) {
    const values = [...(isNullable(schema) && !closed.includes(null) ? [null] : []), ...closed]
    const options_ = values.map((one, at) => element('option', { value: at, selected: one === value }, String(one)))
    const isOpen = !options.required || value === undefined
    const none = element('option', { value: '', selected: value === undefined }, [
      options.required ? 'choose' : '(not sent)',
    ])
    const select = element('select', { required: options.required ?? false }, [isOpen && none, options_])
    return {
      root: element('label.schema-field', [label, select]),
      read: () => (select.value === '' ? undefined : values[Number(select.value)]),
    }
  }
  if (offered) return choiceField(label, offered, value, options)
  const required = (options.required && type !== 'string') ?? false
  // An input would lose the ends of lines.
  const isLong = type === 'string' && (name === 'body' || String(value).includes('\n'))
  const input = isLong
    ? element('textarea', { rows: 3, required, maxlength: schema.maxLength })
    : element('input', { ...inputOf(schema, type), required })
  input.value = value === undefined || value === null ? '' : String(value)
  return {
    root: element('label.schema-field', [label, input]),
    read() {
      if (input.value !== '') return type === 'number' || type === 'integer' ? Number(input.value) : input.value
      if (value === null && isNullable(schema)) return null
      return options.required && type === 'string' ? '' : undefined
    },
  }
}

function choiceField(
  label: HTMLElement,
  offered: readonly Choice[],
  value: unknown,
  options: FieldOptions,
): SchemaField {
  const isOther = typeof value === 'string' && value !== '' && offered.every(one => one.value !== value)
  const all = isOther ? [{ value: value as string }, ...offered] : offered
  const select = element('select', { required: options.required ?? false }, [
    element('option', { value: '' }, options.required ? 'choose' : '(not sent)'),
    all.map(one =>
      element('option', { value: one.value, selected: one.value === value, 'data-within': (one as Choice).within }, [
        (one as Choice).says ?? one.value,
      ]),
    ),
  ])
  return {
    root: element('label.schema-field', [label, select]),
    read: () => (select.value === '' ? undefined : select.value),
  }
}

/** What the browser is to judge; moments stay text, so that what is sent is what stands there. */
function inputOf(schema: Schema, type: string) {
  if (type === 'number' || type === 'integer') {
    return { type: 'number', min: schema.minimum, max: schema.maximum, step: schema.multipleOf ?? 'any' }
  }
  const { minLength, maxLength, pattern, format } = schema
  return { type: format === 'email' ? 'email' : 'text', minlength: minLength, maxlength: maxLength, pattern }
}

function labelText(name: string, schema: Schema, { required }: FieldOptions): HTMLElement {
  const hints = [schema.format, ...boundsOf(schema)].filter(Boolean).join(', ')
  return element('span.schema-label', [
    element('code', name),
    required && element('em', { title: 'required' }, ' *'),
    hints !== '' && element('small', ` ${hints}`),
    schema.description && element('small.says', schema.description),
  ])
}

const isBlank = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.values(value).every(isBlank))
