import type { MockOptions } from '../mock/mock.ts'
import { openCloud } from './open-cloud.ts'

/** What a service is created with, at least. */
export const wanted = { name: 'warehouse', provider: 'aws', region: 'us-east-1' }

/** An open cloud with a service that a call created, and what is asked of it below its path. */
export async function openWithService(more: object = {}, options: MockOptions = {}) {
  const cloud = openCloud(options)
  const { result: created } = await cloud.send('POST', '/services', { ...wanted, ...more })
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
