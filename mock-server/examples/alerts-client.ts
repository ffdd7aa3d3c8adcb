import type { Alert, AlertBody, Answer, Body, Operations, Params, Refused } from 'stack-parity/types'

/** The address and the credentials of a deployment. `fetch` is replaceable, so that tests need no network. */
export interface Deployment {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch?: typeof globalThis.fetch
}

/** Creates an alert, unless there is one with its name. */
export async function ensureAlert(deployment: Deployment, alert: AlertBody): Promise<Alert> {
  const { data: alerts } = await call(deployment, 'GET /api/v2/alerts', {}, undefined)
  const existing = alerts.find(({ name }) => name === alert.name)
  return existing ?? (await call(deployment, 'POST /api/v2/alerts', {}, alert)).data
}

/** The names of the firing alerts. */
export async function listFiring(deployment: Deployment): Promise<readonly string[]> {
  const { data: alerts } = await call(deployment, 'GET /api/v2/alerts', {}, undefined)
  return alerts.filter(({ state }) => state === 'ALERT').map(({ id, name }) => name ?? id)
}

/** Deletes an alert. */
export async function deleteAlert(deployment: Deployment, id: string): Promise<void> {
  await call(deployment, 'DELETE /api/v2/alerts/{id}', { id }, undefined)
}

async function call<Name extends keyof Operations>(
  { baseUrl, apiKey, fetch = globalThis.fetch }: Deployment,
  operation: Name,
  params: Params<Name>,
  body: Body<Name>,
): Promise<Answer<Name>> {
  const [method, path] = operation.split(' ') as [string, string]
  const address = baseUrl + path.replace(/\{(\w+)\}/g, (_, name) => params[name as keyof typeof params] as string)
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const response = await fetch(address, { method, headers, body: body && JSON.stringify(body) })
  if (response.ok) return response.json()
  const refusal: Refused<Name> = await response.json()
  throw new Error(`${operation}: ${'message' in refusal ? refusal.message : refusal.error}`)
}
