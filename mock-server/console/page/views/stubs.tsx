import type { ListedStub } from '../../../mock/arrange/nearest-miss.ts'
import type { ShownAnswer } from '../../../mock/arrange/stubs.ts'
import { pageAddress } from '../address.ts'
import { ask, controlAddress, read } from '../control.ts'
import { Badge, Body, Button, count, Failure, Unfold } from '../parts/basic.tsx'
import { useReading } from '../reading.ts'
import { usePage } from '../state.ts'
import { exampleStub, StubForm } from '../stubs/stub-form.tsx'

/** The stubs of the world, with how many calls each has answered, and the nearest call of those that answered none. */
export function Stubs() {
  const page = usePage()
  const { data: stubs, error, refresh } = useReading(() => read<readonly ListedStub[]>('/control/stubs'), [], 2000)
  const create = () => page.open('New stub', <StubForm begun={exampleStub} done={refresh} />)
  const remove = async (id?: string) => {
    await ask('DELETE', controlAddress(['stubs', ...(id === undefined ? [] : [id])]))
    await refresh()
  }
  return (
    <>
      <div class="row spread">
        <h1>Stubs</h1>
        <div class="row">
          {stubs && stubs.length > 0 && <Button act={() => remove()}>Remove all</Button>}
          <Button act={create} class="primary">
            New stub
          </Button>
        </div>
      </div>
      <p class="quiet">
        A stub answers some calls instead of the mock, before faults and chaos. Of two that fit a call, the newer one
        answers.
      </p>
      <Failure error={error} />
      {stubs?.length === 0 && (
        <div class="empty">
          <p>There are no stubs in this world. Write one, or make one of a call.</p>
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

const describeAnswer = (answer: ShownAnswer) =>
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
        {answered === 0 ? 'no hits' : `${count(answered, 'hit')}${times === undefined ? '' : ` of ${times}`}`}
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
      <Unfold summary={summary}>
        {() => (
          <div class="stack inside">
            <Body text={JSON.stringify({ when, answer, change, times })} />
            <p class="row">
              {answered > 0 && <a href={pageAddress('calls', `client=&text=${id}`)}>Its calls</a>}
              <Button act={remove} class="copy">
                Remove
              </Button>
            </p>
          </div>
        )}
      </Unfold>
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
