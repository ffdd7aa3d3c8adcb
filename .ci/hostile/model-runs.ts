import fc from 'fast-check'
import { createMock, type MockWorld, type TargetFile } from '../../mock-server/mock/mock.ts'
import type { State } from '../../mock-server/mock/state.ts'
import { type Ask, type Site, sitesOf } from './site.ts'
import { sequencesOfCommands } from './stack-commands.ts'
import { type ClientModel, checkList, StackModel } from './stack-model.ts'

interface RunSize {
  /** The approximate number of commands. Impossible ones are skipped. */
  readonly steps: number
  readonly seed: number
}

const maxCommands = 400

/** Runs commands of one client in process, so that the model knows all records. Returns the number of steps. */
export async function runAlone({ steps, seed }: RunSize): Promise<number> {
  let stepCount = 0
  const property = fc.asyncProperty(sequencesOfCommands(maxCommands), async commands => {
    const mock = createMock({ seed, logs: 0 })
    const bases = { cloud: 'http://cloud', selfHosted: 'http://self-hosted' }
    const sites = (name: string, world: MockWorld) => sitesOf(name, world.target(bases), world.state() as State)
    const other = mock.worlds.open({ seed }).world
    const ask: Ask = async (host, { method, path, authorization, body }) =>
      mock.answer(
        { method, path, query: '', headers: { authorization, 'content-type': 'application/json' }, body: toText(body) },
        host,
      )
    const client = newClient([...sites('', mock), ...sites('other world', other)], true)
    await fc.asyncModelRun(() => ({ model: client, real: ask }), commands)
    await checkAll([client], ask)
    stepCount += client.steps
  })
  await fc.assert(property, { seed, numRuns: Math.ceil((4 * steps) / maxCommands) })
  return stepCount
}

/** Runs commands of many clients at a time over HTTP, in the first world and in another one. Returns the number of steps. */
export async function runTogether(
  { control, ...target }: TargetFile,
  { steps, seed }: RunSize,
  clients = 64,
): Promise<number> {
  const askControl = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${control!.baseUrl}/control/${path}`, { method, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.status === 204 ? undefined : response.json()
  }
  const ask: Ask = async (host, { method, path, authorization, body }) => {
    const headers = { authorization, 'content-type': 'application/json' }
    const response = await fetch(target[host]!.baseUrl + path, { method, headers, body: JSON.stringify(body) })
    return { status: response.status, body: await response.text() }
  }
  const world: TargetFile & { readonly id: string } = await askControl('POST', 'worlds', { seed })
  const sites = [
    ...sitesOf('', target, await askControl('GET', 'state')),
    ...sitesOf('other world', world, await askControl('GET', `state?world=${world.id}`)),
  ]
  // About a quarter of the commands is run: generated sequences are often shorter, and some commands are impossible.
  const sequences = fc.sample(sequencesOfCommands(Math.ceil(steps / clients)), { seed, numRuns: 4 * clients })
  const all = Array.from({ length: clients }, () => newClient(sites, false))
  await Promise.all(
    all.map(async (client, at) => {
      for (const commands of sequences.slice(4 * at, 4 * at + 4)) {
        await fc.asyncModelRun(() => ({ model: client, real: ask }), commands)
      }
    }),
  )
  await checkAll(all, ask)
  await askControl('DELETE', `worlds/${world.id}`)
  return all.reduce((sum, client) => sum + client.steps, 0)
}

const toText = (body: unknown) => (body === undefined ? '' : JSON.stringify(body))

const newClient = (sites: readonly Site[], isOnlyClient: boolean): ClientModel => ({
  stacks: sites.map(site => new StackModel(site)),
  isOnlyClient,
  steps: 0,
})

/** In the end, each stack has exactly the records of the start and those that its clients created and did not delete. */
async function checkAll(clients: readonly ClientModel[], ask: Ask) {
  for (const [at, { site }] of clients[0]!.stacks.entries()) {
    for (const kind of ['dashboards', 'alerts'] as const) {
      const { body } = await ask(site.host, {
        method: 'GET',
        path: `${site.path}/${kind}`,
        authorization: site.authorization,
      })
      const answer = JSON.parse(body)
      const listed: { readonly id: string }[] = answer.result ?? answer.data
      const known = clients.flatMap(({ stacks }) => [...stacks[at]![kind].keys()])
      const wanted = new Set([...site.initial[kind], ...known])
      const extra = listed.filter(({ id }) => !wanted.has(id))
      if (extra.length > 0 || listed.length !== wanted.size) {
        throw new Error(
          `${site.name}: ${listed.length} ${kind} are listed, ${wanted.size} were made; ${extra.length} by nobody`,
        )
      }
      for (const client of clients) checkList(client, client.stacks[at]!, kind, listed)
    }
  }
}
