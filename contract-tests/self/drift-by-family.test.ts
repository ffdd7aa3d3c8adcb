import { describe, expect, it } from 'vitest'
import {
  type Fields,
  familyOf,
  type Operation,
  type OperationId,
  operations,
  type ResourceId,
  resources,
} from '../../fixtures/built-contract/index.ts'
import { createMock } from '../../mock-server/index.ts'
import type { Client } from '../engine/clients/client.ts'
import { patternOf } from '../engine/paths.ts'
import { type Baseline, compareBaselines } from '../run/baseline.ts'
import { examine } from '../run/verify.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

/** A read-only run with a baseline notices when a deployment removes a field from the answers of a family. */

const deployments = { cloud: 'clickhouse-cloud', selfHosted: 'self-hosted-2.36' } as const
type Deployment = keyof typeof deployments

/** Operations that only read. */
const readings = Object.entries<Operation>(operations).filter(
  ([, { method, isPublic, basis }]) => method === 'GET' && !isPublic && basis !== 'invented',
) as [OperationId, Operation][]
/** No operation lists the infrastructures of an organization, so that a run finds none to read. */
const unlisted = 'byocInfrastructure'
const families = [...new Set(readings.map(([id]) => familyOf[id]))].filter(family => family !== unlisted).sort()

function start(deployment: Deployment) {
  const mock = createMock({ as: deployments[deployment], logs: 100 })
  const { cloud, ...others } = directTarget(mock)
  const segment = cloud!.observabilitySegment ?? ''
  return {
    mock,
    segment,
    target: deployment === 'selfHosted' ? others : { name: 'mock', cloud: cloud!, control: others.control },
  }
}

/** The fields that the contract requires of what an operation answers with. */
function requiredOf({ result }: Operation): readonly string[] {
  const fields: Fields = resources[result.resource as ResourceId]?.fields ?? {}
  return Object.keys(fields).filter(name => !fields[name]!.optional)
}

/** Creates a client that removes a field from every answer of families, and a metric from a text. */
function removeField(client: Client, segment: string, families: readonly string[]): Client {
  const ofFamily = readings.filter(([id]) => families.includes(familyOf[id]))
  const isOf = ({ paths }: Operation, path: string) =>
    Object.values(paths).some(one => patternOf(one.replace('{segment}', segment)).test(path))
  return {
    ...client,
    async send(request) {
      const answer = await client.send(request)
      const path = request.path.replace(/\?.*/, '')
      const [id, operation] = ofFamily.find(([, one]) => request.method === 'GET' && isOf(one, path)) ?? []
      if (!id || !operation || answer.status !== 200) return answer
      if (operation.mediaType) return { ...answer, text: answer.text.replace(/^# HELP (\S+) [\s\S]*?(?=# HELP|$)/, '') }
      const json = JSON.parse(answer.text)
      const [holder] = [json.result, json.data, json].filter(Boolean)
      for (const one of Array.isArray(holder) ? holder : [holder]) {
        // Where the contract requires no field, a baseline counts on those that are always there.
        const names = Object.keys(one)
        delete one[requiredOf(operation).find(name => names.includes(name)) ?? names[0]!]
      }
      return { ...answer, text: JSON.stringify(json) }
    },
  }
}

const run = async ({ target }: ReturnType<typeof start>, client: Client) =>
  (await examine({ target, client, readOnly: true, readsAll: true })).observe()

describe.each(Object.keys(deployments) as Deployment[])('a field that is gone from the %s API', async deployment => {
  const started = start(deployment)
  const before: Baseline = await run(started, createDirectClient(started.mock))
  const own = families.filter(family =>
    readings.some(
      ([id, { paths }]) => familyOf[id] === family && (paths.selfHosted ? 'selfHosted' : 'cloud') === deployment,
    ),
  )
  async function driftWithout(families: readonly string[]) {
    const after = await run(started, removeField(createDirectClient(started.mock), started.segment, families))
    const drift = compareBaselines(before, after).filter(({ kind }) => kind === 'breaking')
    return drift.map(({ id }) => familyOf[id.split(' ')[1] as OperationId])
  }
  // What a run reads from a list may be lost with a field of the list: the family then has a run of its own.
  const together = await driftWithout(own)
  it.each(own)('is breaking drift of the family %s', async family => {
    expect(together.includes(family) ? together : await driftWithout([family])).toContain(family)
  })
})
