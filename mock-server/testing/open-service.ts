import type { MockOptions } from '../mock/mock.ts'
import { openCloud } from './open-cloud.ts'

/** The smallest body that creates a service. */
export const minimalService = { name: 'warehouse', provider: 'aws', region: 'us-east-1' }

/** The cloud form of a mock with a new service. `ask` sends calls to the path of the service, or below it. */
export async function openWithService(more: object = {}, options: MockOptions = {}) {
  const cloud = openCloud(options)
  const { result: created } = await cloud.send('POST', '/services', { ...minimalService, ...more })
  const path = `/services/${created.service.id}`
  return {
    ...cloud,
    created,
    path,
    ask: (method: string, below = '', body?: unknown) => cloud.send(method, path + below, body),
    state: async () => (await cloud.send('GET', path)).result?.state,
    command: (command: string) => cloud.send('PATCH', `${path}/state`, { command }),
  }
}
