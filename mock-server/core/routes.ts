import { type Form, type Operation, operations } from '../../fixtures/contract/index.ts'
import type { Taken } from '../gaps/choices.ts'
import type { Edition } from '../words/edition.ts'

/** A method and a path that the mock answers. */
export interface Route {
  readonly form: Form
  /** The id of the contract's operation, or the name of one that the specification does not list. */
  readonly operation: string
  readonly method: string
  readonly path: string
}

const selfHosted = (operation: string, method: string, path: string): Route => ({
  form: 'selfHosted',
  operation,
  method,
  path,
})

/** What deployments answer beside the operations of the specification. */
const besides: readonly Route[] = [
  selfHosted('service.root', 'GET', '/api/v2'),
  selfHosted('service.health', 'GET', '/health'),
]

const whole = (resource: string) => [
  selfHosted(`${resource}.list`, 'GET', `/api/v2/${resource}`),
  selfHosted(`${resource}.create`, 'POST', `/api/v2/${resource}`),
  selfHosted(`${resource}.get`, 'GET', `/api/v2/${resource}/{id}`),
  selfHosted(`${resource}.update`, 'PUT', `/api/v2/${resource}/{id}`),
  selfHosted(`${resource}.delete`, 'DELETE', `/api/v2/${resource}/{id}`),
]

/** What the newer edition adds. */
const newer: readonly Route[] = [
  selfHosted('dashboards.validate', 'POST', '/api/v2/dashboards/validate'),
  ...whole('sources').slice(1),
  ...whole('webhooks').filter(({ operation }) => operation !== 'webhooks.list' && operation !== 'webhooks.get'),
  ...whole('connections'),
]

/** The routes of one listener, with the methods and the segment that are in force. */
export function listRoutes(host: 'cloud' | 'selfHosted', taken: Taken, segment: string): readonly Route[] {
  const forms: readonly Form[] = host === 'cloud' ? ['cloud', 'managed'] : ['selfHosted']
  const stated = Object.entries(operations as Record<string, Operation>).flatMap(([id, operation]) =>
    forms.flatMap(form => {
      const path = operation.paths[form]
      if (path === undefined) return []
      const method = taken[form][`${id.split('.')[0]}/update-method`]
      return {
        form,
        operation: id,
        method: (operation.method === 'PUT' && method) || operation.method,
        path: path.replace('{segment}', segment),
      }
    }),
  )
  if (host === 'cloud') {
    const description: Route = { form: 'cloud', operation: 'service.description', method: 'GET', path: '/v1' }
    return taken.cloud['version/description'] === 'served' ? [...stated, description] : stated
  }
  return [...stated, ...besides, ...(editionOf(taken, 'selfHosted') === '2.36' ? newer : [])]
}

export const editionOf = (taken: Taken, form: 'managed' | 'selfHosted') =>
  taken[form]['version/self-hosted-edition'] as Edition
