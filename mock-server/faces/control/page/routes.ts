import type Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import type { Contract, Form, Gap, Rule } from '../../../../fixtures/built-contract/index.ts'
import type { QueriedStack } from '../../../families/family.ts'
import { nameOf, scenarios } from '../../../mock/arrange/scenario.ts'
import type { Mock, MockWorld, TargetFile } from '../../../mock/mock.ts'
import { nameOfPlace } from '../../../mock/records.ts'
import type { Range } from '../../../telemetry/query/plan.ts'
import { nearest } from '../../../words/nearest.ts'
import { readBody } from '../../read-body.ts'
import { answer, ControlRefusal } from '../answer.ts'
import { readCount, readObject, readText } from '../read-request.ts'
import { receiverPath } from '../receive-webhooks.ts'
import { findWorld } from '../worlds.ts'
import type { About } from './answers.ts'
import type { Asset } from './bundle-page.ts'
import { drawTile, queryStack } from './draw-tile.ts'
import { createExampleRequest, listRequestIds } from './example-request.ts'
import { findRows, findTrace, sourceOfKind } from './find-rows.ts'
import { icon, pagePolicy, renderShell, renderTokenPage } from './shell.ts'
import { createSuiteRunner, type VerifyLike } from './suite-runner.ts'
import type { Gate } from './token.ts'

interface ConsoleParts {
  readonly target: (world?: MockWorld) => TargetFile
  readonly hostname: string
  readonly version?: string
  /** The options of the mock, in words. */
  readonly startedWith?: Readonly<Record<string, string>>
  readonly verify?: VerifyLike
  readonly gate?: Gate
}

/** Adds the page, and the addresses that only the page reads. */
export function addConsole(router: Router, mock: Mock, parts: ConsoleParts): void {
  const { target, gate } = parts

  addPage(router, () => renderShell(target()), gate)
  const get = (path: string, read: Parameters<typeof answer>[0]) => router.get(`/control/${path}`, answer(read))
  get('about', ctx => describeWorld(findWorld(mock, ctx.query.world), parts))
  addTelemetryRoutes(router, mock)

  for (const [name, { model, read }] of Object.entries(mock.deployment().core.consoleLists)) {
    const kind = nameOfPlace(model)
    get(`${name}/:${kind}`, ctx => {
      const mockWorld = findWorld(mock, ctx.query.world)
      const { world } = mockWorld.deployment()
      const place = ctx.params[kind]!
      if (!world.places(model).includes(place)) throw new ControlRefusal(404, `There is no ${kind} ${place}.`)
      return read(place, { world, now: mockWorld.clock.now(), queryStack: id => queryStack(mockWorld, id) })
    })
  }

  get('requests/:operation', ctx => {
    const { operation } = ctx.params as { operation: string }
    const { world: id, ...chosen } = Object.fromEntries(new URLSearchParams(ctx.querystring))
    const world = findWorld(mock, id)
    const request = createExampleRequest(
      world.deployment().world,
      target(world),
      operation,
      world.clock.now(),
      chosen,
      world.choices(),
    )
    if (request) return request
    const suggestion = nearest(operation, listRequestIds(world.deployment().core.contract))
    const advice = suggestion ? `Did you mean ${suggestion}?` : 'The documents below /control/openapi/ list them all.'
    throw new ControlRefusal(404, `There is no operation ${operation}. ${advice}`)
  })

  const suiteRunner = parts.verify && createSuiteRunner(parts.verify)
  const requireSuiteRunner = () => {
    if (!suiteRunner) throw new ControlRefusal(501, 'This mock was started without the suite: use stack-parity verify.')
    return suiteRunner
  }
  get('verify', () => requireSuiteRunner().progress())
  const start = async (ctx: RouterContext) => {
    await readObject(ctx.req, [])
    const world = findWorld(mock, ctx.query.world)
    if (!requireSuiteRunner().start(world)) throw new ControlRefusal(409, 'The suite is running already.')
    return requireSuiteRunner().progress()
  }
  router.post('/control/verify', answer(start))
  get('verify/report.json', () => requireReport().report)
  router.get('/control/verify/report.html', ctx => {
    // Sandboxed: the report can run its filters, but has no origin and no access to the control plane.
    ctx.set('content-security-policy', "sandbox allow-scripts; frame-ancestors 'self'")
    ctx.set('cache-control', 'no-store')
    ctx.type = 'html'
    ctx.body = requireReport().html
  })
  const requireReport = () => {
    const report = requireSuiteRunner().lastResult()
    if (!report) throw new ControlRefusal(404, 'There is no report yet: POST /control/verify starts a run.')
    return report
  }
}

/** Adds the addresses for the telemetry of stacks: computed dashboards, rows, traces, and alerts with their history. */
function addTelemetryRoutes(router: Router, mock: Mock): void {
  const worldOf = (ctx: RouterContext) => findWorld(mock, ctx.query.world)
  const stackOf = (ctx: RouterContext): QueriedStack => {
    const id = ctx.params.stack!
    const mockWorld = worldOf(ctx)
    if (!mockWorld.deployment().stackIds().includes(id)) throw new ControlRefusal(404, `There is no stack ${id}.`)
    return queryStack(mockWorld, id)
  }
  /** The last minutes before now, or before the moment `until`. */
  const rangeOf = (ctx: RouterContext): Range => {
    const end = readMoment(ctx, 'until') ?? worldOf(ctx).clock.now()
    return { start: end - readCount(ctx.query, 'minutes', { defaultValue: 1440, max: 60 * 24 * 90 }) * 60_000, end }
  }

  const get = (path: string, read: Parameters<typeof answer>[0]) => router.get(`/control/${path}`, answer(read))
  get('drawings/:stack/:dashboard', async ctx => {
    const queried = stackOf(ctx)
    const { stack } = queried
    const dashboard = stack.dashboards.get(ctx.params.dashboard!)
    if (!dashboard) throw new ControlRefusal(404, 'There is no such dashboard.')
    const range = rangeOf(ctx)
    const tiles = await Promise.all(
      dashboard.tiles.map(async tile => ({ ...tile, drawing: await drawTile(queried, tile.config, range) })),
    )
    const alerts = stack.alerts.list().filter(({ dashboardId }) => dashboardId === dashboard.id)
    return { range, dashboard: { ...dashboard, tiles }, alerts }
  })
  get('found/:stack/:kind', async ctx => {
    const queried = stackOf(ctx)
    const where = readText(ctx.query, 'where') ?? ''
    const language = readText(ctx.query, 'language')
    const limit = readCount(ctx.query, 'limit', { defaultValue: 100, max: 1000 })
    const offset = readCount(ctx.query, 'offset', { defaultValue: 0, max: 100_000 })
    const search = { ...rangeOf(ctx), where, language, limit, offset }
    return findRows(queried, sourceOfKind(queried.stack, ctx.params.kind!), search)
  })
  get('traces/:stack/:trace', ctx =>
    findTrace(stackOf(ctx), ctx.params.trace!, readMoment(ctx, 'near'), worldOf(ctx).clock.now()),
  )
}

function readMoment(ctx: RouterContext, name: string): number | undefined {
  const text = ctx.query[name]
  if (text === undefined) return undefined
  const time = Date.parse(String(text))
  if (Number.isNaN(time)) throw new ControlRefusal(400, `${name}: Expected an ISO 8601 time, received ${text}`)
  return time
}

/** Adds the page, its files, and the form that asks for the token. */
export function addPage(router: Router, shell: () => string, gate?: Gate): void {
  router.get('/', ctx => sendPage(ctx, shell()))
  router.get('/console/icon.svg', ctx => {
    ctx.type = 'svg'
    ctx.body = icon
  })
  let assets: Promise<Readonly<Record<string, Asset>>> | undefined
  router.get('/console/:file', async ctx => {
    // Loaded on demand, so that the mock starts without them.
    assets ??= import('./assets.ts').then(({ readAssets }) => readAssets())
    const files = await assets
    const file = ctx.params.file!
    if (!Object.hasOwn(files, file)) throw new ControlRefusal(404, `The page has no file ${file}.`)
    ctx.set('cache-control', 'no-cache')
    ctx.type = files[file]!.type
    ctx.body = files[file]!.text
  })
  router.post('/console/token', async ctx => {
    const form = await readBody(ctx.req, 4096)
    const token = new URLSearchParams(form?.body).get('token') ?? ''
    if (!gate) return ctx.redirect('/')
    if (!gate.recognises(token)) return sendPage(ctx, renderTokenPage(true), 401)
    ctx.set('set-cookie', gate.cookie)
    ctx.status = 303
    ctx.redirect('/')
  })
}

/** Returns whether a request may proceed; else answers it. A token in the query becomes a cookie, to keep it out of histories. */
export function passGate(ctx: RouterContext, gate: Gate): boolean {
  const { token, ...rest } = ctx.query
  if (ctx.method === 'GET' && typeof token === 'string' && gate.recognises(token)) {
    const query = new URLSearchParams(rest as Record<string, string>).toString()
    ctx.set('set-cookie', gate.cookie)
    ctx.status = 303
    // Two leading slashes would redirect to another host.
    ctx.redirect(`${ctx.path.replace(/^\/+/, '/')}${query && `?${query}`}`)
    return false
  }
  const isOpen = ['/console/style.css', '/console/icon.svg', '/console/token'].includes(ctx.path)
  // Webhooks have no token; reading them requires it.
  const isDelivery = ctx.method === 'POST' && ctx.path.startsWith(`${receiverPath}/`)
  if (isOpen || isDelivery || gate.admits(ctx.headers)) return true
  if (ctx.path === '/' && ctx.method === 'GET') sendPage(ctx, renderTokenPage(token !== undefined), 401)
  else {
    ctx.set('www-authenticate', 'Bearer')
    throw new ControlRefusal(
      401,
      'This control plane requires its token, which was printed when the mock started: Authorization: Bearer TOKEN.',
    )
  }
  return false
}

function sendPage(ctx: RouterContext, html: string, status = 200): void {
  ctx.set('content-security-policy', pagePolicy)
  ctx.set('cache-control', 'no-store')
  ctx.status = status
  ctx.type = 'html'
  ctx.body = html
}

function describeWorld(world: MockWorld, { hostname, version, startedWith, verify }: ConsoleParts): About {
  const { contract, seed, size, start } = world.deployment().world
  const { gaps, operations, rules } = contract
  const groupOf = groupsOfRules(contract)
  const { segment, ...choicesByForm } = world.choices()
  const choices = (Object.entries(gaps) as [string, Gap][])
    .filter(([, gap]) => gap.kind !== 'shape')
    .flatMap(([id, { section, question, default: byForm, choices, reason, forms }]) =>
      forms.map(form => {
        const defaultChoice = typeof byForm === 'string' ? byForm : byForm[form]
        const choice = choicesByForm[form as Form]?.[id]
        return { id, form, section, question, reason, defaultChoice, choice, choices }
      }),
    )
  return {
    version,
    hostname,
    startedWith: startedWith ?? {},
    seed,
    size,
    start: new Date(start).toISOString(),
    segment,
    choices,
    rules: (Object.entries(rules) as [string, Rule][]).map(([id, rule]) => ({ id, ...rule, group: groupOf(id) })),
    canVerify: verify !== undefined,
    scenarios,
    scenario: scenarioOf(world),
    operations: Object.keys(operations),
  }
}

function scenarioOf(world: MockWorld): string {
  const scenario = world.scenario()
  return typeof scenario === 'string' ? scenario : `records over ${nameOf(scenario)}`
}

/** Returns a function that finds the group of the operations that a rule is about. */
function groupsOfRules({ groups }: Contract) {
  const byResource = new Map(Object.entries(groups).map(([operation, group]) => [operation.split('.')[0]!, group]))
  return (rule: string) => byResource.get(rule.split('/')[0]!)
}
