import { type Form, type GapId, gaps, operations } from '../../../fixtures/contract/index.ts'
import { authorization } from '../credentials.ts'
import { parseJson } from '../exchange.ts'
import { isObject, type JsonObject } from '../recognise.ts'
import type { TargetFile } from '../target/target.ts'
import type { Client, Incoming, Outgoing } from './client.ts'

/** A request that a run would send; its path names what is not known yet in braces. */
export type Planned = Pick<Outgoing, 'method' | 'path' | 'body'>

/** What the contract takes where the specification is silent. */
function takenBy(gap: GapId, form: Form): string | undefined {
  const { takes } = gaps[gap]
  return typeof takes === 'string' ? takes : takes[form]
}

/** The form of a path of the observability API. */
const formOf = (path: string) => (path.startsWith('/v1/') ? 'managed' : 'selfHosted')

/** What the edition that the contract takes does not have. */
const unserved = Object.values(operations).flatMap(({ method, paths, editions }) =>
  (['managed', 'selfHosted'] as const).flatMap(form => {
    const path: string | undefined = paths[form]
    if (path === undefined || !editions || editions.includes(takenBy('version/self-hosted-edition', form) ?? ''))
      return []
    return [{ method, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }]
  }),
)

/**
 * A client that sends nothing: it writes the requests down and answers as the specification has it and, where that is
 * silent, as the contract takes it, with placeholders for ids. So the requests which are made from answers are planned too,
 * and those that clean up. It keeps what is created until it is deleted.
 */
export function createPlanningClient(
  target: TargetFile,
  planned: Planned[] = [],
): Client & { readonly planned: readonly Planned[] } {
  let created = 0
  /** What was created, by its path. */
  const kept = new Map<string, JsonObject>()
  const gone = new Set<string>()
  const isGood = ({ path, headers }: Outgoing) =>
    (path.startsWith('/v1') ? (['key', 'secondKey'] as const) : (['key'] as const)).some(
      as => headers.authorization === authorization(target, path.startsWith('/v1') ? 'cloud' : 'selfHosted', as),
    )
  const remove = (path: string) => {
    if (!kept.delete(path)) return
    gone.add(path)
    const [, alerts, id] = /^(.*\/)dashboards\/([^/]+)$/.exec(path) ?? []
    if (alerts === undefined || takenBy('dashboard/delete-takes-alerts-along', formOf(path)) !== 'deleted') return
    for (const [one, { dashboardId }] of kept)
      if (one.startsWith(`${alerts}alerts/`) && dashboardId === decodeURIComponent(id!)) remove(one)
  }
  const answer = (request: Outgoing): Incoming => {
    const { method, path, body, headers } = request
    const resource =
      /\/(dashboards|alerts|sources|webhooks|members|backups)\b/.exec(path)?.[1]?.replace(/s$/, '') ?? 'thing'
    const say = (data: unknown, status = 200) => ({
      status,
      headers: {},
      text: JSON.stringify({ status, result: data, data }),
    })
    if (!isGood(request)) return say({}, 401)
    if (unserved.some(one => one.method === method && one.pattern.test(path))) return say({}, 404)
    // The managed form has no charts and no webhooks (§1).
    if (/^\/v1\/.*\/(?:charts|webhooks)\b/.test(path)) return say({}, 404)
    if (gone.has(path)) return say({}, 404)
    const sent = parseJson(body ?? '')
    if (method === 'POST') {
      if (kept.has(path)) return say({}, 405)
      if (headers['content-type'] !== 'application/json' || !isAccepted(path, sent)) return say({}, 400)
      const id = `{${resource} ${++created}}`
      const object = { ...(isObject(sent) ? sent : {}), id, tiles: [{ id: '{tile}' }] }
      if (resource === 'dashboard' || resource === 'alert') kept.set(`${path}/${encodeURIComponent(id)}`, object)
      return say(object)
    }
    if (method === 'DELETE') {
      remove(path)
      return say({})
    }
    const placeholder = { id: `{${resource}}` }
    const single = method === 'PUT' || method === 'PATCH' || /\/(?:dashboards|alerts)\/[^/]+$/.test(path)
    if (single) return say(kept.get(path) ?? placeholder)
    const parts = [...kept].filter(([one]) => one.slice(0, one.lastIndexOf('/')) === path)
    return say([placeholder, ...parts.map(([, object]) => object)])
  }
  return {
    planned,
    async send(request) {
      planned.push({ method: request.method, path: decodeURIComponent(request.path), body: request.body })
      return answer(request)
    },
  }
}

/** True for a body that can be read, has what the contract takes for required and nothing that it takes for unknown. */
function isAccepted(path: string, sent: unknown): boolean {
  if (sent === undefined) return false
  if (!isObject(sent)) return true
  const form = formOf(path)
  const required = path.endsWith('/alerts') ? takenBy('alert/required-fields', form)?.split(', ') : []
  if (required?.some(field => !(field in sent))) return false
  const isStrict = form === 'managed' && takenBy('managed/unknown-property', form) === 'refuse'
  return !(isStrict && 'stackParity' in sent)
}
