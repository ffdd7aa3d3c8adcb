import { parseJson } from '../exchange.ts'
import { isObject } from '../recognise.ts'
import type { Client, Incoming, Outgoing } from './client.ts'

/** A request that a run would send; its path names what is not known yet in braces. */
export type Planned = Pick<Outgoing, 'method' | 'path' | 'body'>

/**
 * A client that sends nothing: it writes the requests down and answers as a deployment would, with placeholders for ids, so
 * that the requests which are made from answers are planned too. It keeps what is created until it is deleted.
 */
export function createPlanningClient(planned: Planned[] = []): Client & { readonly planned: readonly Planned[] } {
  let created = 0
  /** What was created, by its path. */
  const kept = new Map<string, object>()
  const gone = new Set<string>()
  const answer = ({ method, path, body, headers }: Outgoing): Incoming => {
    const resource =
      /\/(dashboards|alerts|sources|webhooks|members|backups)\b/.exec(path)?.[1]?.replace(/s$/, '') ?? 'thing'
    const say = (data: unknown, status = 200) => ({
      status,
      headers: {},
      text: JSON.stringify({ status, result: data, data }),
    })
    const sent = parseJson(body ?? '')
    if (method === 'POST') {
      if (headers['content-type'] !== 'application/json' || sent === undefined) return say({}, 400)
      const id = `{${resource} ${++created}}`
      const object = { ...(isObject(sent) ? sent : {}), id, tiles: [{ id: '{tile}' }] }
      kept.set(`${path}/${encodeURIComponent(id)}`, object)
      return say(object)
    }
    if (gone.has(path)) return say({}, 404)
    if (method === 'DELETE') {
      if (kept.delete(path)) gone.add(path)
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
