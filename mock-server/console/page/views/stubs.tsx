import { useState } from 'preact/hooks'
import type { ListedStub } from '../../../mock/arrange/nearest-miss.ts'
import type { StubAnswerJson } from '../../../mock/arrange/stubs.ts'
import type { JournalEntry, Stub } from '../../../mock/mock.ts'
import { controlAddress, fetchJson, pageAddress, read } from '../control.ts'
import { Badge, Body, Button, Failure, Form, formatCount, LazyDetails, ViewWithoutData } from '../parts/elements.tsx'
import type { Description } from '../parts/openapi.ts'
import { readJson } from '../parts/read-json.ts'
import { useData } from '../reading.ts'
import { BodyEditor } from '../reference/body-editor.tsx'
import { usePage } from '../state.ts'

/** The stubs of the world, each with the number of its hits; without a hit, with the call that was nearest. */
export function Stubs() {
  const page = usePage()
  const { data: stubs, error, refresh } = useData(() => read<readonly ListedStub[]>('/control/stubs'), [], 2000)
  const create = () => page.open('New stub', <StubForm initial={exampleStub} done={refresh} />)
  const remove = async (id?: string) => {
    await fetchJson('DELETE', controlAddress(['stubs', ...(id === undefined ? [] : [id])]))
    await refresh()
  }
  return (
    <>
      <div class="row spread">
        <h1>Stubs</h1>
        <div class="row">
          {stubs && stubs.length > 0 && <Button onClick={() => remove()}>Remove all</Button>}
          <Button onClick={create} class="primary">
            New stub
          </Button>
        </div>
      </div>
      <p class="quiet">
        A stub answers some calls instead of the mock, before faults and chaos. Of two that match a call, the newer one
        answers.
      </p>
      {stubs ? <Failure error={error} /> : <ViewWithoutData error={error} />}
      {stubs?.length === 0 && (
        <div class="empty">
          <p>There are no stubs in this world. Write one, or make one from a call.</p>
          <a href="#/calls">Calls</a>
        </div>
      )}
      <ul class="stubs listing panel lined" aria-label="Stubs, the newest first">
        {stubs?.toReversed().map(stub => (
          <li key={stub.id}>
            <StubItem stub={stub} remove={() => remove(stub.id)} />
          </li>
        ))}
      </ul>
    </>
  )
}

const describeAnswer = (answer: StubAnswerJson) =>
  answer === 'function' ? 'a function' : `${answer.status ?? 200}${answer.delayMs ? ` after ${answer.delayMs} ms` : ''}`

function StubItem({ stub, remove }: { readonly stub: ListedStub; readonly remove: () => Promise<void> }) {
  const { id, when, answer, change, times, answered, nearest } = stub
  const { method = 'any method', path, operation } = when
  const isUsedUp = times !== undefined && answered >= times
  const others = Object.keys(when).filter(name => !['method', 'path', 'operation'].includes(name))
  const summary = (
    <>
      <code>{id}</code>
      <Badge tone={answered === 0 ? 'warn' : isUsedUp ? 'plain' : 'good'}>
        {answered === 0 ? 'no hits' : `${formatCount(answered, 'hit')}${times === undefined ? '' : ` of ${times}`}`}
      </Badge>
      <span class="grows">
        <span class="method">{operation ?? `${method.toUpperCase()} ${path ?? 'any path'}`}</span>
        {others.length > 0 && <small>{` with ${others.join(', ')}`}</small>}
      </span>
      <span>{`→ ${change ? 'changed by a function' : [answer!].flat().map(describeAnswer).join(', then ')}`}</span>
    </>
  )
  return (
    <>
      <LazyDetails summary={summary}>
        {() => (
          <div class="stack inside">
            <Body text={JSON.stringify({ when, answer, change, times })} />
            <p class="row">
              {answered > 0 && <a href={pageAddress('calls', `client=&text=${id}`)}>Its calls</a>}
              <Button onClick={remove} class="copy">
                Remove
              </Button>
            </p>
          </div>
        )}
      </LazyDetails>
      {nearest && (
        <p class="quiet">
          Nearest call: <code>{`${nearest.method} ${nearest.path}`}</code>
          {nearest.misses.length === 0
            ? ', which came before the stub.'
            : `, which differs in ${nearest.misses.join(' and ')}.`}
        </p>
      )}
    </>
  )
}

export interface StubOptions extends Pick<Stub, 'answer' | 'times'> {
  readonly when: Omit<Stub['when'], 'operation'> & { readonly operation?: string }
}

export const exampleStub: StubOptions = {
  when: { method: 'GET', path: '/api/v2/alerts' },
  answer: { status: 503, headers: { 'retry-after': '2' }, body: { message: 'busy' } },
  times: 1,
}

/** A stub that gives calls like this one the same answer. */
export function stubOf({ request, response }: JournalEntry): StubOptions {
  const [path = '', query] = request.path.split(/\?(.*)/s)
  return {
    when: {
      method: request.method,
      path,
      ...(query && { query: Object.fromEntries(new URLSearchParams(query)) }),
      ...(request.body && { body: parseIfJson(request.body) }),
    },
    answer: {
      status: Math.max(200, response.status),
      ...(response.body && { body: parseIfJson(response.body) }),
      // Braces in an answer, such as the template of a webhook, are no template of the stub.
      ...(response.body?.includes('{{') && { template: false }),
    },
  }
}

const parseIfJson = (text: string): unknown => (readJson(text) ?? { value: text }).value

/** An editor of a stub: as JSON, or as a form made from the description of the control plane. */
export function StubForm({ initial, done }: { readonly initial: StubOptions; readonly done: () => unknown }) {
  const page = usePage()
  const example = JSON.stringify(initial, null, 2)
  const [text, setText] = useState(example)
  const [refusal, setRefusal] = useState<string | undefined>(undefined)
  const { data, error } = useData(() => read<Description>('/control/openapi/control.json'), [])
  const body = data?.paths['/control/stubs']?.post?.requestBody?.content?.['application/json']
  const create = async () => {
    try {
      const stub = await fetchJson<Stub>('POST', '/control/stubs', JSON.parse(text))
      page.close()
      page.notify(`${stub.id} answers from now on.`)
      await done()
    } catch (failed) {
      setRefusal((failed as Error).message)
    }
  }
  if (!body) return <ViewWithoutData error={error} />
  return (
    <Form noValidate submit={create}>
      <p class="quiet">
        Calls that match all of “when” get “answer” instead of the mock's answer: “times” times, or until the stub is
        removed. {'{id}'} or * in a path is any segment, ** any number of segments.
      </p>
      <BodyEditor
        schema={body.schema}
        schemas={data!.components?.schemas ?? {}}
        text={text}
        example={example}
        change={next => {
          setText(next)
          setRefusal(undefined)
        }}
        send={create}
      />
      <Failure error={refusal} />
      <footer>
        <code class="how quiet tiny">POST /control/stubs</code>
        <button type="submit" class="primary">
          Create
        </button>
      </footer>
    </Form>
  )
}
