import { createExampleRequest } from '../../mock-server/faces/control/page/example-request.ts'
import { createMock, type TargetFile } from '../../mock-server/mock/mock.ts'
import type { SampleRequest } from './sample-requests.ts'

/**
 * The requests that the console would offer for all operations of the cloud API, with ids of the world of the target, whose
 * seed is 1. Where this world has no record of a kind, the request has an id that no record has.
 */
export function listDocumentedRequests(target: TargetFile, authorization: string): readonly SampleRequest[] {
  const mock = createMock({ seed: 1, segment: target.cloud!.observabilitySegment })
  const { paths } = mock.describe('cloud') as { paths: Record<string, Record<string, { operationId: string }>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => {
      const { parameters, body } = createExampleRequest(mock.deployment().world, target, operationId, mock.clock.now())!
      const fill = (filled: string, { name, value = '00000000-0000-4000-8000-000000000000' }: (typeof parameters)[0]) =>
        filled.replace(`{${name}}`, value)
      return {
        listener: 'cloud' as const,
        authorization,
        method: method.toUpperCase(),
        path: parameters.filter(one => one.in === 'path').reduce(fill, path),
        body,
      }
    }),
  )
}
