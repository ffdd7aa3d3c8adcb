import type { ComponentChild } from 'preact'
import type { SendResult } from '../../../faces/control/page/answers.ts'
import { formatMs, Headers, toneOfStatus } from '../calls/message.tsx'
import { Badge, Body, Code, LazyDetails } from '../parts/elements.tsx'
import {
  boundsOf,
  type Content,
  type Description,
  isNullable,
  nameOf,
  type Operation,
  resolve,
  type Schema,
  type Schemas,
  typeOf,
} from '../parts/openapi.ts'

const maxHighlighted = 200_000

export function Answer({ status, headers, body, ms, cause }: SendResult) {
  const bytes = new TextEncoder().encode(body).length
  return (
    <div class="stack answer panel">
      <p class="row facts">
        <Badge tone={toneOfStatus(status)}>{status === 0 ? 'No answer' : status}</Badge>
        <span>{formatMs(ms)}</span>
        <span>{bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`}</span>
        <a href="#/calls/client=console">in the journal</a>
      </p>
      {cause && (
        <div class="because">
          <Basis basis={cause.basis} /> {cause.rule && <code>{cause.rule}</code>}
          <p>{cause.why}</p>
        </div>
      )}
      <Headers headers={headers} />
      {body.length > maxHighlighted ? <Code text={body} label="answer" /> : <Body text={body} label="answer" />}
    </div>
  )
}

export const Responses = ({ operation, description }: { operation: Operation; description: Description }) => (
  <section class="responses">
    <h3>Answers</h3>
    {Object.entries(operation.responses).map(([status, answer]) => {
      const resolved = description.components.responses?.[nameOf(answer) ?? ''] ?? answer
      const summary = (
        <>
          <Badge tone={status.startsWith('2') ? 'good' : 'warn'}>{status}</Badge> {resolved.description}
        </>
      )
      const example = Object.values(resolved.content ?? {})[0]?.example
      return (
        <LazyDetails key={status} class="panel" summary={summary}>
          {() => (
            <div class="stack inside">
              <SchemaTree schema={schemaOf(resolved)} schemas={description.components.schemas} />
              {example !== undefined && <Body text={JSON.stringify(example)} />}
            </div>
          )}
        </LazyDetails>
      )
    })}
  </section>
)

export const schemaOf = ({ content }: Content): Schema | undefined => content && Object.values(content)[0]?.schema

const basisTones: Readonly<Record<string, string>> = { stated: 'good', implied: 'note' }

export const Basis = ({ basis }: { readonly basis: string | undefined }) =>
  basis === undefined ? null : <Badge tone={basisTones[basis] ?? ''}>{basis}</Badge>

interface TreeProps {
  readonly schema: Schema | undefined
  readonly schemas: Schemas
  readonly ancestors?: readonly string[]
}

/** The fields of a schema with types, values and bounds. Inner fields are folded, unless they are few and near the top. */
export function SchemaTree({ schema, schemas, ancestors = [] }: TreeProps): ComponentChild {
  if (!schema) return <p class="quiet">No body.</p>
  const name = nameOf(schema)
  const resolved = resolve(schema, schemas)
  const path = name === undefined ? ancestors : [...ancestors, name]
  if (resolved.items) return <SchemaTree schema={resolved.items} schemas={schemas} ancestors={path} />
  const fields = Object.entries(resolved.properties ?? {})
  if (fields.length === 0)
    return (
      <p>
        <span class="type">{describeType(resolved)}</span>
      </p>
    )
  const required = new Set(resolved.required)
  return (
    <ul class="stack fields-of small">
      {fields.map(([key, field]) => (
        <li key={key}>
          <SchemaField name={key} schema={field} isRequired={required.has(key)} schemas={schemas} ancestors={path} />
        </li>
      ))}
    </ul>
  )
}

interface FieldProps {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
  readonly schemas: Schemas
  readonly ancestors: readonly string[]
}

function SchemaField({ name, schema, isRequired, schemas, ancestors }: FieldProps) {
  const inner = innerSchemaOf(schema, ancestors)
  const values = schema.enum ?? schema.items?.enum
  const basis = schema['x-basis']
  const line = (
    <>
      <code>{name}</code> <span class="type">{describeType(schema)}</span>
      {isRequired && [' ', <span class="required">required</span>]}
      {basis && basis !== 'documented' && [' ', <Basis basis={basis} />]}
    </>
  )
  const bounds = [...boundsOf(schema), ...(schema.items ? boundsOf(schema.items).map(one => `each ${one}`) : [])]
  const isShort = inner && Object.keys(resolve(inner, schemas).properties ?? {}).length < 8
  return (
    <>
      {!inner && line}
      {!inner && schema.description && <p class="quiet">{schema.description}</p>}
      {bounds.length > 0 && <p class="quiet">{bounds.join(', ')}</p>}
      {values && <p class="quiet">{values.map(value => [<code>{String(value)}</code>, ' '])}</p>}
      {inner && (
        <details open={ancestors.length < 2 && isShort}>
          <summary>{line}</summary>
          {schema.description && <p class="quiet">{schema.description}</p>}
          <SchemaTree schema={inner} schemas={schemas} ancestors={[...ancestors, name]} />
        </details>
      )}
    </>
  )
}

/** The schema of the fields within a field; undefined if there are none, or if the schema contains itself. */
function innerSchemaOf(field: Schema, ancestors: readonly string[]): Schema | undefined {
  const shown = field.items ?? field
  const name = nameOf(shown)
  if (name !== undefined) return ancestors.includes(name) ? undefined : shown
  return shown.properties ? shown : undefined
}

/** A type in words: `array of string, uuid`, `number or null`. */
export function describeType(schema: Schema): string {
  const { items, format } = schema
  if (schema.$ref) return nameOf(schema)!
  const type = items ? `array of ${describeType(items)}` : typeOf(schema)
  return `${type}${isNullable(schema) ? ' or null' : ''}${format ? `, ${format}` : ''}`
}
