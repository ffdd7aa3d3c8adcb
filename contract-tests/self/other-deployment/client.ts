import type { Client } from '../../engine/clients/client.ts'
import type { deploy } from './deployment.ts'
import { describeTarget } from './target.ts'

/** The target of a deployment that is called without a socket: nothing listens at these addresses. */
export const deploymentTarget = describeTarget('http://cloud.localhost/gateway', 'http://open.localhost')

/** Hands requests straight to a deployment, in this process. */
export function createDeploymentClient(answer: ReturnType<typeof deploy>): Client {
  return {
    // Nothing changes with time there, so waiting would be useless.
    wait: async () => {},
    async send({ baseUrl, method, path, headers, body = '' }) {
      if (path === '/control/target') return { status: 200, headers: {}, text: JSON.stringify(deploymentTarget) }
      const { pathname, search, origin } = new URL(baseUrl + path)
      const call = {
        method,
        path: pathname,
        query: search.slice(1),
        origin,
        authorization: headers.authorization,
        contentType: headers['content-type'],
        body,
      }
      const { status, headers: sent, text, json } = answer(call, baseUrl.includes('cloud') ? 'cloud' : 'selfHosted')
      const lower = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]))
      return {
        status,
        headers: lower,
        text: method === 'HEAD' ? '' : (text ?? (json === undefined ? '' : JSON.stringify(json))),
      }
    },
  }
}
