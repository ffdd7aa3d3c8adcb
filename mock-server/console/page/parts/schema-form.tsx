import { createContext } from 'preact'
import { useContext, useEffect, useId, useState } from 'preact/hooks'
import { isRecord } from '../../../words/check-options.ts'
import { Button, Select } from './elements.tsx'
import { boundsOf, isNullable, resolve, type Schema, type Schemas, typeOf } from './openapi.ts'

/** A value that a field suggests, such as the id of a record. */
interface Option {
  readonly value: string
  readonly description?: string
  /** The id of its parent, which another field may choose. */
  readonly within?: string
}

/** What the fields of a form need at any depth. */
export interface FormSettings {
  readonly schemas: Schemas
  /** The values that fields suggest, by the names of the fields. */
  readonly choices?: Readonly<Record<string, readonly Option[]>>
  /** The initial value of a new item, by the name of the list. */
  readonly items?: Readonly<Record<string, unknown>>
  /** Why fields were refused, by their paths. */
  readonly refusals?: Readonly<Record<string, string>>
}

/** The value of a field whose text is not JSON. */
class InvalidJson extends Error {}

/** Throws the InvalidJson of the first field whose text is not JSON. */
export function refuseInvalidJson(value: unknown): void {
  if (value instanceof InvalidJson) throw value
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(refuseInvalidJson)
}

/** The settings, and all texts in the value of the form. */
const Settings = createContext<FormSettings & { readonly texts: ReadonlySet<string> }>({
  schemas: {},
  texts: new Set(),
})

interface FieldProps {
  readonly name: string
  readonly schema: Schema
  /** A JSON value; undefined: the field is left out. */
  readonly value: unknown
  readonly change: (value: unknown) => void
  readonly isRequired?: boolean
  readonly path: string
}

/** A form for the values of a schema. Required fields and those of the initial value are shown, the others are folded. */
export function SchemaForm(props: FormSettings & Pick<FieldProps, 'schema' | 'value' | 'change'>) {
  const { schema, value, change, ...settings } = props
  return (
    <Settings.Provider value={{ ...settings, texts: new Set(textsIn(value)) }}>
      <Field name="" path="" isRequired {...{ schema, value, change }} />
    </Settings.Provider>
  )
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function Field({ schema, ...rest }: FieldProps) {
  const { schemas } = useContext(Settings)
  const props = { ...rest, schema: resolve(schema, schemas) }
  const { properties, items } = props.schema
  const type = typeOf(props.schema)
  if (type === 'object' && properties) return <ObjectField {...props} />
  if (type === 'array' && items) return <ListField {...props} />
  if (type === 'object' || type === 'array' || allowsAnyJson(props.schema)) return <JsonField {...props} />
  return <SimpleField {...props} />
}

/** A schema without a type allows any JSON. */
const allowsAnyJson = ({ type, enum: values, properties, items }: Schema) => !type && !values && !properties && !items

function ObjectField({ name, schema, value, change, isRequired, path }: FieldProps) {
  const { refusals = {} } = useContext(Settings)
  const fields = isRecord(value) ? value : {}
  const [initial] = useState(isRecord(value) ? value : undefined)
  const required = new Set(schema.required)
  const names = Object.keys(schema.properties!)
  const set = (key: string, inner: unknown) => {
    const all = { ...fields, [key]: inner }
    const next = Object.fromEntries(names.map(one => [one, all[one]]).filter(([, one]) => one !== undefined))
    // An optional object that was not there at first is left out while all its fields are blank.
    change(!isRequired && !initial && isBlank(next) ? undefined : next)
  }
  const render = (key: string) => {
    const inner = pathTo(path, key)
    return (
      <div key={key} data-field={key} class="stack field">
        <Field
          {...{ name: key, schema: schema.properties![key]!, value: fields[key], path: inner }}
          change={one => set(key, one)}
          isRequired={required.has(key)}
        />
        <Refusal path={inner} />
      </div>
    )
  }
  const isOpen = (key: string) => required.has(key) || key in (initial ?? {})
  const folded = names.filter(key => !isOpen(key))
  const isRefused = folded.some(key => Object.keys(refusals).some(one => isWithin(one, pathTo(path, key))))
  return (
    <fieldset class="schema-object">
      {name !== '' && <legend class="mono small">{name}</legend>}
      {name !== '' && schema.description && <small>{schema.description}</small>}
      {names.filter(isOpen).map(render)}
      {folded.length > 0 && (
        <details open={isRefused || undefined}>
          <summary class="quiet small">{`${folded.length} more field${folded.length > 1 ? 's' : ''}`}</summary>
          <div class="stack schema-rest">{folded.map(render)}</div>
        </details>
      )}
    </fieldset>
  )
}

const pathTo = (path: string, key: string | number) => (path === '' ? String(key) : `${path}.${key}`)
const isWithin = (path: string, ancestor: string) => path === ancestor || path.startsWith(`${ancestor}.`)
const refusalId = (path: string) => `refused-${path}`

function Refusal({ path }: { readonly path: string }) {
  const { refusals = {} } = useContext(Settings)
  return refusals[path] === undefined ? null : (
    <p class="refused" id={refusalId(path)}>
      {refusals[path]}
    </p>
  )
}

function ListField({ name, schema, value, change, isRequired, path }: FieldProps) {
  const { items = {} } = useContext(Settings)
  const [wasPresent] = useState(Array.isArray(value))
  const rows: readonly unknown[] = Array.isArray(value) ? value : []
  const store = (next: readonly unknown[]) => change(next.length === 0 && !isRequired && !wasPresent ? undefined : next)
  const add = () => store([...rows, items[name] ?? blankOf(schema.items!)])
  return (
    <div class="schema-field">
      <Label {...{ name, schema, isRequired }} />
      {rows.length > 0 && (
        <ul class="stack schema-list">
          {rows.map((row, at) => (
            <li key={at}>
              <div class="stack field">
                <Field
                  {...{ name: `${name}, one`, schema: schema.items!, value: row, path: pathTo(path, at) }}
                  change={one => store(rows.map((other, index) => (index === at ? one : other)))}
                  isRequired
                />
                <Refusal path={pathTo(path, at)} />
              </div>
              <Button
                onClick={() => store(rows.filter((_, index) => index !== at))}
                class="copy"
                aria-label={`Remove one of ${name}`}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Button onClick={add} class="copy">{`Add to ${name}`}</Button>
    </div>
  )
}

const blankOf = (schema: Schema): unknown => ({ string: '', object: {}, array: [] })[typeOf(schema)] ?? null

/** The attributes that all inputs of a field have. */
function useInputAttributes({ path, isRequired }: Pick<FieldProps, 'path' | 'isRequired'>) {
  const { refusals = {} } = useContext(Settings)
  const isRefused = refusals[path] !== undefined
  return {
    required: isRequired ?? false,
    ...(isRefused && { 'aria-invalid': true, 'aria-describedby': refusalId(path) }),
  }
}

function JsonField({ name, schema, value, change, isRequired, path }: FieldProps) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2))
  const inputAttributes = useInputAttributes({ path, isRequired })
  const write = (next: string) => {
    setText(next)
    try {
      change(next.trim() === '' ? undefined : JSON.parse(next))
    } catch (error) {
      change(new InvalidJson(`${name} is not JSON: ${(error as Error).message}`))
    }
  }
  return (
    <label class="schema-field">
      <Label {...{ name, schema, isRequired }} />
      <textarea
        {...inputAttributes}
        rows={3}
        spellcheck={false}
        value={text}
        onInput={event => write(event.currentTarget.value)}
      />
    </label>
  )
}

function SimpleField({ name, schema, value, change, isRequired, path }: FieldProps) {
  const { choices } = useContext(Settings)
  const type = typeOf(schema)
  const inputAttributes = useInputAttributes({ path, isRequired })
  const id = useId()
  // An item has the suggestions of its list.
  const suggestions = choices?.[name.replace(/, one$/, '')]
  const enumValues = type === 'boolean' ? [true, false] : schema.enum
  const write = (text: string) => {
    if (text !== '') change(type === 'number' || type === 'integer' ? Number(text) : text)
    else if (value === null && isNullable(schema)) change(null)
    else change(isRequired && type === 'string' ? '' : undefined)
  }
  const input = () => {
    if (enumValues) return <EnumSelect {...{ schema, enumValues, value, change, id, inputAttributes }} />
    if (suggestions) return <SuggestionSelect {...{ suggestions, value, change, id, inputAttributes }} />
    const text = value === undefined || value === null ? '' : String(value)
    // An input would lose line breaks.
    const isLong = type === 'string' && (name === 'body' || text.includes('\n'))
    const attributes = { ...inputAttributes, id, value: text, required: inputAttributes.required && type !== 'string' }
    return isLong ? (
      <textarea
        {...attributes}
        rows={3}
        maxLength={schema.maxLength}
        onInput={event => write(event.currentTarget.value)}
      />
    ) : (
      <input
        {...(inputOf(schema, type) as object)}
        {...attributes}
        onInput={event => write(event.currentTarget.value)}
      />
    )
  }
  return (
    <div class="schema-field">
      <label for={id}>
        <Label {...{ name, schema, isRequired }} />
      </label>
      {input()}
    </div>
  )
}

const emptyOption = ({ required }: SelectProps['inputAttributes']) => ['', required ? 'choose' : '(not sent)'] as const

interface SelectProps extends Pick<FieldProps, 'value' | 'change'> {
  readonly id: string
  readonly inputAttributes: { readonly required: boolean }
}

function EnumSelect(props: SelectProps & { readonly schema: Schema; readonly enumValues: readonly unknown[] }) {
  const { schema, enumValues, value, change, id, inputAttributes } = props
  const values = [...(isNullable(schema) && !enumValues.includes(null) ? [null] : []), ...enumValues]
  const at = values.indexOf(value)
  const [hasEmptyOption] = useState(!inputAttributes.required || value === undefined)
  const options = values.map((one, index) => [String(index), String(one)] as const)
  return (
    <Select
      {...{ ...inputAttributes, id, options: hasEmptyOption ? [emptyOption(inputAttributes), ...options] : options }}
      value={at < 0 ? '' : String(at)}
      choose={chosen => change(chosen === '' ? undefined : values[Number(chosen)])}
    />
  )
}

/** Selects a suggested value. If another field chooses a parent, children of other parents are not suggested. */
function SuggestionSelect({
  suggestions,
  value,
  change,
  id,
  inputAttributes,
}: SelectProps & { readonly suggestions: readonly Option[] }) {
  const { texts } = useContext(Settings)
  const isParentChosen = suggestions.some(({ within }) => within !== undefined && texts.has(within))
  const shown = isParentChosen
    ? suggestions.filter(({ within }) => within === undefined || texts.has(within))
    : suggestions
  const isOfOtherParent = shown.every(one => one.value !== value) && suggestions.some(one => one.value === value)
  useEffect(() => {
    if (isOfOtherParent) change(undefined)
  }, [isOfOtherParent])
  const isNotSuggested =
    typeof value === 'string' && value !== '' && !isOfOtherParent && shown.every(one => one.value !== value)
  const all: readonly Option[] = isNotSuggested ? [{ value }, ...shown] : shown
  return (
    <Select
      {...{
        ...inputAttributes,
        id,
        options: [emptyOption(inputAttributes), ...all.map(one => [one.value, one.description ?? one.value] as const)],
      }}
      value={isOfOtherParent || typeof value !== 'string' ? '' : value}
      choose={chosen => change(chosen || undefined)}
    />
  )
}

/** The type and the bounds that the browser checks. A time has a text field, so that it is sent as it was typed. */
function inputOf(schema: Schema, type: string) {
  if (type === 'number' || type === 'integer') {
    return { type: 'number', min: schema.minimum, max: schema.maximum, step: schema.multipleOf ?? 'any' }
  }
  const { minLength, maxLength, pattern, format } = schema
  return { type: format === 'email' ? 'email' : 'text', minLength, maxLength, pattern }
}

function Label({ name, schema, isRequired }: Pick<FieldProps, 'name' | 'schema' | 'isRequired'>) {
  const hints = [schema.format, ...boundsOf(schema)].filter(Boolean).join(', ')
  return (
    <span class="schema-label">
      <code>{name}</code>
      {isRequired && <em title="required"> *</em>}
      {hints !== '' && <small>{` ${hints}`}</small>}
      {schema.description && <small class="description">{schema.description}</small>}
    </span>
  )
}

const isBlank = (value: unknown): boolean =>
  value === '' ||
  (typeof value === 'object' &&
    value !== null &&
    !(value instanceof InvalidJson) &&
    Object.values(value).every(isBlank))
