import { createMock } from '../../mock-server/mock/mock.ts'
import { basicOf, sampleAlert } from './sample-requests.ts'

/**
 * Creates a million alerts by calls. After each tenth of them, prints the mean time of a creation, the times of a get, an
 * update and a deletion, and the memory of an alert.
 */
const total = Number(process.argv[2] ?? 1_000_000)
const mock = createMock({ seed: 1, logs: 0 })
const { cloud } = mock.target({ cloud: 'http://cloud' })
const { keyId, keySecret, organizationId, serviceId, observabilitySegment, references } = cloud!
const alerts = `/v1/organizations/${organizationId}/services/${serviceId}/${observabilitySegment}/alerts`
const headers = { authorization: basicOf(keyId, keySecret), 'content-type': 'application/json' }
const body = JSON.stringify(sampleAlert(references))

async function ask(method: string, path: string, text = '') {
  const answer = await mock.answer({ method, path, query: '', headers, body: text }, 'cloud')
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`)
  return JSON.parse(answer.body).result
}

/** Microseconds of processor time per call. */
async function time(times: number, run: () => unknown): Promise<string> {
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) await run()
  const { user, system } = process.cpuUsage(before)
  return ((user + system) / times).toFixed(1)
}

const heap = () => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
const before = heap()
let lastId: string | undefined
for (let tenth = 1; tenth <= 10; tenth++) {
  const create = await time(total / 10, async () => {
    lastId = (await ask('POST', alerts, body)).id
  })
  const get = await time(1000, () => ask('GET', `${alerts}/${lastId}`))
  const update = await time(1000, () => ask('PUT', `${alerts}/${lastId}`, body))
  const remove = await time(1, () => ask('DELETE', `${alerts}/${lastId}`))
  const bytes = Math.round((heap() - before) / ((total / 10) * tenth))
  console.log(
    `${(total / 10) * tenth}: create ${create}, get ${get}, update ${update}, delete ${remove} µs; ${bytes} bytes an alert`,
  )
}
