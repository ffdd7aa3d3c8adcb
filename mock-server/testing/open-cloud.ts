import { createMock, type MockOptions } from '../mock/mock.ts'

export const start = Date.UTC(2026, 5, 1, 12)

/**
 * The cloud form of a mock with a stopped clock, called with the first key of the first organization, or of the second one,
 * which uses custom roles.
 */
export function openCloud(options: MockOptions = {}, place: 'first' | 'second' = 'first') {
  const mock = createMock({ now: start, freeze: true, ...options })
  const target = mock.target({ cloud: 'http://cloud.test' }).cloud!
  const { serviceId } = target
  const organizationId = place === 'first' ? target.organizationId : target.secondOrganizationId!
  const ownKey = authorization(
    place === 'first' ? target : { keyId: target.secondKeyId!, keySecret: target.secondKeySecret! },
  )

  /** Sends a call; the path is relative to the organization. */
  async function send(method: string, path: string, body?: unknown, more: { as?: string; address?: string } = {}) {
    const { as = ownKey, address } = more
    const [pathBelow = '', query = ''] = path.split('?')
    const headers = { authorization: as, 'content-type': 'application/json' }
    const text = body === undefined ? '' : JSON.stringify(body)
    const call = {
      method,
      path: `/v1/organizations/${organizationId}${pathBelow}`,
      query,
      headers,
      body: text,
      address,
    }
    const answer = await mock.answer(call, 'cloud')
    // Prometheus metrics are not JSON.
    const read = answer.body.startsWith('{') ? JSON.parse(answer.body) : {}
    return { status: answer.status, result: read.result, error: read.error, body: read, cause: answer.cause }
  }

  return {
    mock,
    organizationId,
    serviceId,
    send,
    wait: (seconds: number) => mock.moveClock(mock.clock.now() + seconds * 1000),
    /** The types of the activities, the newest first; `by` is the type of the actor. */
    async activities(by?: string): Promise<string[]> {
      const { result } = await send('GET', '/activities')
      return result
        .filter(({ actorType }: { actorType: string }) => by === undefined || actorType === by)
        .map(({ type, keyUpdateType }: Record<string, string>) => keyUpdateType ?? type)
    },
  }
}

export const authorization = ({ keyId, keySecret }: { keyId: string; keySecret: string }): string =>
  `Basic ${btoa(`${keyId}:${keySecret}`)}`
