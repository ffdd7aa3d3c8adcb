import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { sampleAlert, sampleDashboard } from './sample-requests.ts'
import type { Ask } from './site.ts'
import {
  type ClientModel,
  checkList,
  type KnownAlert,
  type KnownDashboard,
  pick,
  type StackModel,
} from './stack-model.ts'

type Kind = 'dashboards' | 'alerts'
type Command = fc.AsyncCommand<ClientModel, Ask>

/** Selects one of several by any number. */
const choose = <T>(all: Iterable<T>, at: number): T | undefined => {
  const list = [...all]
  return list[at % list.length]
}

/** The random input of a command: a stack, a record in it, and new values. */
interface CommandInput {
  readonly stack: number
  readonly record: number
  readonly other: number
  readonly name: string
  readonly tiles: number
  readonly threshold: number
}

type Run = (model: StackModel, ask: Ask, input: CommandInput, client: ClientModel) => Promise<void>

/** Sends a request of a stack's client, and returns `result` or `data` of the answer. */
async function send(ask: Ask, { site }: StackModel, method: string, path: string, body?: unknown) {
  const answer = await ask(site.host, { method, path: `${site.path}/${path}`, authorization: site.authorization, body })
  const parsed = answer.body === '' ? {} : JSON.parse(answer.body)
  return {
    status: answer.status,
    result: parsed.result ?? parsed.data,
    description: `${method} ${path}: ${answer.body.slice(0, 300)}`,
  }
}

async function succeed(...asked: Parameters<typeof send>) {
  const { status, result, description } = await send(...asked)
  assert.equal(status, 200, `${asked[1].site.name}: ${description}`)
  return result
}

/** New tiles, and the former ones that are kept. */
const makeTiles = ({ tiles, name }: CommandInput, before: KnownDashboard['tiles'] = []) => [
  ...before.filter((_, at) => (tiles + at) % 2 === 0),
  ...Array.from({ length: tiles }, (_, at) => ({ name: `${name}${at}` })),
]
const dashboardBody = (name: string, tiles: readonly { readonly id?: string; readonly name: string }[]) => {
  const {
    tiles: [sample],
    ...rest
  } = sampleDashboard(name)
  return { ...rest, tiles: tiles.map(tile => ({ ...sample, ...tile })) }
}
const knownPartOf = ({ id, name, tiles }: KnownDashboard): KnownDashboard => ({
  id,
  name,
  tiles: tiles.map(({ id, name }) => ({ id, name })),
})

const createDashboard: Run = async (model, ask, input) => {
  const tiles = makeTiles(input)
  const made = knownPartOf(await succeed(ask, model, 'POST', 'dashboards', dashboardBody(input.name, tiles)))
  assert.deepEqual([made.name, made.tiles.map(({ name }) => name)], [input.name, tiles.map(({ name }) => name)])
  assert.ok(!model.dashboards.has(made.id) && !model.gone.has(made.id), `${model.site.name}: an id is given twice`)
  model.dashboards.set(made.id, made)
}

const replaceDashboard: Run = async (model, ask, input) => {
  const before = choose(model.dashboards.values(), input.record)!
  const body = dashboardBody(input.name, makeTiles(input, before.tiles))
  const made = knownPartOf(await succeed(ask, model, 'PUT', `dashboards/${before.id}`, body))
  const kept = body.tiles.flatMap(tile => ('id' in tile ? [tile.id] : []))
  assert.deepEqual(
    made.tiles.slice(0, kept.length).map(({ id }) => id),
    kept,
    'the tiles that are kept',
  )
  model.dashboards.set(made.id, made)
  model.forgetAlerts(
    ({ dashboardId, tileId }) => dashboardId === made.id && !made.tiles.some(({ id }) => id === tileId),
  )
}

const deleteDashboard: Run = async (model, ask, input) => {
  const { id } = choose(model.dashboards.values(), input.record)!
  const path = `dashboards/${id}`
  await succeed(ask, model, 'DELETE', path)
  model.forget('dashboards', id)
  const orphans = [...model.alerts.values()].filter(({ dashboardId }) => dashboardId === id)
  model.forgetAlerts(({ dashboardId }) => dashboardId === id)
  for (const alert of orphans) assert.equal((await send(ask, model, 'GET', `alerts/${alert.id}`)).status, 404)
}

const alertOf = (model: StackModel, input: CommandInput): Omit<KnownAlert, 'id'> | undefined => {
  const dashboard = choose(
    [...model.dashboards.values()].filter(({ tiles }) => tiles.length > 0),
    input.record,
  )
  const tile = dashboard && choose(dashboard.tiles, input.other)
  return tile && { name: input.name, threshold: input.threshold, dashboardId: dashboard.id, tileId: tile.id }
}
const alertBody = (model: StackModel, wanted: Omit<KnownAlert, 'id'>) => ({
  ...sampleAlert({ ...wanted, webhookId: model.site.webhookId }),
  ...wanted,
})

const createAlert: Run = async (model, ask, input) => {
  const wanted = alertOf(model, input)
  if (!wanted) return
  const made = await succeed(ask, model, 'POST', 'alerts', alertBody(model, wanted))
  assert.deepEqual(pick(made, wanted), wanted)
  assert.ok(!model.alerts.has(made.id) && !model.gone.has(made.id), `${model.site.name}: an id is given twice`)
  model.alerts.set(made.id, { id: made.id, ...wanted })
}

const replaceAlert: Run = async (model, ask, input) => {
  const { id } = choose(model.alerts.values(), input.other)!
  const written = alertOf(model, input)!
  const wanted = { id, ...written }
  assert.deepEqual(pick(await succeed(ask, model, 'PUT', `alerts/${id}`, alertBody(model, written)), wanted), wanted)
  model.alerts.set(id, wanted)
}

const deleteAlert: Run = async (model, ask, input) => {
  const { id } = choose(model.alerts.values(), input.record)!
  await succeed(ask, model, 'DELETE', `alerts/${id}`)
  model.forget('alerts', id)
}

const get =
  (kind: Kind): Run =>
  async (model, ask, input) => {
    const wanted = choose<KnownAlert | KnownDashboard>(model[kind].values(), input.record)!
    assert.deepEqual(pick(await succeed(ask, model, 'GET', `${kind}/${wanted.id}`), wanted), wanted)
  }

const getGone: Run = async (model, ask, input) => {
  const id = choose(model.gone, input.record)!
  for (const kind of ['dashboards', 'alerts'])
    assert.equal((await send(ask, model, 'GET', `${kind}/${id}`)).status, 404)
}

const list =
  (kind: Kind): Run =>
  async (model, ask, _, client) => {
    checkList(client, model, kind, await succeed(ask, model, 'GET', kind))
  }

/** A record of one stack cannot be read, changed or referred to in another one. */
const lookElsewhere: Run = async (model, ask, input, { stacks }) => {
  const other = choose(
    stacks.filter(one => one !== model),
    input.other,
  )!
  const dashboard = choose(model.dashboards.values(), input.record)!
  const path = `dashboards/${dashboard.id}`
  assert.equal((await send(ask, other, 'GET', path)).status, 404, `${other.site.name} sees what ${model.site.name} has`)
  assert.equal((await send(ask, other, 'PUT', path, dashboardBody('stolen', []))).status, 404)
  assert.ok([200, 404].includes((await send(ask, other, 'DELETE', path)).status))
  const [tile] = dashboard.tiles
  if (tile) {
    const wanted = { name: 'x', threshold: 1, dashboardId: dashboard.id, tileId: tile.id }
    assert.equal((await send(ask, other, 'POST', 'alerts', alertBody(other, wanted))).status, 400)
  }
  // The credentials of this stack do not open another path. The self-hosted form has the same path in all worlds.
  if (other.site.authorization === model.site.authorization || other.site.path === model.site.path) return
  const mixed = await send(
    ask,
    { ...other, site: { ...other.site, authorization: model.site.authorization } } as StackModel,
    'GET',
    path,
  )
  assert.ok(
    [401, 403, 404].includes(mixed.status),
    `${other.site.name} with the key of ${model.site.name}: ${mixed.description}`,
  )
  await get('dashboards')(model, ask, input, { stacks } as ClientModel)
}

const always = () => true
const has = (kind: 'dashboards' | 'alerts' | 'gone') => (model: StackModel) => model[kind].size > 0

const commands: readonly (readonly [
  name: string,
  weight: number,
  isPossible: (model: StackModel) => boolean,
  run: Run,
])[] = [
  ['create a dashboard', 4, always, createDashboard],
  ['replace a dashboard', 3, has('dashboards'), replaceDashboard],
  ['delete a dashboard', 1, has('dashboards'), deleteDashboard],
  ['get a dashboard', 2, has('dashboards'), get('dashboards')],
  ['list the dashboards', 2, always, list('dashboards')],
  ['create an alert', 6, has('dashboards'), createAlert],
  ['replace an alert', 3, model => model.alerts.size > 0, replaceAlert],
  ['delete an alert', 2, has('alerts'), deleteAlert],
  ['get an alert', 2, has('alerts'), get('alerts')],
  ['list the alerts', 2, always, list('alerts')],
  ['get what is gone', 1, has('gone'), getGone],
  ['look elsewhere', 2, has('dashboards'), lookElsewhere],
]

/** Sequences of commands, up to a length. */
export function sequencesOfCommands(max: number) {
  const inputs = fc.record<CommandInput>({
    stack: fc.nat({ max: 1000 }),
    record: fc.nat({ max: 1000 }),
    other: fc.nat({ max: 1000 }),
    name: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
    tiles: fc.nat({ max: 3 }),
    threshold: fc.double({ noNaN: true, noDefaultInfinity: true }).map(number => (Object.is(number, -0) ? 0 : number)),
  })
  const each = commands.flatMap(([name, weight, isPossible, run]) => {
    const arbitrary = inputs.map((input): Command => {
      const stackOf = ({ stacks }: ClientModel) => stacks[input.stack % stacks.length]!
      return {
        check: client => isPossible(stackOf(client)),
        run: async (client, ask) => {
          client.steps++
          await run(stackOf(client), ask, input, client)
        },
        toString: () =>
          `${name} (stack ${input.stack}, record ${input.record}, other ${input.other}, tiles ${input.tiles})`,
      }
    })
    return Array.from({ length: weight }, () => arbitrary)
  })
  return fc.commands(each, { maxCommands: max, size: 'max' })
}
