import type { Client, Incoming, Outgoing } from './client.ts'
import { parseJson } from './exchange.ts'
import { isObject } from './recognise.ts'

/** A request that a run would send; its path names what is not known yet in braces. */
export type Planned = Pick<Outgoing, 'method' | 'path' | 'body'>

/**
 * A client that sends nothing: it writes the requests down and answers as a deployment would, with placeholders for ids, so
 * that the requests which are made from answers are planned too.
 */
export function createPlanningClient(planned: Planned[] = []): Client & { readonly planned: readonly Planned[] } {
  let created = 0
  const answer = ({ method, path, body, headers }: Outgoing): Incoming => {
    const resource =
      /\/(dashboards|alerts|sources|webhooks|members|backups)\b/.exec(path)?.[1]?.replace(/s$/, '') ?? 'thing'
    const sent = parseJson(body ?? '')
    const isJson = headers['content-type'] === 'application/json'
    if (method === 'POST' && (!isJson || sent === undefined)) return { status: 400, headers: {}, text: '{}' }
    const single = method === 'PUT' || method === 'PATCH' || /\/(?:dashboards|alerts)\/[^/]+$/.test(path)
    const object =
      method === 'POST'
        ? { ...(isObject(sent) ? sent : {}), id: `{${resource} ${++created}}`, tiles: [{ id: '{tile}' }] }
        : { id: `{${resource}}` }
    const data = method === 'POST' || single ? object : [object]
    return { status: 200, headers: {}, text: JSON.stringify({ status: 200, result: data, data }) }
  }
  return {
    planned,
    async send(request) {
      planned.push({ method: request.method, path: decodeURIComponent(request.path), body: request.body })
      return answer(request)
    },
  }
}
