import type { Sent } from '../../../faces/control/page/answers.ts'
import { Headers, toneOfStatus, writeMs } from '../calls/message.tsx'
import { Badge, Body, Code, Unfold } from '../parts/basic.tsx'
import { type Content, type Description, nameOf, type Operation, type Schema } from '../parts/openapi.ts'
import { Basis, SchemaTree } from './schema-tree.tsx'

const paintedAtMost = 200_000

/** What came back: status, time, size, the reason of it, headers and body. */
export function Answer({ status, headers, body, ms, cause }: Sent) {
  const bytes = new TextEncoder().encode(body).length
  return (
    <div class="stack answer panel">
      <p class="row facts">
        <Badge tone={toneOfStatus(status)}>{status === 0 ? 'No answer' : status}</Badge>
        <span>{writeMs(ms)}</span>
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
      {body.length > paintedAtMost ? <Code text={body} label="body" /> : <Body text={body} />}
    </div>
  )
}

/** What an operation may answer, by status: its fields and an example. */
export const Responses = ({ operation, description }: { operation: Operation; description: Description }) => (
  <section class="responses">
    <h3>Answers</h3>
    {Object.entries(operation.responses).map(([status, answer]) => {
      const found = description.components.responses?.[nameOf(answer) ?? ''] ?? answer
      const summary = (
        <>
          <Badge tone={status.startsWith('2') ? 'good' : 'warn'}>{status}</Badge> {found.description}
        </>
      )
      const example = Object.values(found.content ?? {})[0]?.example
      return (
        <Unfold key={status} class="panel" summary={summary}>
          {() => (
            <div class="stack inside">
              <SchemaTree schema={schemaOf(found)} named={description.components.schemas} />
              {example !== undefined && <Body text={JSON.stringify(example)} />}
            </div>
          )}
        </Unfold>
      )
    })}
  </section>
)

export const schemaOf = ({ content }: Content): Schema | undefined => content && Object.values(content)[0]?.schema
