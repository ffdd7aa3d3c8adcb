import { createDeliverer } from '../../mock-server/faces/webhooks/deliver-webhook.ts'
import type { Mock } from '../../mock-server/index.ts'
import type { AlertNotification } from '../../mock-server/mock/mock.ts'
import { textOf } from '../../mock-server/words/sql.ts'
import type { Client } from '../engine/clients/client.ts'
import type { TargetFile } from '../engine/target/target.ts'
import { answerControl } from './control.ts'

/** Base addresses that differ by name only: nothing listens there. */
const bases = {
  cloud: 'http://cloud.localhost',
  selfHosted: 'http://self-hosted.localhost',
  control: 'http://control.localhost',
}

/** The target of a mock that is called directly, in this process, without a socket. */
export const directTarget = (mock: Mock): TargetFile =>
  mock.target({ ...bases, ...(mock.sql.engine && { sql: { hosts: 'sql.localhost', port: 1 } }) })

/** Loopback is not called: these notifications go to addresses that the mock may not call, and stand in the journal. */
const isForNobody = ({ webhooks }: AlertNotification) =>
  webhooks.every(({ url }) => url !== undefined && !/localhost|127\.0\.0\.1/.test(url))

/** Hands requests straight to a mock. */
export function createDirectClient(mock: Mock): Client {
  const deliverer = createDeliverer()
  const pass = async (milliseconds: number) =>
    deliverer.deliver(mock, mock.moveClock(mock.clock.now() + milliseconds).filter(isForNobody))
  return answerControl(directTarget(mock), {
    wait: pass,
    async send({ baseUrl, method, path, headers, body = '' }) {
      if (baseUrl === bases.control) {
        if (method === 'GET') {
          const calls = mock.calls(200, { form: 'webhook' })
          return { status: 200, headers: {}, text: JSON.stringify(calls) }
        }
        await pass(JSON.parse(body).advanceMs)
        return { status: 200, headers: {}, text: '' }
      }
      const [plain = '', query = ''] = path.split(/\?(.*)/s)
      if (baseUrl === 'http://sql.localhost:1') {
        const {
          status,
          headers: answered,
          stream,
          ...answer
        } = await mock.answerSql({ method, path: plain, query, headers, body })
        return { status, headers: answered, text: stream ? await textOf(stream) : answer.body }
      }
      const host = baseUrl === bases.cloud ? 'cloud' : 'selfHosted'
      const answer = await mock.answer({ method, path: plain, query, headers, body }, host)
      return { status: answer.status, headers: { ...answer.headers }, text: answer.body }
    },
  })
}
