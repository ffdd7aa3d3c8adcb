import { useState } from 'preact/hooks'
import type { JournalEntry, Stub } from '../../../mock/mock.ts'
import { ask, read } from '../control.ts'
import { Failure, Form } from '../parts/basic.tsx'
import { readJson } from '../parts/json.ts'
import type { Description } from '../parts/openapi.ts'
import { useReading } from '../reading.ts'
import { BodyEditor } from '../reference/body-editor.tsx'
import { usePage } from '../state.ts'

export interface StubOptions extends Pick<Stub, 'answer' | 'times'> {
  readonly when: Omit<Stub['when'], 'operation'> & { readonly operation?: string }
}

/** The usual beginning of a stub. */
export const exampleStub: StubOptions = {
  when: { method: 'GET', path: '/api/v2/alerts' },
  answer: { status: 503, headers: { 'retry-after': '2' }, body: { message: 'busy' } },
  times: 1,
}

/** A stub that answers calls like this one as it was answered. */
export function stubOf({ request, response }: JournalEntry): StubOptions {
  const [path = '', query] = request.path.split(/\?(.*)/s)
  return {
    when: {
      method: request.method,
      path,
      ...(query && { query: Object.fromEntries(new URLSearchParams(query)) }),
      ...(request.body && { body: parsed(request.body) }),
    },
    answer: {
      status: Math.max(200, response.status),
      ...(response.body && { body: parsed(response.body) }),
      // What was answered may have braces of its own, such as the template of a webhook.
      ...(response.body?.includes('{{') && { template: false }),
    },
  }
}

const parsed = (text: string): unknown => (readJson(text) ?? { value: text }).value

/** A stub to write: as JSON, or as a form of the control plane's own description. */
export function StubForm({ begun, done }: { readonly begun: StubOptions; readonly done: () => unknown }) {
  const page = usePage()
  const example = JSON.stringify(begun, null, 2)
  const [text, setText] = useState(example)
  const [refusal, setRefusal] = useState<string | undefined>(undefined)
  const { data, error } = useReading(() => read<Description>('/control/openapi/control.json'), [])
  const body = data?.paths['/control/stubs']?.post?.requestBody?.content?.['application/json']
  const create = async () => {
    try {
      const stub = await ask<Stub>('POST', '/control/stubs', JSON.parse(text))
      page.close()
      page.notify(`${stub.id} answers from now on.`)
      await done()
    } catch (failed) {
      setRefusal((failed as Error).message)
    }
  }
  if (!body) return <Failure error={error} />
  return (
    <Form noValidate submit={create}>
      <p class="quiet">
        Calls that fit everything under “when” get this answer instead of the mock's, so many times, or until the stub
        is removed. {'{id}'} or * in a path is any segment, ** any rest.
      </p>
      <BodyEditor
        schema={body.schema}
        named={data!.components?.schemas ?? {}}
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
        <code class="how">POST /control/stubs</code>
        <button type="submit" class="primary">
          Create
        </button>
      </footer>
    </Form>
  )
}
