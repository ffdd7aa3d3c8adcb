import { createMock, type MockOptions } from '../mock/mock.ts'

export const start = Date.UTC(2026, 5, 1, 12)

/**
 * The cloud form of a mock with a stopped clock. Calls are made with the first key of the first organization, or of the
 * second one, which uses custom roles.
 */
export function openCloud(options: MockOptions = {}, organization: 'first' | 'second' = 'first') {
  const mock = createMock({ now: start, freeze: true, ...options })
  const target = mock.target({ cloud: 'http://cloud.test' }).cloud!
  const { serviceId } = target
  const organizationId = organization === 'first' ? target.organizationId : target.secondOrganizationId!
  const ownKey = authorization(
    organization === 'first' ? target : { keyId: target.secondKeyId!, keySecret: target.secondKeySecret! },
  )

  /** Sends a call. The path is relative to that of the organization; `as` is another Authorization header. */
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
    const json = answer.body.startsWith('{') ? JSON.parse(answer.body) : {}
    return { status: answer.status, result: json.result, error: json.error, body: json, cause: answer.cause }
  }

  return {
    mock,
    organizationId,
    serviceId,
    send,
    wait: (seconds: number) => mock.moveClock(mock.clock.now() + seconds * 1000),
    /** The types of the activities, or what was changed of a key, the newest first. `by` selects a type of actor. */
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
