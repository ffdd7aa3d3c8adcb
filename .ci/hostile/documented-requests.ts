import { type Operation, operations } from '../../fixtures/contract/index.ts'
import { createMock, type TargetFile } from '../../mock-server/core/mock.ts'
import { describe } from '../../mock-server/core/openapi/openapi.ts'
import type { State } from '../../mock-server/core/state.ts'
import type { SampleRequest } from './sample-requests.ts'

type Records = Readonly<Record<string, unknown>>[]

/**
 * A request for every operation of the cloud API: with ids of the world of the target, whose seed is 1, and the bodies that
 * the description shows. What the world has none of is asked for by an id that nobody has.
 */
export function documentedRequests(target: TargetFile, authorization: string): readonly SampleRequest[] {
  const { paths } = describe('cloud') as { paths: Record<string, Record<string, Described>> }
  const { records } = createMock({ seed: 1 }).state() as State
  const { organizationId, serviceId, backupId, observabilitySegment } = target.cloud!
  const known: Record<string, string | undefined> = { organizationId, serviceId, backupId }
  const idOf = (name: string): string => {
    const [resource = ''] = Object.entries<Operation>(operations)
      .filter(([id, { paths }]) => id.endsWith('.get') && paths.cloud?.endsWith(`{${name}}`))
      .map(([id]) => id.split('.')[0]!)
    const [first] = (Object.values(records[resource] ?? {}) as Records[]).flat()
    return String(first?.[name] ?? first?.id ?? '00000000-0000-4000-8000-000000000000')
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({
      listener: 'cloud' as const,
      authorization,
      method: method.toUpperCase(),
      path: path
        .replace('{segment}', observabilitySegment)
        .replace(/\{(\w+)\}/g, (_, name: string) => (known[name] ??= idOf(name))),
      body: requestBody?.content['application/json']?.example,
    })),
  )
}

interface Described {
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> }
}
