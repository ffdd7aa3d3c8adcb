import { createMock, type Mock } from '../../mock-server/index.ts'
import type { Client, Outgoing } from '../engine/clients/client.ts'
import type { TargetFile } from '../engine/target/target.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

const local = {
  'https://cloud.example.test': 'http://cloud.localhost',
  'https://oss.example.test': 'http://self-hosted.localhost',
}

/** A mock under addresses beyond loopback, with the requests that reach it. */
export function startRemote(mock: Mock = createMock()) {
  const { cloud, selfHosted, ...rest } = directTarget(mock)
  const [cloudUrl, ossUrl] = Object.keys(local) as [keyof typeof local, keyof typeof local]
  const target: TargetFile = {
    ...rest,
    cloud: { ...cloud!, baseUrl: cloudUrl },
    selfHosted: { ...selfHosted!, baseUrl: ossUrl },
    writes: true,
  }
  const direct = createDirectClient(mock)
  const sent: Outgoing[] = []
  const answers: string[] = []
  const client: Client = {
    async send(request) {
      sent.push(request)
      const answer = await direct.send({ ...request, baseUrl: local[request.baseUrl as keyof typeof local] })
      answers.push(answer.text)
      return answer
    },
  }
  return { target, client, wait: direct.wait!, sent, answers }
}
