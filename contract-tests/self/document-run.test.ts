import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock-server/index.ts'
import type { Client, Outgoing } from '../engine/clients/client.ts'
import { createLedger } from '../engine/ledger.ts'
import { cleanUp } from '../run/clean-up.ts'
import { layDocument } from '../run/document/lay-document.ts'
import { sendSteps } from '../run/send-steps.ts'
import { stepsOf } from '../run/steps.ts'
import { type VerifyOptions, verify } from '../run/verify.ts'
import { createFolder, runCommand } from './command/run-command.ts'
import { createDirectClient, directTarget } from './direct-client.ts'
import { startRemote } from './start-remote.ts'

/** A run that judges by a vendor's newer document: what it sends of operations that only the document has, and judges. */

// biome-ignore lint/suspicious/noExplicitAny: the test knows the document.
type Document = any

const service = '/v1/organizations/{organizationId}/services/{serviceId}'

/**
 * The description of the mock with new resources: pipelines of a service, notes of a service, which cannot be deleted, and
 * labels of the organization; a read and an action; keys with a new field that each must have, without another; and saved
 * queries, which cannot be deleted any more. Organizations, their infrastructure, quotas and alerts lack something, too.
 */
function writeNewer(): Document {
  const document: Document = JSON.parse(JSON.stringify(createMock({ as: 'clickhouse-cloud' }).describe('cloud')))
  const { paths, components } = document
  const answer = (schema: object) => {
    const properties = { status: { type: 'number' }, requestId: { type: 'string' }, result: schema }
    return { 200: { description: 'Success.', content: { 'application/json': { schema: { properties } } } } }
  }
  const addResource = (place: string, word: string, withDeletion = true) => {
    const retries = { type: 'integer', minimum: 0, maximum: 9 }
    const name = { type: 'string', minLength: 1, maxLength: 20 }
    const mode = { type: 'string', enum: ['fast', 'safe'] }
    const item = {
      type: 'object',
      required: ['id', 'name', 'mode'],
      properties: { id: { type: 'string', format: 'uuid' }, name, retries, mode },
    }
    const send = (required: readonly string[]) => ({
      content: { 'application/json': { schema: { type: 'object', required, properties: { name, retries, mode } } } },
    })
    paths[`${place}/${word}`] = {
      get: { responses: answer({ type: 'array', items: item }) },
      post: { requestBody: send(['name', 'mode']), responses: answer(item) },
    }
    paths[`${place}/${word}/{id}`] = {
      get: { responses: answer(item) },
      patch: { requestBody: send([]), responses: answer(item) },
      ...(withDeletion && { delete: { responses: { 200: { description: 'Success.' } } } }),
    }
  }
  addResource(service, 'pipelines')
  const result = { type: 'object', required: ['sky'], properties: { sky: { type: 'string', enum: ['clear', 'grey'] } } }
  paths[`${service}/weather`] = { get: { responses: answer(result) } }
  paths[`${service}/pipelines/{id}/run`] = { post: { responses: answer(result) } }
  addResource(service, 'notes', false)
  addResource('/v1/organizations/{organizationId}', 'labels')
  const team = { type: 'string', enum: ['ops', 'dev'] }
  const { schemas } = components
  for (const name of ['KeyBody', 'KeyChange', 'Key']) schemas[name].properties.team = team
  schemas.CreatedKey.properties.key.properties.team = team
  schemas.KeyBody.required.push('team')
  delete schemas.KeyBody.properties.expireAt
  delete schemas.Organization.properties.byocConfig.items.properties.accountId
  delete schemas.ByocInfrastructureChange.properties.enablePrivateLink
  schemas.Quota.properties.quotaCode.enum.splice(2, 1)
  const alerts = paths[Object.keys(paths).find(path => path.endsWith('/alerts'))!].get
  alerts.parameters = alerts.parameters.filter(({ name }: { name: string }) => name !== 'limit' && name !== 'offset')
  delete paths[Object.keys(paths).find(path => path.includes('/saved-queries/'))!].delete
  return document
}

const document = writeNewer()
const contract = layDocument(document)
const newRules = ['pipeline/', 'note/', 'label/']
const allEffects = ['disrupts', 'costs', 'notifies', 'grants'] as const
const isOfDocument = ({ path }: Outgoing) => /\/(?:pipelines|notes|labels)(?:\/|\?|$)/.test(path)
const isWrite = ({ method }: Outgoing) => !['GET', 'HEAD'].includes(method)

describe('beyond a mock of ours', () => {
  const runRemote = async (allowEffects: VerifyOptions['allowEffects'], refuses?: (request: Outgoing) => boolean) => {
    const remote = startRemote(createMock({ document }))
    const ledger = createLedger()
    const client: Client = {
      wait: remote.wait,
      send: async request =>
        refuses?.(request) ? { status: 403, headers: {}, text: '{}' } : remote.client.send(request),
    }
    const report = await verify({
      target: remote.target,
      client,
      ledger,
      contract,
      rules: newRules,
      rate: 1e6,
      ...(allowEffects && { allowEffects }),
    })
    return { remote, ledger, report, sent: remote.sent.filter(one => isOfDocument(one) && isWrite(one)) }
  }

  it.each(allEffects)('sends no write that only a document has without --allow-effects %s', async effect => {
    const { sent, report } = await runRemote(allEffects.filter(one => one !== effect))
    expect(sent).toEqual([])
    expect(report.rules.find(({ id }) => id === 'pipeline/create-answers')?.detail).toBe(
      'pipeline.create has an unknown effect, since only the document has it: all four --allow-effects allow it',
    )
  })

  it('sends them only below what the run created, only where the document has the deletion, and deletes all', async () => {
    const { sent, report, ledger } = await runRemote(allEffects)
    const services = ledger.entries().flatMap(({ resource, id }) => (resource === 'service' && id ? [id] : []))
    expect(sent.length).toBeGreaterThan(10)
    for (const { path } of sent) expect(services).toContain(/\/services\/([^/]+)\/pipelines(?:\/|$)/.exec(path)?.[1])
    expect(sent.filter(({ path }) => path.endsWith('/run'))).toEqual([])
    expect(ledger.left()).toEqual([])
    expect(ledger.entries().filter(({ resource }) => `${resource}` === 'pipeline').length).toBeGreaterThan(2)
    const why = (rule: string) => report.rules.find(({ id }) => id === rule)?.detail
    expect(why('note/create-answers')).toContain('which no deletion takes back')
    expect(why('label/create-answers')).toContain('is sent only below what the run created')
    expect(report.rules.find(({ id }) => id === 'pipeline/created-is-got')?.outcome).toBe('held')
  })

  it('records them so that a later clean-up without the document deletes them', async () => {
    const { ledger, remote } = await runRemote(allEffects, ({ method }) => method === 'DELETE')
    const left = () => ledger.left().filter(({ resource }) => `${resource}` === 'pipeline')
    expect(left().length).toBeGreaterThan(2)
    const now = { target: remote.target, client: { wait: remote.wait, send: remote.client.send }, ledger, rate: 1e6 }
    const sweeping = await sendSteps({ ...now, steps: [], runMark: 'sweep', now: 0, readOnly: false })
    await cleanUp(remote.target, ledger, sweeping)
    expect(left()).toEqual([])
  })

  it('sends none of them where no service could be created', async () => {
    const { sent } = await runRemote(allEffects, ({ method, path }) => method === 'POST' && path.endsWith('/services'))
    expect(sent).toEqual([])
  })
})

describe('the plan', () => {
  it('marks the writes that only the document has, and says why the others are not sent', async () => {
    const folder = createFolder()
    const { target } = startRemote(createMock({ document }))
    const given = [
      ...['--target', folder.write('target.json', { ...target, control: undefined })],
      ...['--known-broken', folder.write('broken.txt', 'pipeline/get-answers\n')],
      ...['--document', folder.write('newer.json', document), '--rule', 'pipeline/', '--rule', 'note/create'],
    ]
    const effects = allEffects.flatMap(effect => ['--allow-effects', effect])
    const { stdout } = await runCommand('verify', '--plan', ...given, ...effects)
    const marked = stdout.split('\n').filter(line => line.endsWith('(unknown effect)'))
    expect(marked).toContain('        cloud:pipeline.create-main: creates a pipeline (unknown effect)')
    expect(marked.every(line => line.includes('pipeline'))).toBe(true)
    expect(stdout).toContain(
      'note.create has an unknown effect, which no deletion takes back, so it is sent on a mock only',
    )
    expect((await runCommand('verify', '--plan', ...given)).stdout).not.toContain('(unknown effect)')
  })
})

describe('on a mock with the document', () => {
  type Change = (value: unknown, name: string, request: Outgoing) => unknown
  const run = async (rules: readonly string[], change: Change = value => value) => {
    const mock = createMock({ document })
    const direct = createDirectClient(mock)
    const client: Client = {
      ...direct,
      async send(request) {
        const answer = await direct.send(request)
        const altered = (text: string) =>
          JSON.stringify(JSON.parse(text, (name, value) => change(value, name, request)))
        return isOfDocument(request) || /\/keys/.test(request.path) ? { ...answer, text: altered(answer.text) } : answer
      },
    }
    const report = await verify({ target: directTarget(mock), client, contract, rules })
    const outcomes = (...wanted: readonly string[]) => report.rules.filter(({ outcome }) => wanted.includes(outcome))
    return { report, outcomes }
  }

  it('creates nothing that the document cannot delete any more', async () => {
    const { report } = await run(['savedQuery/'])
    expect(report.left).toBeUndefined()
    expect(report.rules.find(({ id }) => id === 'savedQuery/created-is-got')?.detail).toBe(
      'the document does not have the deletion of what it creates',
    )
  })

  const life = ['created-is-listed', 'created-is-got', 'deleted-is-gone', 'whole-is-kept'].concat(
    ['list', 'create', 'get', 'update', 'delete'].map(verb => `${verb}-answers`),
  )

  it('holds the rules of new resources, with every field, and those of known ones with new fields', async () => {
    const { outcomes } = await run([
      ...newRules,
      'key/',
      'weather/',
      'organization/update',
      'byocInfrastructure/update',
      'page/limit',
    ])
    expect(outcomes('broken', 'errored')).toEqual([])
    const held = outcomes('held').map(({ id }) => id)
    expect(held).toEqual(
      expect.arrayContaining(['pipeline', 'label', 'key'].flatMap(one => life.map(claim => `${one}/${claim}`))),
    )
    expect(held).toEqual(
      expect.arrayContaining(['create', 'get', 'list', 'update'].map(verb => `note/${verb}-answers`)),
    )
    expect(held).toEqual(expect.arrayContaining(['weather/get-answers', 'pipeline/run-answers']))
    const steps = stepsOf('cloud', contract)
    for (const mistake of ['without a required field', 'with an unknown id', 'as none'])
      expect(steps.has(`cloud:pipeline.update ${mistake}`) || steps.has(`cloud:pipeline.create ${mistake}`)).toBe(true)
  })

  it('judges all lists beside those of new resources', async () => {
    const rules = ['list/each-record-stands-once', 'pipeline/list-answers']
    const mock = createMock({ document })
    const options = { target: directTarget(mock), client: createDirectClient(mock), contract, rules }
    const report = await verify({ ...options, readOnly: true })
    const outcomes = report.rules.map(({ id, outcome }) => `${id} ${outcome}`)
    expect([...new Set(outcomes)]).toEqual(rules.map(id => `${id} held`))
  })

  it.each([
    [
      'a new field of keys',
      'key/',
      'key/whole-is-kept',
      '$.team',
      (value, name) => (name === 'team' ? undefined : value),
    ],
    [
      'a field of a new resource',
      'pipeline/',
      'pipeline/whole-is-kept',
      '$.retries',
      (value, name) => (name === 'retries' ? undefined : value),
    ],
    [
      'what was created in the list of a new resource',
      'pipeline/',
      'pipeline/created-is-listed',
      'a list of 2 without it',
      value => (Array.isArray(value) ? value.slice(0, 2) : value),
    ],
    [
      'a required field of a new resource',
      'pipeline/',
      'pipeline/get-answers',
      '$.result.mode',
      (value, name, { method }) => (name === 'mode' && method === 'GET' ? undefined : value),
    ],
  ] satisfies readonly (readonly [string, string, string, string, Change])[])(
    'names what is broken where the deployment loses %s',
    async (_, rules, broken, detail, change) => {
      const { outcomes } = await run([rules], change)
      const verdict = outcomes('broken').find(({ id }) => id === broken)
      expect([verdict?.level, verdict?.detail]).toEqual(['documented', expect.stringContaining(detail)])
    },
  )
})
