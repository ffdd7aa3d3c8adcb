import { type BuiltMock, startBuiltMock } from './built-mock.ts'
import { type Bench, type Chapter, renderComparison } from './chapter.ts'
import { compareInPairs, type Side } from './paired-bursts.ts'
import { alertBody, ask, call, getBackup, listMembers, type SentRequest, writeRequest } from './requests.ts'
import { type PlainServer, startPlainServer } from './running.ts'

/** Compares the mock with plain servers that send the same bytes: node:http and Koa. */
export async function measureSpeed(bench: Bench): Promise<Chapter> {
  const plain = await startPlainServer('node')
  const koa = await startPlainServer('koa')
  const mocks = [await startBuiltMock(), await startBuiltMock('--members', '1000')] as const
  try {
    const rows = []
    for (const { subject, operation, asked } of await listOperations(bench, ...mocks)) {
      const answer = await ask(asked)
      await plain.setAnswer(answer)
      await koa.setAnswer(answer)
      const sides: readonly [string, Side][] = [
        ['Koa', plainSide(koa, asked)],
        ['mock', subject],
      ]
      for (const [server, side] of sides) {
        const compared = await compareInPairs(bench.loader, plainSide(plain, asked), side, bench.pace)
        rows.push({ operation, server, ...renderComparison(compared), bytes: answer.body.length })
      }
    }
    return {
      title: 'Speed',
      description:
        'Requests per second over those of a bare node:http server that sends the same bytes, in alternating bursts. ' +
        'CPU is the processor time of the server process per request.',
      rows,
    }
  } finally {
    await Promise.all([plain, koa, ...mocks].map(server => server.stop()))
  }
}

interface Operation {
  readonly operation: string
  /** The request whose answer the plain servers send. */
  readonly asked: SentRequest
  readonly subject: Side
}

async function listOperations(bench: Bench, mock: BuiltMock, crowded: BuiltMock): Promise<readonly Operation[]> {
  const { pid } = mock
  const body = alertBody(mock.target)
  const create = call(mock, 'create an alert', 'POST', 'alerts', body)
  const { id } = JSON.parse((await ask(create)).body).data as { id: string }
  const callAlert = (name: string, method: string, sent?: object) => call(mock, name, method, `alerts/${id}`, sent)

  const operationOf = (asked: SentRequest, server = pid): Operation => ({
    operation: asked.name,
    asked,
    subject: { port: asked.port, pid: server, requests: [writeRequest(asked)] },
  })
  return [
    operationOf(listMembers(mock, 'list 10 members')),
    operationOf(listMembers(crowded, 'list 1,000 members'), crowded.pid),
    operationOf(getBackup(mock)),
    operationOf(call(mock, 'list 5 alerts', 'GET', 'alerts')),
    operationOf(callAlert('get an alert', 'GET')),
    operationOf(callAlert('update an alert', 'PUT', { ...body, threshold: 11 })),
    operationOf(create),
    deletions(bench, mock, callAlert('delete an alert', 'DELETE'), create),
  ]
}

/** Each alert can be deleted once, so enough alerts are created before each burst. */
function deletions({ loader, pace }: Bench, mock: BuiltMock, asked: SentRequest, create: SentRequest): Operation {
  const prepare = async () => {
    const load = { port: create.port, requests: [writeRequest(create)], connections: pace.connections }
    const { ids } = await loader.run({ ...load, ms: pace.ms * 1.5, collect: true })
    return ids.map(id => writeRequest({ ...asked, path: `/api/v2/alerts/${id}` }))
  }
  return { operation: asked.name, asked, subject: { port: asked.port, pid: mock.pid, requests: [], prepare } }
}

export const plainSide = ({ port, pid }: PlainServer, asked: SentRequest): Side => ({
  port,
  pid,
  requests: [writeRequest(asked)],
})
