import type { Form, Operation } from '../../fixtures/contract/index.ts'
import type { JournalEntry, Mock } from '../mock/mock.ts'
import { ControlRefusal } from './control/answer.ts'
import type { MockComparison } from './control/page/answers.ts'
import { createExampleRequest } from './control/page/example-request.ts'
import { sendCall } from './control/send-call.ts'

/** Credentials, headers of the connection, and those that make an answer depend on an earlier one. */
const omittedHeaders = /^(?:authorization|host|connection|content-length|cookie|if-.*)$/

/** Repeats a GET of a journal on a mock, with ids and credentials of the mock's world. */
export async function repeatOnMock(mock: Mock, call: JournalEntry): Promise<MockComparison> {
  const { host, request } = call
  if (request.method !== 'GET' || host === 'webhook')
    throw new ControlRefusal(400, 'Only a GET of an API can be repeated on a mock.')
  const path = pathIn(mock, call)
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !omittedHeaders.test(name)))
  const anonymous = request.headers.authorization === undefined && { authorization: '' }
  return { path, call, sent: await sendCall(mock, { api: host, path, headers: { ...headers, ...anonymous } }) }
}

/** The path of a call in the world of a mock: unknown ids are replaced by those of its own records. */
function pathIn(mock: Mock, { form, operation, request }: JournalEntry): string {
  const { operations } = mock.deployment().core.contract
  const { paths, pathsBeyondSpecification }: Partial<Operation> =
    Object.entries(operations).find(([id]) => id === operation)?.[1] ?? {}
  const template = paths?.[form as Form] ?? pathsBeyondSpecification?.[form as Form]
  if (template === undefined) return request.path
  const [path = '', query] = request.path.split(/\?(.*)/s)
  const names = template.split('/')
  const segments = path.split('/')
  const target = mock.target()
  const own = Object.fromEntries(names.map((name, index) => [name.slice(1, -1), segments[index]]))
  const id = form === 'managed' ? `managed.${operation}` : operation!
  const offered = createExampleRequest(mock.deployment().world, target, id, mock.clock.now(), own, mock.choices())
  const values: Record<string, string | undefined> = { ...own, segment: target.cloud?.observabilitySegment }
  for (const { name, value } of offered?.parameters ?? []) values[name] = value
  const filled = names.map((name, index) =>
    name.startsWith('{') ? encodeURIComponent(values[name.slice(1, -1)] ?? segments[index]!) : name,
  )
  return `${filled.join('/')}${query === undefined ? '' : `?${query}`}`
}
