import { type Form, type OperationId, operations } from '../../fixtures/built-contract/index.ts'
import type { Client, Incoming } from '../engine/clients/client.ts'
import { reasonOf } from '../engine/connection-failure.ts'
import type { Exchange } from '../engine/exchange.ts'
import { createLedger } from '../engine/ledger.ts'
import { listIn } from '../engine/pages.ts'
import { pathOf } from '../engine/paths.ts'
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

/** Why an address does not look like that of the API; undefined if it does. Sends a GET or two without credentials. */
export async function lookAtAddress({ cloud, selfHosted }: TargetFile, client: Client): Promise<string | undefined> {
  const { baseUrl } = cloud ?? selfHosted!
  // Not every deployment lists organizations, but each has the list of members.
  const members = pathOf('member.list', 'cloud', { organizationId: crypto.randomUUID() })!
  const paths = cloud ? ['/v1/organizations', members] : ['/api/v2/dashboards']
  try {
    const answers = await Promise.all(paths.map(path => client.send({ baseUrl, method: 'GET', path, headers: {} })))
    const isOfApi = ({ status, headers }: Incoming) =>
      status === 401 || status === 403 || status >= 500 || (status < 300 && headers['content-type']?.includes('json'))
    if (answers.some(isOfApi)) return undefined
    const [{ status, headers }] = answers as [Incoming]
    const type = headers['content-type'] ?? 'no media type'
    return `${baseUrl} leads to something else: nothing there asks for credentials (${status}, ${type}, to GET ${paths[0]}).`
  } catch (error) {
    return `${baseUrl} cannot be reached (${reasonOf(error)}).`
  }
}

/** Why the credentials of a form, or what they show, do not do; undefined if they do. */
export async function lookWithCredentials(target: TargetFile, client: Client): Promise<string | undefined> {
  const { ended } = await sendReads(target, client, [])
  const why = ended.get('cloud') ?? ended.get('selfHosted')
  return why && `${why}.`
}

const sendReads = (target: TargetFile, client: Client, steps: readonly Step[], rate?: number) =>
  sendSteps({
    target,
    client,
    steps,
    looksAt: formsOf(target),
    runMark: 'init',
    now: Date.now(),
    ledger: createLedger(),
    readOnly: true,
    rate,
  })

async function readLists(target: TargetFile, client: Client, rate: number | undefined): Promise<Discovery> {
  const forms = formsOf(target)
  const steps = [
    ...(forms.includes('cloud') ? [stepFor('cloud', 'organization.list'), stepFor('cloud', 'backup.get')] : []),
    ...forms.flatMap(form => lists.filter(list => form in operations[list].paths).map(list => stepFor(form, list))),
  ]
  const { exchanges, ended: failures, sender, ...sentSteps } = await sendReads(target, client, steps, rate)
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
