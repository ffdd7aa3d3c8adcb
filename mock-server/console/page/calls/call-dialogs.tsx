import { useEffect, useState } from 'preact/hooks'
import type { MockComparison, SendResult } from '../../../faces/control/page/answers.ts'
import type { JournalEntry } from '../../../mock/mock.ts'
import { fetchJson, read } from '../control.ts'
import {
  Badge,
  Body,
  Button,
  Code,
  CopyButton,
  Failure,
  Form,
  Input,
  Switches,
  ViewWithoutData,
} from '../parts/elements.tsx'
import { readJson } from '../parts/read-json.ts'
import { useData } from '../reading.ts'
import { Answer } from '../reference/answers.tsx'
import { usePage } from '../state.ts'
import { StubForm, stubOf } from '../views/stubs.tsx'
import { type Runner, runners, writeTest } from './as-test.ts'
import { formatMs, Headers, toneOfStatus } from './message.tsx'

interface DialogProps {
  readonly call: JournalEntry
}

/** Headers that are not sent again: those of the connection, and credentials, which the journal does not have. */
const omittedHeaders =
  /^(authorization|host|connection|content-length|accept-encoding|user-agent|transfer-encoding|expect)$/

/** A form to change a call and send it again. If the call had credentials, those of the world are sent. */
export function Replay({ call, isSentAtOnce }: DialogProps & { readonly isSentAtOnce: boolean }) {
  const { host, request, isCut } = call
  const isAnonymous = request.headers.authorization === undefined
  const [method, setMethod] = useState(request.method)
  const [path, setPath] = useState(request.path)
  const keptHeaders = Object.entries(request.headers).filter(([name]) => !omittedHeaders.test(name))
  const [headers, setHeaders] = useState(keptHeaders.map(([name, value]) => `${name}: ${value}`).join('\n'))
  const [body, setBody] = useState(request.body)
  const [sent, setSent] = useState<SendResult | undefined>(undefined)
  const [error, setError] = useState<string | undefined>(undefined)
  const send = async () => {
    setError(undefined)
    const typedHeaders = [...headers.matchAll(/^\s*([^:\n]*[^:\s])\s*:?(.*)$/gm)].map(([, name, value]) => [
      name!.toLowerCase(),
      value!.trim(),
    ])
    const allHeaders = { ...(isAnonymous && { authorization: '' }), ...Object.fromEntries(typedHeaders) }
    const repeated = { api: host, method, path, headers: allHeaders, ...(body && { body }) }
    await fetchJson<SendResult>('POST', '/control/send', repeated).then(setSent, (failed: Error) =>
      setError(failed.message),
    )
  }
  useEffect(() => {
    if (isSentAtOnce) void send()
  }, [])
  return (
    <Form submit={send}>
      <p class="quiet">
        {isAnonymous
          ? 'The call had no credentials, and is sent without any.'
          : 'It is sent with the credentials of this world: the journal keeps none.'}
      </p>
      {isCut && <p class="notice">The journal has only the beginning of this body. Complete it before you send it.</p>}
      <div class="row">
        <Input aria-label="Method" size={7} value={method} change={setMethod} />
        <Input class="grows" aria-label="Path" value={path} change={setPath} />
      </div>
      <label class="schema-field">
        Headers
        <textarea rows={2} value={headers} onInput={event => setHeaders(event.currentTarget.value)} />
      </label>
      <label class="schema-field">
        Body
        <textarea rows={6} spellcheck={false} value={body} onInput={event => setBody(event.currentTarget.value)} />
      </label>
      <Failure error={error} />
      {sent && <Answer {...sent} />}
      <footer>
        <button type="submit" class="primary">
          {sent ? 'Send again' : 'Send'}
        </button>
      </footer>
    </Form>
  )
}

/** A failing test of a call with a snapshot of the world, to copy or to save. */
export function AsTest({ call }: DialogProps) {
  const [runner, choose] = useState<Runner>('vitest')
  const { data: world, error } = useData(
    async () => JSON.stringify(await read<object>('/control/state?extent=opened')),
    [],
  )
  if (world === undefined) return <Failure error={error} />
  const material = { call, control: location.origin }
  const program = writeTest(runner, { ...material, world })
  const size = `${Math.ceil(world.length / 1024)} KiB`
  return (
    <>
      <p class="quiet">
        {`The test sends the call again in the world as it is now, and fails. Copy includes the snapshot (${size}, with the world's credentials, which protect nothing).`}
      </p>
      <div class="row">
        <Switches label="Runner" names={runners} pressed={runner} choose={choose} />
        <a
          class="button"
          download={runner === 'vitest' ? 'call.test.ts' : 'call.spec.ts'}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(program)}`}
        >
          Save
        </a>
      </div>
      <Code label="Test" text={writeTest(runner, { ...material, world: `{/* ${size} */}` })} copied={program} />
    </>
  )
}

export function CallActions({ call }: DialogProps) {
  const { open } = usePage()
  const actions = [
    ['Send again', <Replay call={call} isSentAtOnce />],
    ['Edit and send', <Replay call={call} isSentAtOnce={false} />],
    ['As a stub', <StubForm initial={stubOf(call)} done={() => location.assign('#/stubs')} />],
    ['As a test', <AsTest call={call} />],
  ] as const
  return (
    <div class="row">
      {actions.map(([title, content]) => (
        <Button key={title} onClick={() => open(title, content)} class="copy">
          {title}
        </Button>
      ))}
    </div>
  )
}

/** The answers of a deployment and a mock to the same GET, side by side, and how their fields differ. */
export function ComparisonWithMock({ call: { number } }: { readonly call: JournalEntry }) {
  const { data, error } = useData(() => fetchJson<MockComparison>('POST', '/control/mock', { number }), [number])
  if (!data) return <ViewWithoutData error={error} />
  const { call, path, sent } = data
  const [deploymentFields, mockFields] = [call.response.body, sent.body].map(fieldsIn)
  const sides = [
    ['The deployment', call.request.path, call.response, call.ms],
    ['The mock', path, sent, sent.ms],
  ] as const
  return (
    <>
      {deploymentFields && mockFields ? (
        <Differences deploymentFields={deploymentFields} mockFields={mockFields} />
      ) : (
        <p class="notice">{`Fields are not compared: ${call.isCut ? 'the journal has only the beginning of the answer' : 'one answer is not JSON'}.`}</p>
      )}
      <div class="pair">
        {sides.map(([name, path, { status, headers, body }, ms]) => (
          <section key={name} aria-label={name}>
            <h2 class="row spread small quiet">
              {name}
              <span>
                <Badge tone={toneOfStatus(status)}>{status || 'No answer'}</Badge> {formatMs(ms)}
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

function Differences({
  deploymentFields,
  mockFields,
}: {
  readonly deploymentFields: FieldTypes
  readonly mockFields: FieldTypes
}) {
  const missingIn = (other: FieldTypes, fields: FieldTypes) => [...fields.keys()].filter(path => !other.has(path))
  const typeDifferences = [...deploymentFields].flatMap(([path, type]) =>
    (mockFields.get(path) ?? type) === type ? [] : [`${path} is ${type}, but ${mockFields.get(path)} in the mock`],
  )
  const rows = [
    ['Only from the deployment', missingIn(mockFields, deploymentFields)],
    ['Only from the mock', missingIn(deploymentFields, mockFields)],
    ['Of another type', typeDifferences],
  ] as const
  const differences = rows.filter(([, fields]) => fields.length > 0)
  if (differences.length === 0) return <p>Both answers have the same fields, of the same types.</p>
  return differences.map(([title, fields]) => (
    <p key={title}>
      {`${title}: `}
      <code>{fields.join(', ')}</code>
    </p>
  ))
}

/** The types of the fields of a JSON text, by their paths; undefined when it is not JSON. */
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
