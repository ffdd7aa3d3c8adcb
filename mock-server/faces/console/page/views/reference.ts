import { read } from '../ask.ts'
import { append, element } from '../element.ts'
import { badge, body } from '../parts.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly description?: string
  readonly 'x-basis'?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}
interface Content {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>
  readonly description?: string
}
interface Operation {
  readonly 'x-basis'?: string
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema?: Schema
    readonly description?: string
  }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}
interface Description {
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses?: Readonly<Record<string, Content>>
  }
}

const forms = { cloud: 'Cloud and managed form', 'self-hosted': 'Self-hosted form' }
const basisTones: Readonly<Record<string, string>> = { stated: 'good', implied: 'note' }
const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options']

/** The descriptions that machines read, for people. In the address: the form. */
export async function showReference(place: HTMLElement, [wanted = 'cloud']: readonly string[]): Promise<void> {
  const form = wanted === 'self-hosted' ? 'self-hosted' : 'cloud'
  const description = await read<Description>(`/control/openapi/${form}.json`)
  const all = Object.entries(description.paths).flatMap(([path, operations]) =>
    methods.flatMap(method => (operations[method] ? [{ method, path, operation: operations[method] }] : [])),
  )
  const groups = group(all)
  append(place, [
    element('h1', {}, 'Reference'),
    element(
      'nav',
      { class: 'tabs', 'aria-label': 'Forms' },
      Object.entries(forms).map(([key, title]) =>
        element('a', { href: `#/reference/${key}`, 'aria-current': key === form && 'true' }, title),
      ),
    ),
    element(
      'p',
      { class: 'quiet' },
      `${description.info.title}, version ${description.info.version}. For machines: `,
      element('a', { href: `/control/openapi/${form}.json` }, `/control/openapi/${form}.json`),
      '.',
    ),
    [...groups].map(([name, operations]) =>
      element(
        'section',
        {},
        element('h2', {}, name),
        operations.map(one => renderOperation(one, description)),
      ),
    ),
  ])
}

type Listed = { readonly method: string; readonly path: string; readonly operation: Operation }

/** `managed.dashboard.list` is one of the managed dashboards. */
function groupOf({ operation }: Listed): string {
  const words = operation.operationId.split('.').slice(0, -1)
  const name = words.join(' ')
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}s`
}

function group(all: readonly Listed[]): Map<string, Listed[]> {
  const groups = new Map<string, Listed[]>()
  for (const one of all) groups.set(groupOf(one), [...(groups.get(groupOf(one)) ?? []), one])
  return groups
}

function renderOperation({ method, path, operation }: Listed, { components }: Description): HTMLElement {
  const { summary, description, parameters = [], requestBody, responses } = operation
  const basis = operation['x-basis']
  const tree = (schema: Schema | undefined) => renderSchema(schema, components.schemas, [])
  return element(
    'details',
    { class: 'operation', id: operation.operationId },
    element(
      'summary',
      {},
      element('span', { class: `verb ${method}` }, method.toUpperCase()),
      element(
        'code',
        { class: 'path' },
        ...path.split(/(\{[^}]+\})/).map(part => (part.startsWith('{') ? element('em', {}, part) : part)),
      ),
      element('span', { class: 'says' }, summary ?? '', basis !== undefined && [' ', badge(basis, basisTones[basis])]),
    ),
    element(
      'div',
      { class: 'inside' },
      description && element('p', { class: 'quiet' }, description),
      parameters.length > 0 && [
        element('h3', {}, 'Parameters'),
        element(
          'ul',
          { class: 'fields-of' },
          parameters.map(({ name, schema, required, description, in: where }) =>
            element(
              'li',
              {},
              element('code', {}, name),
              ' ',
              element('span', { class: 'type' }, `${where}, ${typeOf(schema ?? {})}`),
              required && ' required',
              description && element('p', {}, description),
            ),
          ),
        ),
      ],
      requestBody && [
        element('h3', {}, 'Request body'),
        tree(schemaOf(requestBody)),
        exampleOf(requestBody) !== undefined && body(JSON.stringify(exampleOf(requestBody))),
      ],
      element('h3', {}, 'Answers'),
      Object.entries(responses).map(([status, answer]) =>
        renderAnswer(status, components.responses?.[answer.$ref?.split('/').at(-1) ?? ''] ?? answer, tree),
      ),
    ),
  )
}

function renderAnswer(status: string, answer: Content, tree: (schema?: Schema) => HTMLElement): HTMLElement {
  const isSuccess = status.startsWith('2')
  const example = exampleOf(answer)
  return element(
    'details',
    { open: isSuccess },
    element('summary', {}, badge(status, isSuccess ? 'good' : 'warn'), ` ${answer.description ?? ''}`),
    tree(schemaOf(answer)),
    example !== undefined && body(JSON.stringify(example)),
  )
}

const exampleOf = ({ content }: Content): unknown => content && Object.values(content)[0]?.example
const schemaOf = ({ content }: Content): Schema | undefined => content && Object.values(content)[0]?.schema

function renderSchema(
  schema: Schema | undefined,
  named: Readonly<Record<string, Schema>>,
  above: readonly string[],
): HTMLElement {
  if (!schema) return element('p', { class: 'quiet' }, 'No body.')
  const name = schema.$ref?.split('/').at(-1)
  if (name !== undefined) {
    const found = named[name]
    if (!found || above.includes(name)) return element('p', {}, element('span', { class: 'type' }, name))
    return renderSchema(found, named, [...above, name])
  }
  if (schema.items) return renderSchema(schema.items, named, above)
  const parts = schema.oneOf ?? schema.anyOf ?? schema.allOf
  if (parts && !schema.properties)
    return element(
      'div',
      { class: 'either' },
      parts.map(part => renderSchema(part, named, above)),
    )
  const fields = Object.entries(schema.properties ?? {})
  if (fields.length === 0) return element('p', {}, element('span', { class: 'type' }, typeOf(schema)))
  return element(
    'ul',
    { class: 'fields-of' },
    fields.map(([key, field]) => {
      const inner = insideOf(field, above)
      return element(
        'li',
        {},
        element('code', {}, key),
        ' ',
        element('span', { class: 'type' }, typeOf(field)),
        field['x-basis'] && [' ', badge(field['x-basis'], basisTones[field['x-basis']])],
        schema.required && !schema.required.includes(key) && element('span', { class: 'quiet' }, ' may be absent'),
        field.description && element('p', {}, field.description),
        field.enum &&
          element(
            'p',
            {},
            field.enum.map(value => [element('code', {}, String(value)), ' ']),
          ),
        inner && renderSchema(inner, named, above),
      )
    }),
  )
}

/** What is shown below a field: the one that it refers to, or its own fields. */
function insideOf(field: Schema, above: readonly string[]): Schema | undefined {
  const shown = field.items ?? field
  if (shown.$ref) return above.includes(shown.$ref.split('/').at(-1)!) ? undefined : shown
  return shown.properties || shown.oneOf || shown.anyOf || shown.allOf ? shown : undefined
}

function typeOf({ $ref, type, format, items }: Schema): string {
  if ($ref) return $ref.split('/').at(-1)!
  if (items) return `array of ${typeOf(items)}`
  const words = Array.isArray(type) ? type.join(' or ') : (type ?? 'any')
  return format ? `${words}, ${format}` : String(words)
}
