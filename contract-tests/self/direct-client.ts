import type { Mock } from '../../mock-server/index.ts'
import type { Client } from '../engine/clients/client.ts'
import type { TargetFile } from '../engine/target/target.ts'

/** Bases that are told apart by name only: nothing listens there. */
const bases = { cloud: 'http://cloud.localhost', selfHosted: 'http://self-hosted.localhost' }

/** The target of a mock that is called directly, in this process, without a socket. */
export const directTarget = (mock: Mock): TargetFile => mock.target(bases)

/** Hands requests straight to a mock. */
export function createDirectClient(mock: Mock): Client {
  return {
    wait: async milliseconds => mock.moveClock(mock.clock.now() + milliseconds),
    async send({ baseUrl, method, path, headers, body = '' }) {
      const [plain = '', query = ''] = path.split(/\?(.*)/s)
      const host = baseUrl === bases.cloud ? 'cloud' : 'selfHosted'
      const answer = await mock.answer({ method, path: plain, query, headers, body }, host)
      return { status: answer.status, headers: { ...answer.headers }, text: answer.body }
    },
  }
}
