import type { SentToMock as Both } from '../../../faces/control/page/answers.ts'
import type { JournalEntry } from '../../../mock/mock.ts'
import { ask } from '../control.ts'
import { Badge, Body, CopyButton, Failure } from '../parts/basic.tsx'
import { readJson } from '../parts/json.ts'
import { useReading } from '../reading.ts'
import { Headers, toneOfStatus, writeMs } from './message.tsx'

/** The answer of a deployment to a GET, that of a mock beside it, and the fields that only one of them has. */
export function SentToMock({ call: { number } }: { readonly call: JournalEntry }) {
  const { data, error } = useReading(() => ask<Both>('POST', '/control/mock', { number }), [number])
  if (!data) return <Failure error={error} />
  const { call, path, sent } = data
  const [own, its] = [call.response.body, sent.body].map(fieldsIn)
  const sides = [
    ['The deployment', call.request.path, call.response, call.ms],
    ['The mock', path, sent, sent.ms],
  ] as const
  return (
    <>
      {own && its ? (
        <Differences own={own} its={its} />
      ) : (
        <p class="notice">{`Fields are not compared: ${call.isCut ? 'the journal has only the beginning of the answer' : 'one answer is no JSON'}.`}</p>
      )}
      <div class="pair">
        {sides.map(([name, path, { status, headers, body }, ms]) => (
          <section key={name} aria-label={name}>
            <h2 class="row spread">
              {name}
              <span>
                <Badge tone={toneOfStatus(status)}>{status || 'No answer'}</Badge> {writeMs(ms)}
              </span>
            </h2>
            <div class="row">
              <code>{path}</code>
              <CopyButton text={path} />
            </div>
            <Headers headers={headers} />
            <Body text={body} label={`body, ${name}`} />
          </section>
        ))}
      </div>
    </>
  )
}

type FieldTypes = ReadonlyMap<string, string>

function Differences({ own, its }: { readonly own: FieldTypes; readonly its: FieldTypes }) {
  const only = (of: FieldTypes, other: FieldTypes) => [...of.keys()].filter(path => !other.has(path))
  const others = [...own].flatMap(([path, type]) =>
    (its.get(path) ?? type) === type ? [] : [`${path} is ${type}, and ${its.get(path)} from the mock`],
  )
  const rows = [
    ['Only from the deployment', only(own, its)],
    ['Only from the mock', only(its, own)],
    ['Of another type', others],
  ] as const
  const found = rows.filter(([, fields]) => fields.length > 0)
  if (found.length === 0) return <p>Both answers have the same fields, of the same types.</p>
  return found.map(([title, fields]) => (
    <p key={title}>
      {`${title}: `}
      <code>{fields.join(', ')}</code>
    </p>
  ))
}

/** The fields of a JSON text by their paths, with their types; undefined for another text. */
function fieldsIn(json: string): FieldTypes | undefined {
  const types = new Map<string, Set<string>>()
  const visit = (value: unknown, path: string): void => {
    const isArray = Array.isArray(value)
    const type = value === null ? 'null' : isArray ? 'array' : typeof value
    if (path !== '' && !path.endsWith('[]')) types.set(path, (types.get(path) ?? new Set()).add(type))
    if (isArray) for (const item of value) visit(item, `${path}[]`)
    else if (type === 'object')
      for (const [name, inner] of Object.entries(value as object)) visit(inner, path === '' ? name : `${path}.${name}`)
  }
  const read = readJson(json)
  if (!read) return undefined
  visit(read.value, '')
  return new Map([...types].map(([path, seen]) => [path, [...seen].sort().join(' or ')]))
}
