import { useEffect, useState } from 'preact/hooks'
import type { Sent } from '../../../faces/control/page/answers.ts'
import type { JournalEntry } from '../../../mock/mock.ts'
import { ask, read } from '../control.ts'
import { Button, Code, Failure, Form, Input, Switches } from '../parts/basic.tsx'
import { useReading } from '../reading.ts'
import { Answer } from '../reference/answers.tsx'
import { usePage } from '../state.ts'
import { StubForm, stubOf } from '../stubs/stub-form.tsx'
import { type Runner, runners, writeTest } from './as-test.ts'

interface DialogProps {
  readonly call: JournalEntry
}

/** The headers that a connection or the mock writes anew, and credentials, which the journal has not. */
const written = /^(authorization|host|connection|content-length|accept-encoding|user-agent|transfer-encoding|expect)$/

/** A call of the journal that can be changed and sent again, with the credentials of the world where it had some. */
export function Replay({ call, isSentAtOnce }: DialogProps & { readonly isSentAtOnce: boolean }) {
  const { host, request, isCut } = call
  const [method, setMethod] = useState(request.method)
  const [path, setPath] = useState(request.path)
  const [headers, setHeaders] = useState(() =>
    Object.entries(request.headers)
      .filter(([name]) => !written.test(name))
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
  )
  const [body, setBody] = useState(request.body)
  const [sent, setSent] = useState<Sent | undefined>(undefined)
  const [error, setError] = useState<string | undefined>(undefined)
  const send = async () => {
    setError(undefined)
    const own = headers.split('\n').flatMap(line => {
      const [name = '', ...rest] = line.split(':')
      return name.trim() === '' ? [] : [[name.trim().toLowerCase(), rest.join(':').trim()] as const]
    })
    const anonymous = request.headers.authorization === undefined ? [['authorization', ''] as const] : []
    const again = {
      api: host,
      method,
      path,
      headers: Object.fromEntries([...anonymous, ...own]),
      ...(body && { body }),
    }
    await ask<Sent>('POST', '/control/send', again).then(setSent, (failed: Error) => setError(failed.message))
  }
  useEffect(() => {
    if (isSentAtOnce) void send()
  }, [])
  return (
    <Form submit={send}>
      <p class="quiet">
        {request.headers.authorization === undefined
          ? 'It had no credentials, and has none again.'
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

/** A failing test of a call, with a snapshot of the world, to be pasted. */
export function AsTest({ call }: DialogProps) {
  const [runner, choose] = useState<Runner>('vitest')
  const { data: world, error } = useReading(
    async () => JSON.stringify(await read<object>('/control/state?extent=opened')),
    [],
  )
  if (world === undefined) return <Failure error={error} />
  const material = { call, control: location.origin }
  const whole = writeTest(runner, { ...material, world })
  const size = `${Math.ceil(world.length / 1024)} KiB`
  return (
    <>
      <p class="quiet">
        {`It sends the call again in the world as it is now, and fails. Copy takes the snapshot along (${size}, with the world's credentials, which protect nothing).`}
      </p>
      <div class="row">
        <Switches label="Runner" names={runners} pressed={runner} choose={choose} />
        <a
          class="button"
          download={runner === 'vitest' ? 'call.test.ts' : 'call.spec.ts'}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(whole)}`}
        >
          Save
        </a>
      </div>
      <Code label="Test" text={writeTest(runner, { ...material, world: `{/* ${size} */}` })} copied={whole} />
    </>
  )
}

/** What can be made of a call of the journal. */
export function CallActions({ call }: DialogProps) {
  const { open } = usePage()
  const actions = [
    ['Send again', <Replay call={call} isSentAtOnce />],
    ['Edit and send', <Replay call={call} isSentAtOnce={false} />],
    ['As a stub', <StubForm begun={stubOf(call)} done={() => location.assign('#/stubs')} />],
    ['As a test', <AsTest call={call} />],
  ] as const
  return (
    <div class="row">
      {actions.map(([title, content]) => (
        <Button key={title} act={() => open(title, content)} class="copy">
          {title}
        </Button>
      ))}
    </div>
  )
}
