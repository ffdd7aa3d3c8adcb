import { readTarget } from '../about.ts'
import { ask, Declined, listRecords, type Named, recordAddress } from '../control.ts'
import { selfHosted } from '../telemetry/stacks.ts'
import { errorsByService } from './help.ts'
import { callApi } from './operations.ts'

/** What a watch is called: a dashboard with one tile, an alert on it, and a webhook that leads back to this console. */
const name = 'Incident watch'
const template =
  '{"title": "{{title}}", "state": "{{state}}", "body": "{{body}}", "link": "{{link}}", "eventId": "{{eventId}}"}'

/** The one among records of a kind that belongs to the watch. */
export const ofWatch = <T extends Named>(records: readonly T[]): T | undefined => records.find(one => one.name === name)
const find = async <T extends Named>(kind: string) => ofWatch(await listRecords<T>(kind, selfHosted))

/** Makes what is missing of the watch: over the API what it can make, and else by arranging it. */
export async function makeWatch(): Promise<void> {
  const webhook = (await find('webhooks')) ?? (await makeWebhook())
  const dashboard = (await find<Board>('dashboards')) ?? (await makeDashboard())
  if (!(await find('alerts'))) await makeAlert(dashboard, webhook.id)
}

/** Deletes the watch, the alert first: it refers to the others. */
export async function removeWatch(): Promise<void> {
  for (const kind of ['alerts', 'dashboards']) {
    const found = await find(kind)
    if (found) await callApi('selfHosted', 'DELETE', `/api/v2/${kind}/${found.id}`)
  }
  const webhook = await find('webhooks')
  if (webhook) await ask('DELETE', recordAddress('webhooks', selfHosted, webhook.id))
}

async function makeWebhook(): Promise<Named> {
  const { control } = await readTarget()
  const url = `${control!.baseUrl}/control/received/incident-watch`
  return ask('POST', recordAddress('webhooks', selfHosted), { name, service: 'generic', url, body: template })
}

interface Board extends Named {
  readonly tiles: readonly { readonly id: string }[]
}

async function makeDashboard(): Promise<Board> {
  const sources = await listRecords<Named & { readonly kind: string }>('sources', selfHosted)
  const logs = sources.find(({ kind }) => kind === 'log')
  if (!logs) throw new Declined('The self-hosted stack has no source of logs, so there is nothing to watch.')
  const tile = { ...errorsByService(logs.id), w: 24, h: 6 }
  const body = { name, tiles: [tile], tags: ['incident'] }
  return callApi('selfHosted', 'POST', '/api/v2/dashboards', body) as Promise<Board>
}

function makeAlert({ id, tiles }: Board, webhookId: string): Promise<unknown> {
  return callApi('selfHosted', 'POST', '/api/v2/alerts', {
    name,
    dashboardId: id,
    tileId: tiles[0]!.id,
    source: 'tile',
    channel: { type: 'webhook', webhookId },
    threshold: 2,
    thresholdType: 'above',
    interval: '5m',
    message: '{{value}} errors of {{group}} in five minutes.',
  })
}
