import { type Form, type OperationId, operations } from '../../fixtures/contract/index.ts'
import type { Client } from '../engine/clients/client.ts'
import type { Exchange } from '../engine/exchange.ts'
import { createLedger } from '../engine/ledger.ts'
import { listIn } from '../engine/pages.ts'
import { idOf, type JsonObject } from '../engine/recognise.ts'
import type { Step } from '../engine/step.ts'
import { formsOf } from '../engine/target/forms-of.ts'
import type { References, TargetFile } from '../engine/target/target.ts'
import { stepOfCall } from '../visits/visit.ts'
import { sendSteps } from './send-steps.ts'

interface Discovery {
  readonly target: TargetFile
  /** Why a form was given up. */
  readonly failures: ReadonlyMap<Form, string>
  readonly requests: number
}

/** The fixed path segments that deployments of the managed form use, the specification's first. */
const segments = ['observability', 'clickstack'] as const

const lists = ['dashboard.list', 'webhook.list', 'source.list'] as const

/** Reads the lists of a deployment, by GET only, and completes the target with the ids in them. */
export async function discover(target: TargetFile, client: Client, rate?: number): Promise<Discovery> {
  const segmentsToTry = target.cloud?.observabilitySegment ? [target.cloud.observabilitySegment] : segments
  let requests = 0
  let first: Discovery | undefined
  for (const observabilitySegment of segmentsToTry) {
    const found = await readLists(
      target.cloud ? { ...target, cloud: { ...target.cloud, observabilitySegment } } : target,
      client,
      rate,
    )
    requests += found.requests
    first ??= found
    if (!found.failures.has('managed')) return { ...found, requests }
    if (found.failures.has('cloud') || !target.cloud) break
  }
  return { ...first!, requests }
}

async function readLists(target: TargetFile, client: Client, rate: number | undefined): Promise<Discovery> {
  const forms = formsOf(target)
  const steps = [
    ...(forms.includes('cloud') ? [stepFor('cloud', 'organization.list'), stepFor('cloud', 'backup.get')] : []),
    ...forms.flatMap(form => lists.filter(list => form in operations[list].paths).map(list => stepFor(form, list))),
  ]
  const {
    exchanges,
    ended: failures,
    sender,
    ...sentSteps
  } = await sendSteps({
    target,
    client,
    steps,
    looksAt: forms,
    runMark: 'init',
    now: Date.now(),
    ledger: createLedger(),
    readOnly: true,
    rate,
  })
  const { cloud, selfHosted } = sentSteps.target
  const referencesOf = (form: Form) => readReferences(name => exchanges.get(`${form}:${name}`))
  const organizations = itemsOf(exchanges.get('cloud:organization.list'), 'organization')
  const second = organizations.map(one => idOf(one, 'organization')).find(id => id !== cloud?.organizationId)
  return {
    target: {
      ...sentSteps.target,
      ...(cloud && {
        cloud: { ...cloud, ...(second && { secondOrganizationId: second }), references: referencesOf('managed') },
      }),
      ...(selfHosted && { selfHosted: { ...selfHosted, references: referencesOf('selfHosted') } }),
      ...(failures.has('managed') && !failures.has('cloud') && { notOffered: ['managed'] }),
    },
    failures,
    requests: sender.requests,
  }
}

const stepFor = (form: Form, operation: OperationId): Step =>
  stepOfCall(form, 'discovery', operation, { why: 'finds what the target file may name', values: {} })

const itemsOf = (exchange: Exchange | undefined, resource: string): readonly JsonObject[] =>
  listIn(exchange, resource) ?? []

/** The ids that an alert or a chart can refer to: of a dashboard with a tile, a webhook and sources. */
function readReferences(answerTo: (list: OperationId) => Exchange | undefined): References {
  const dashboards = itemsOf(answerTo('dashboard.list'), 'dashboard')
  const tilesOf = ({ tiles }: JsonObject) =>
    Array.isArray(tiles) ? tiles.flatMap(tile => idOf(tile, 'tile') ?? []) : []
  const dashboard = dashboards.find(one => tilesOf(one).length > 0) ?? dashboards[0]
  const webhooks = itemsOf(answerTo('webhook.list'), 'webhook')
  const sources = itemsOf(answerTo('source.list'), 'source')
  const byKind: Record<string, string> = {}
  for (const source of sources) {
    const id = idOf(source, 'source')
    if (typeof source.kind === 'string' && id) byKind[source.kind] ??= id
  }
  const found = {
    dashboardId: idOf(dashboard, 'dashboard'),
    tileId: dashboard && tilesOf(dashboard)[0],
    webhookId: idOf(webhooks.find(({ service }) => service === 'generic') ?? webhooks[0], 'webhook'),
    sourceId: byKind.log ?? idOf(sources[0], 'source'),
    ...(Object.keys(byKind).length > 0 && { sources: byKind }),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}
