import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as Library from '../../mock-server/index.ts'
import { dist } from './built-mock.ts'
import { type Bench, type Chapter, round } from './chapter.ts'
import { median } from './paired-bursts.ts'

/** Short bursts, so that the load of the machine is the same for neighbours. */
const callsOfBurst = 20

/** Measures what the usage of a test run adds to the calls of `mock.fetch`, in bursts beside those of a mock without it. */
export async function measureUsage({ isQuick }: Bench): Promise<Chapter> {
  const { createMock } = (await import(`${dist}mock-server.js`)) as typeof Library
  const folder = mkdtempSync(join(tmpdir(), 'stack-parity-bench-'))
  const open = (options: Library.FetchMockOptions, isCollected: boolean) => {
    if (isCollected) process.env.STACK_PARITY_USAGE = join(folder, 'usage.json')
    const mock = createMock({ now: 0, freeze: true, ...options })
    delete process.env.STACK_PARITY_USAGE
    return burstsOf(mock)
  }
  const [plain, collected, watched] = [open({}, false), open({}, true), open({ recordReads: true }, true)]
  const pairs = isQuick ? 200 : 600
  const rows = []
  for (const [what, subject] of [
    ['operations, parameters, fields and values', collected],
    ['the same, and the fields of answers that are read', watched],
  ] as const)
    for (const kind of ['list', 'update'] as const) {
      const { ratio, µs } = await compare(plain[kind], subject[kind], pairs)
      rows.push({
        usage: what,
        call: describeCall[kind],
        'CPU µs': round(µs, 0),
        'more CPU, %': round(100 * (ratio - 1), 1),
      })
    }
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const description = `Processor time of calls by \`mock.fetch\` with \`STACK_PARITY_USAGE\`: median of ${pairs} bursts of ${callsOfBurst} calls, each beside two without it.`
  return { title: 'Usage', description, rows }
}

const describeCall = { list: 'list 10 members, read their names', update: 'update a dashboard of 3 tiles, read its id' }

function burstsOf(mock: Library.FetchMock) {
  const { cloud, selfHosted } = mock.target()
  const basic = { authorization: `Basic ${btoa(`${cloud.keyId}:${cloud.keySecret}`)}` }
  const bearer = { authorization: `Bearer ${selfHosted.apiKey}`, 'content-type': 'application/json' }
  const tile = (x: number) => ({
    name: `Tile ${x}`,
    ...{ x, y: 0, w: 4, h: 3 },
    series: [{ type: 'time', sourceId: selfHosted.references!.sources!.log, aggFn: 'count', where: '', groupBy: [] }],
  })
  const members = `${cloud.baseUrl}/v1/organizations/${cloud.organizationId}/members`
  const dashboard = `${selfHosted.baseUrl}/api/v2/dashboards/${selfHosted.references!.dashboardId}`
  let number = 0
  return {
    async list() {
      const answer = await (await mock.fetch(members, { headers: basic })).json()
      for (const { name } of answer.result) if (!name) throw new Error('a member has no name')
    },
    async update() {
      const body = JSON.stringify({ name: `Board ${number++}`, tiles: [0, 4, 8].map(tile), tags: ['bench'] })
      const answer = await mock.fetch(dashboard, { method: 'PUT', headers: bearer, body })
      if (!(await answer.json()).data.id) throw new Error('a dashboard has no id')
    },
  }
}

type Act = () => Promise<void>

async function compare(plain: Act, subject: Act, pairs: number): Promise<{ ratio: number; µs: number }> {
  for (const act of [plain, subject, plain, subject]) for (let i = 0; i < 100; i++) await burst(act)
  const plains = [await burst(plain)]
  const subjects: number[] = []
  for (let pair = 0; pair < pairs; pair++) {
    subjects.push(await burst(subject))
    plains.push(await burst(plain))
  }
  const ratios = subjects.map((µs, i) => (2 * µs) / (plains[i]! + plains[i + 1]!))
  return { ratio: median(ratios), µs: median(subjects) }
}

/** Microseconds of processor time per call. */
async function burst(act: Act): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < callsOfBurst; i++) await act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / callsOfBurst
}
