import { describe, expect, it } from 'vitest'
import { type Operation, operations } from '../../../fixtures/built-contract/index.ts'
import { createMock } from '../../../mock-server/index.ts'
import type { Client, Incoming, Outgoing } from '../../engine/clients/client.ts'
import { exitStatus } from '../../report/exit-status.ts'
import { createDirectClient, directTarget } from '../direct-client.ts'
import { clients, expectFailure, judge, outcomesOf } from './judge.ts'
import { secrets, startHttpTarget, startSocketTarget, targetAt } from './start-target.ts'

/** A run on a target whose answers are nonsense ends with a report, in which rules are broken or errored. */

/** Judges a mock whose answers `twist` changes, and records the requests. */
async function judgeTwisted(twist: (answer: Incoming, request: Outgoing, count: number) => Incoming) {
  const mock = createMock()
  const direct = createDirectClient(mock)
  const sent: Outgoing[] = []
  const client: Client = {
    ...direct,
    send: async request => {
      sent.push(request)
      return twist(await direct.send(request), request, sent.length)
    },
  }
  const report = await judge({ target: directTarget(mock) }, () => client)
  return { report, sent }
}

it('a byte order mark before every answer breaks the rule about JSON, and shows no other API', async () => {
  const { report } = await judgeTwisted(answer => ({ ...answer, text: `\ufeff${answer.text}` }))
  const broken = report.rules.filter(({ id }) => id === 'service/answers-are-json')
  expect(broken.map(({ form, outcome }) => `${form} ${outcome}`)).toEqual(
    ['cloud', 'managed', 'selfHosted'].map(form => `${form} broken`),
  )
  expect(report.ended).toBeUndefined()
  expect(JSON.stringify(report)).not.toMatch(/leads? to something else|leads? elsewhere/)
})

const replaceSuccesses = (json: string) => (answer: Incoming) =>
  answer.status < 300 && answer.text ? { ...answer, text: json } : answer

/** Whether an error says that a creation was answered with a foreign object, one that was there before. */
const isForeignObject = (sentence: string) => sentence.includes('which was there before: this run did not create it')

/** Lists that a bad target answers with JSON: without JSON, the run would take it for a server of another API. */
const isListOfApi = ({ url = '' }: { readonly url?: string }) => /\/(?:organizations|webhooks)$/.test(url)

describe('a target that answers everything with nonsense', () => {
  it.each(clients)(
    'is reported as a server of another API when every answer is HTML (client: %s)',
    async (_, createClient) => {
      const bad = await startHttpTarget((_, response) => {
        response.setHeader('content-type', 'text/html')
        response.end('<!doctype html><title>Welcome</title>')
      })
      const report = await judge(bad, createClient)
      expectFailure(
        report,
        /^\S+ \(\w+\): http:\/\/127\.0\.0\.1:\d+ leads to something else: .* \(200, text\/html, to GET \S+\): check \w+\.baseUrl$/,
      )
      expect(exitStatus(report)).toBe(2)
      expect(report.requests).toBeLessThan(12)
    },
  )

  it.each(clients)('breaks rules when it answers 200 with HTML (client: %s)', async (_, createClient) => {
    const bad = await startHttpTarget((request, response) => {
      if (isListOfApi(request)) return void response.end('[]')
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><title>Welcome</title>')
    })
    const report = await judge(bad, createClient)
    expect(outcomesOf(report, 'errored')).toEqual([])
    expect(outcomesOf(report, 'broken').join('\n')).toMatch(
      /service\/answers-are-json \(cloud\): expected a body that is JSON, got "<!doctype html>/,
    )
    expect(exitStatus(report)).toBe(1)
  })

  it.each(clients)('breaks rules when it sends bytes that are not UTF-8 (client: %s)', async (_, createClient) => {
    const bad = await startHttpTarget((request, response) =>
      response.end(isListOfApi(request) ? '[]' : Buffer.from([0xff, 0xfe, 0x7b, 0x7d, 0xc3])),
    )
    const report = await judge(bad, createClient)
    expect(outcomesOf(report, 'broken').join('\n')).toContain('service/answers-are-json')
  })

  it.each(clients)(
    'does not pass the rule on the status when its content-length is too short (client: %s)',
    async (_, createClient) => {
      const bad = await startSocketTarget(socket => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}{}{}'))
      const report = await judge(bad, createClient)
      expect(report.requests).toBeGreaterThan(3)
      expect(outcomesOf(report, 'held')).not.toContain('envelope/status-equals-http (cloud): ')
    },
  )

  it.each([
    ['null', 'null'],
    ['a number', '0'],
    ['a string', '"ok"'],
    ['an empty object', '{}'],
    ['an array of arrays', '[[[]]]'],
    ['an envelope of nulls', '{"status":null,"requestId":null,"result":null,"data":null}'],
    [
      'an object with the names of a prototype',
      '{"__proto__":{"id":"1","status":200},"constructor":{"prototype":{"id":"1"}}}',
    ],
    [
      'a list with malformed members',
      '{"status":200,"result":[null,1,"a",[],{"userId":{},"email":[],"role":{"__proto__":[]}}]}',
    ],
    [
      'an object with the names of methods',
      '{"result":{"toString":1,"valueOf":1,"hasOwnProperty":1,"length":-1,"id":{}}}',
    ],
  ])('is judged without errors when the body of every success is %s', async (_, json) => {
    const { report } = await judgeTwisted(replaceSuccesses(json))
    expect(outcomesOf(report, 'errored')).toEqual([])
    expect(outcomesOf(report, 'broken').length).toBeGreaterThan(0)
    expect(Object.hasOwn(Object.prototype, 'id')).toBe(false)
  })

  it('breaks rules when its answers change from one request to the next', async () => {
    const answers = ['[]', '{"status":200,"result":[]}', 'no', '{"data":{"id":1}}', '', '{"data":{"id":"a"}}']
    const { report } = await judgeTwisted((answer, _, count) => ({
      ...answer,
      status: [200, 404, 500, 201, 204, 400][(count * 7) % 6]!,
      text: answers[count % 6]!,
    }))
    expect(outcomesOf(report, 'errored').filter(sentence => !isForeignObject(sentence))).toEqual([])
    expect(outcomesOf(report, 'broken').length).toBeGreaterThan(10)
  })
})

/** The paths that a run may delete, also those of webhooks and charts in the managed form, which the contract lacks. */
const deletable = Object.values<Operation>(operations)
  .filter(({ method }) => method === 'DELETE')
  .flatMap(({ paths }) => Object.values(paths))
  .flatMap(path => [path, path.replace('/dashboards/', '/webhooks/'), path.replace('/dashboards/', '/charts/')])
  .map(path => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/?#]{1,600}')}$`))

const hostileIds: readonly unknown[] = [
  '../../',
  '..',
  '.',
  '%2e%2e',
  '?all=true',
  '#',
  'a\r\nx-a: b',
  '\ud800',
  17,
  '',
  'a'.repeat(1_000_000),
  { $ne: null },
]

describe('hostile ids in answers to creations', () => {
  it.each([0, 4, 8])('never change the host or the path of a request (first id: number %i)', async first => {
    let next = first
    const { report, sent } = await judgeTwisted((answer, request) =>
      request.method === 'POST' && answer.status < 300
        ? {
            ...answer,
            text: answer.text.replace(
              /"id":"[^"]*"/g,
              `"id":${JSON.stringify(hostileIds[next++ % hostileIds.length])}`,
            ),
          }
        : answer,
    )
    expect(next).toBeGreaterThan(first + hostileIds.length)
    expect(outcomesOf(report, 'errored').filter(sentence => !isForeignObject(sentence))).toEqual([])
    for (const { baseUrl, path, method } of sent) {
      const url = new URL(baseUrl + path)
      expect(url.pathname + url.search).toBe(path)
      if (method === 'DELETE' && !path.endsWith('charts/series'))
        expect(
          deletable.some(pattern => pattern.test(path)),
          path,
        ).toBe(true)
    }
  })

  it('never make the run delete an object that it did not create', async () => {
    const mock = createMock()
    const { selfHosted } = directTarget(mock)
    const direct = createDirectClient(mock)
    const listDashboards = async () => {
      const headers = { authorization: `Bearer ${selfHosted!.apiKey}` }
      const { text } = await direct.send({ ...selfHosted!, method: 'GET', path: '/api/v2/dashboards', headers })
      return (JSON.parse(text).data as { id: string }[]).map(({ id }) => id)
    }
    const [first] = await listDashboards()
    // Answers each creation with a dashboard that existed before.
    const client: Client = {
      ...direct,
      send: async request => {
        const answer = await direct.send(request)
        return request.method === 'POST' && answer.status < 300
          ? { ...answer, text: JSON.stringify({ data: [{ id: first, name: 'theirs' }] }) }
          : answer
      },
    }
    await judge({ target: directTarget(mock) }, () => client)
    expect(await listDashboards()).toContain(first)
  })
})

describe('a target that echoes the credentials', () => {
  it('has them redacted in the report, wherever they stand in an answer', async () => {
    const all = Object.values(secrets)
    const bad = await startHttpTarget((request, response) => {
      const echo = [request.headers.authorization, ...all]
      const text = JSON.stringify(echo)
      for (const [index, secret] of all.entries()) response.setHeader(`x-${secret}`, echo[index] ?? '')
      response.setHeader('set-cookie', all)
      response.statusCode = request.url?.includes('not-') ? 400 : 200
      const bucket = { bucketProvider: all[0], [all[1]!]: text }
      const members = all.map(secret => ({ userId: secret, role: 'x'.repeat(100) + secret, [secret]: secret }))
      const list = request.url?.endsWith('members')
      response.end(
        JSON.stringify({
          status: all[2],
          requestId: `${'x'.repeat(105)}${all[0]}`,
          error: text,
          id: all[2],
          result: list ? members : { id: all[3], bucket, [all[2]!]: all[2] },
          [all[1]!]: all[1],
        }),
      )
    })
    const report = await judge({ target: targetAt(bad.baseUrl) })
    expect(outcomesOf(report, 'broken').join('\n')).toContain('[redacted]')
  })
})
