import { readTarget } from '../about.ts'
import { ask, readRecords, recordAddress } from '../ask.ts'
import { errorsByService } from '../change/choices.ts'
import { callApi } from '../change/operations.ts'

interface Named {
  readonly id: string
  readonly name?: string | null
}

/** What watches an incident: a dashboard with one tile, an alert on it, and a webhook that leads back to this console. */
export interface Watch {
  readonly dashboardId: string
  readonly alertId: string
}

const name = 'Incident watch'
const template =
  '{"title": "{{title}}", "state": "{{state}}", "body": "{{body}}", "link": "{{link}}", "eventId": "{{eventId}}"}'

const list = async <T extends Named>(kind: string, stack: string): Promise<readonly T[]> =>
  (await readRecords<{ readonly records: readonly T[] }>(kind, stack, { limit: '1000' })).records
const ours = <T extends Named>(records: readonly T[]): T | undefined => records.find(one => one.name === name)

/** Finds the watch that was made before, if all of it is still there. */
export async function findWatch(stack: string): Promise<Watch | undefined> {
  const [dashboard, alert] = [ours(await list('dashboards', stack)), ours(await list('alerts', stack))]
  return dashboard && alert && { dashboardId: dashboard.id, alertId: alert.id }
}

/** Makes what is missing of the watch: over the API what it can make, and else by arranging it. */
export async function makeWatch(stack: string): Promise<Watch> {
  const webhook = ours(await list('webhooks', stack)) ?? (await makeWebhook(stack))
  const dashboard = ours(await list<Named & Board>('dashboards', stack)) ?? (await makeDashboard(stack))
  const alert = ours(await list('alerts', stack)) ?? (await makeAlert(dashboard, webhook.id))
  return { dashboardId: dashboard.id, alertId: alert.id }
}

/** Deletes the watch, the alert first: it refers to the others. */
export async function removeWatch(stack: string): Promise<void> {
  for (const kind of ['alerts', 'dashboards']) {
    const found = ours(await list(kind, stack))
    if (found) await callApi('selfHosted', 'DELETE', `/api/v2/${kind}/${found.id}`)
  }
  const webhook = ours(await list('webhooks', stack))
  if (webhook) await ask('DELETE', recordAddress('webhooks', stack, webhook.id))
}

async function makeWebhook(stack: string): Promise<Named> {
  const { control } = await readTarget()
  const url = `${control!.baseUrl}/control/received/incident-watch`
  return ask('POST', recordAddress('webhooks', stack), { name, service: 'generic', url, body: template })
}

interface Board {
  readonly tiles: readonly { readonly id: string }[]
}

async function makeDashboard(stack: string): Promise<Named & Board> {
  const sources = await list<Named & { readonly kind: string }>('sources', stack)
  const logs = sources.find(({ kind }) => kind === 'log')
  if (!logs) throw new Error('The self-hosted stack has no source of logs, so there is nothing to watch.')
  const tile = { ...errorsByService(logs.id), w: 24, h: 6 }
  const body = { name, tiles: [tile], tags: ['incident'] }
  return callApi('selfHosted', 'POST', '/api/v2/dashboards', body) as Promise<Named & Board>
}

function makeAlert({ id, tiles }: Named & Board, webhookId: string): Promise<Named> {
  return callApi('selfHosted', 'POST', '/api/v2/alerts', {
    ...{ name, dashboardId: id, tileId: tiles[0]!.id, source: 'tile', channel: { type: 'webhook', webhookId } },
    ...{ threshold: 2, thresholdType: 'above', interval: '5m' },
    message: '{{value}} errors of {{group}} in five minutes.',
  }) as Promise<Named>
}
