import { describe, expect, it } from 'vitest'
import { createMock, type Mock } from '../../../mock-server/index.ts'
import type { Client, Incoming } from '../../engine/clients/client.ts'
import { createLedger } from '../../engine/ledger.ts'
import { exitStatus } from '../../report/exit-status.ts'
import { verify } from '../../run/verify.ts'
import { createDirectClient, directTarget } from '../direct-client.ts'

/** A deployment may answer a creation with an object of somebody else: because of an upsert, a cache or a gateway. */

type Thing = Record<string, unknown> & { id: string; name: string }
type Resource = 'alert' | 'dashboard'

/** Changes the answer to a creation; `made` is the created object, `before` is one that existed before the run. */
type ChangeAnswer = (answer: Incoming, made: Thing, before: Thing) => Incoming

const withBody = (answer: Incoming, data: unknown): Incoming => ({ ...answer, text: JSON.stringify({ data }) })

/** A target file that names no dashboard, so that the run knows existing ones only from lists. */
function selfHostedTarget(mock: Mock) {
  const { name, selfHosted, control } = directTarget(mock)
  const { dashboardId, tileId, ...references } = selfHosted!.references!
  return { name, control, selfHosted: { ...selfHosted!, references } }
}

async function run(resource: Resource, changeAnswer: ChangeAnswer, only: { rules?: string[] } = {}) {
  const mock = createMock({})
  const target = selfHostedTarget(mock)
  const direct = createDirectClient(mock)
  const headers = { authorization: `Bearer ${target.selfHosted.apiKey}` }
  const list = async (): Promise<Thing[]> => {
    const path = `/api/v2/${resource}s`
    const { text } = await direct.send({ baseUrl: target.selfHosted.baseUrl, method: 'GET', path, headers })
    // Alerts are evaluated while the run moves the clock.
    return JSON.parse(text).data.map(({ state, updatedAt, executionErrors, ...sent }: Thing) => sent)
  }
  const before = await list()
  const sent: string[] = []
  const client: Client = {
    async send(request) {
      sent.push(`${request.method} ${request.path}`)
      const answer = await direct.send(request)
      const isCreation = request.method === 'POST' && request.path === `/api/v2/${resource}s` && answer.status < 300
      return isCreation ? changeAnswer(answer, JSON.parse(answer.text).data, before[0]!) : answer
    },
  }
  const lines: string[] = []
  const ledger = createLedger(line => lines.push(line))
  const report = await verify({ target, client, ledger, ...only })
  const writes = sent.filter(line => before.some(({ id }) => line.endsWith(`/${id}`)) && !line.startsWith('GET'))
  return { report, writes, before, after: await list(), ledger: lines.join('') }
}

const foreignAnswers: [string, ChangeAnswer][] = [
  ['the record of somebody else', (answer, _, before) => withBody(answer, before)],
  ['the name that was sent, and the id of somebody else', (answer, made, { id }) => withBody(answer, { ...made, id })],
  ['the id of somebody else alone', (answer, _, { id }) => withBody(answer, { id })],
  ['a list of the record of somebody else', (answer, _, before) => withBody(answer, [before])],
  [
    'the place of somebody else',
    (answer, _, { id }) => ({ ...answer, headers: { ...answer.headers, location: `/things/${id}` }, text: '' }),
  ],
]

describe.each(['dashboard', 'alert'] as const)('a creation of a %s', resource => {
  it.each(foreignAnswers)(
    'that is answered with %s updates and deletes no object of somebody else',
    async (_, changeAnswer) => {
      const { report, writes, before, after, ledger } = await run(resource, changeAnswer)
      expect(writes).toEqual([])
      expect(after).toEqual(before)
      expect(createLedger(undefined, ledger).left()).toEqual([])
      const errored = report.rules.filter(({ outcome }) => outcome === 'errored').map(({ detail }) => detail)
      expect(errored).toContainEqual(
        expect.stringMatching(
          new RegExp(
            `^POST /api/v2/${resource}s was answered with the ${resource} "${before[0]!.id}", which .*: this run did not create it, and neither updates nor deletes it$`,
          ),
        ),
      )
      expect(exitStatus({ ...report, failOn: 'documented' })).not.toBe(0)
    },
  )

  it.each(foreignAnswers)(
    'that is answered with %s changes no object of somebody else when one rule alone is verified',
    async (_, changeAnswer) => {
      const rule = resource === 'alert' ? 'alert/create-accepts-the-sample' : 'dashboard/create-answers'
      const { writes, before, after } = await run(resource, changeAnswer, { rules: [rule] })
      expect(writes).toEqual([])
      expect(after).toEqual(expect.arrayContaining(before))
    },
  )

  it('that is answered with the id alone creates an object that the run still deletes', async () => {
    const { report, before, after } = await run(resource, (answer, { id }) => withBody(answer, { id }))
    expect(after).toEqual(before)
    expect(report.rules.find(({ id }) => id === `${resource}/delete-answers`)?.outcome).toBe('held')
  })
})
