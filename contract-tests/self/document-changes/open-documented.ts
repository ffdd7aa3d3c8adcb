import type { Contract, OperationId } from '../../../fixtures/built-contract/index.ts'
import { createMock, type Mock } from '../../../mock-server/index.ts'
import { layDocument } from '../../run/document/lay-document.ts'

/** A mock with a document, called as a client calls it. */
export interface DocumentedMock {
  readonly mock: Mock
  readonly contract: Contract
  /** Sends a request to each record that its path may name, until a change is accepted. */
  call(operation: string, request?: { readonly query?: string; readonly body?: unknown }): Promise<readonly Sent[]>
  /** Changes a record of a model through the control plane. False if all are refused. */
  arrange(model: string, fields: object): boolean
}

export interface Sent {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the test knows the answers.
  readonly json: any
}

type Row = Readonly<Record<string, string>>

/** The most records of one kind that a request is sent to, and that are changed. */
const maxRecords = 5
const maxChanged = 2

export function openDocumented(document: object): DocumentedMock {
  // The specification has no managed webhooks, which both documents have.
  const choices = { managed: { 'webhook/managed-form': 'present' } }
  const mock = createMock({ document, choices, now: '2026-10-01T00:00:00Z' })
  const contract = layDocument(document)
  const cloud = mock.target({ cloud: '' }).cloud!
  const given = { ...cloud, segment: cloud.observabilitySegment } as unknown as Row
  const headers = {
    authorization: `Basic ${btoa(`${cloud.keyId}:${cloud.keySecret}`)}`,
    'content-type': 'application/json',
  }

  const placesOf = (model: string) =>
    [{ within: cloud.serviceId! }, {}].flatMap(place => {
      try {
        return [{ place, records: mock.records.list(model as never, place) as readonly Row[] }]
      } catch {
        return []
      }
    })
  const keyOf = (record: Row) => record.id ?? Object.values(record)[0]!

  function* fill(path: string, resource: string): Generator<string> {
    const [written, name = ''] = /\{(\w+)\}/.exec(path) ?? []
    if (written === undefined) return yield path
    if (given[name] !== undefined) return yield* fill(path.replace(written, given[name]), resource)
    const models = [name.replace(/Id$/, ''), resource, resource.replace(/[A-Z].*$/, '')]
    const records = models.flatMap(placesOf).find(one => one.records.length > 0)?.records ?? []
    for (const record of records.slice(0, maxRecords))
      yield* fill(path.replace(written, encodeURIComponent(record[name] ?? keyOf(record))), resource)
  }

  return {
    mock,
    contract,
    async call(id, { query = '', body } = {}) {
      const { method, paths, pathsBeyondSpecification } = contract.operations[id as OperationId]
      const { managed, cloud } = { ...pathsBeyondSpecification, ...paths }
      const sent: Sent[] = []
      for (const path of fill((managed ?? cloud)!, id.split('.')[0]!)) {
        const text = body === undefined ? '' : JSON.stringify(body)
        const { status, body: answer } = await mock.answer({ method, path, query, headers, body: text }, 'cloud')
        sent.push({ status, json: answer.startsWith('{') ? JSON.parse(answer) : undefined })
        if (method !== 'GET' && status < 300) break
      }
      return sent
    },
    arrange: (model, fields) =>
      placesOf(model).some(({ place, records }) =>
        records.slice(0, maxChanged).some(record => {
          try {
            mock.records.update(model as never, keyOf(record), fields as never, place)
            return true
          } catch {
            return false
          }
        }),
      ),
  }
}
