import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { corsWords } from '../core/cors.ts'
import {
  type Chaos,
  createMock,
  type Limits,
  type Mock,
  type MockOptions,
  type SqlEngine,
  type TargetFile,
} from '../core/mock.ts'
import { RecordRefused } from '../core/records.ts'
import { writeStory } from '../core/write-story.ts'
import type { Verify } from '../faces/control/page/examination.ts'
import { type KeptState, keepState, StateRefused } from '../faces/keep-state.ts'
import { PortRefused, serve } from '../faces/serve.ts'
import { services } from '../families/service/model.ts'
import { dealPassword } from '../families/service/password.ts'
import { type Choices, overlay } from '../gaps/choices.ts'
import { type Elsewhere, TelemetryRefused } from '../telemetry/elsewhere.ts'
import { SqlRefused } from '../words/sql.ts'
import { renderBanner } from './banner.ts'
import { readChoices } from './baseline.ts'
import { renderHelp } from './help.ts'
import type { GivenOptions } from './options.ts'
import { listUnknownVariables, OptionRefused, readOptions } from './read-options.ts'
import { renderCall } from './render-call.ts'
import { readScenarioOption } from './scenario.ts'

/** What a command needs from the process that runs it. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  /** Runs the suite for the console. It is passed in, because the mock does not import the suite. */
  readonly verify?: Verify
  readonly stdout: Terminal
  readonly stderr: Terminal
  /** Settles when the process is asked to stop. */
  stopped(): Promise<unknown>
}

interface Terminal {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Runs `stack-parity mock` until it is asked to stop; answers the exit status, which is 1 when --state could not be saved. */
export async function run(args: readonly string[], around: Surroundings): Promise<number> {
  const { env, version, stdout, stderr } = around
  let elsewhere: Elsewhere | undefined
  let sql: SqlEngine | undefined
  let kept: KeptState | undefined
  const stopping = new AbortController()
  try {
    const told = readOptions(args, env)
    if (!told) {
      stdout.write(renderHelp())
      return 0
    }
    for (const sentence of listUnknownVariables(env)) stderr.write(`stack-parity mock: ${sentence}\n`)
    if (told['sql-clean']) {
      if (told.sql === undefined) throw new OptionRefused('--sql-clean wants the ClickHouse: name it with --sql.')
      const { cleanSql } = await import('../sql/connect.ts')
      stdout.write(`${(await cleanSql(told.sql, told.yes ?? false, env)).join('\n')}\n`)
      return 0
    }
    // Registered before the mock is announced, so that no signal is lost.
    const stopped = around.stopped()
    void stopped.then(() => stopping.abort())
    elsewhere = await connect(told, env)
    sql = await connectEngine(told, env)
    const mock = create(told, elsewhere, sql)
    if (elsewhere && told['telemetry-seed']) {
      const rows = await writeStory(mock.look(), elsewhere, mock.clock.now())
      stderr.write(`Wrote ${rows} rows of the story to ${elsewhere.name}.\n`)
    }
    if (told.log ?? (stderr.isTTY && !told.json)) {
      const colours = stderr.isTTY === true && !env.NO_COLOR
      mock.onCall((entry, worldId) => stderr.write(`${renderCall(entry, { colours, at: new Date(), worldId })}\n`))
    }
    const complain = (sentence: string) => void stderr.write(`${sentence}\n`)
    if (told.state !== undefined) {
      const options = { complain, isStrict: told['strict-state'], signal: stopping.signal }
      kept = await keepState(mock, told.state, options)
    }
    const overridden = kept?.isLoaded ? listOverridden(told, mock) : []
    if (overridden.length > 0) {
      complain(`--state ${told.state}: the saved world overrides ${overridden.join(', ')}.`)
    }
    const { target, consoleToken, close } = await serve(mock, {
      host: told.host,
      cloudPort: told['cloud-port'] ?? 8001,
      selfHostedPort: told['self-hosted-port'] ?? 8000,
      consolePort: told['no-console'] ? false : (told['console-port'] ?? 8080),
      sqlPort: told['sql-port'] ?? 8443,
      sqlHost: told['sql-host'],
      sqlCa: told['sql-ca'],
      sqlFolder: folderOfSql(told),
      webhookHosts: told['webhook-host'],
      evaluateAlerts: told['evaluate-alerts'],
      consoleToken: told['console-token'],
      console: { version, startedWith: nameStart(told, elsewhere, sql), verify: around.verify },
    })
    const terminal = told.json ? stderr : stdout
    const colours = terminal.isTTY === true && !env.NO_COLOR
    const { seed } = mock.look().world
    const host = told.host ?? '127.0.0.1'
    terminal.write(
      renderBanner({
        target: target(),
        version,
        seed,
        host,
        colours,
        consoleToken,
        chaos: mock.chaos(),
        scenario: overridden.some(text => text.startsWith('--scenario ')) ? undefined : told.scenario,
        elsewhere: elsewhere?.name,
        sql: sql && { engine: sql.name, password: passwordOfTarget(mock, target()) },
      }),
    )
    if (told.json) stdout.write(`${JSON.stringify(target())}\n`)
    await stopped
    await close()
    const isKept = (await kept?.close()) ?? true
    return isKept ? 0 : 1
  } catch (error) {
    if (stopping.signal.aborted && (error as Error).name === 'AbortError') return 0
    const isExpected = [OptionRefused, PortRefused, SqlRefused, StateRefused, TelemetryRefused].some(
      known => error instanceof known,
    )
    if (!isExpected) throw error
    const works = error instanceof PortRefused ? nameWorkingCommand(error, args, env) : ''
    stderr.write(`stack-parity mock: ${(error as Error).message}${works}\n`)
    return 2
  } finally {
    kept?.release()
    await elsewhere?.close()
    await sql?.close()
  }
}

/** The password of the service that the target file names, as it was dealt. */
function passwordOfTarget(mock: Mock, { cloud }: TargetFile): string | undefined {
  const { world } = mock.look()
  const service = cloud && world.in(services, cloud.organizationId).get(cloud.serviceId)
  return service?.passwordHash === undefined ? service && dealPassword(world.seed, service.id) : undefined
}

/** What is kept for the SQL of a world that is kept: beside its file, or in its folder. */
function folderOfSql({ state }: GivenOptions): string | undefined {
  if (state === undefined) return undefined
  const isFolder = /[\\/]$/.test(state) || (existsSync(state) && statSync(state).isDirectory())
  return resolve(isFolder ? join(state, '_sql') : `${state}.sql`)
}

/** The engine of --sql, which is loaded only then. */
async function connectEngine(told: GivenOptions, env: Surroundings['env']): Promise<SqlEngine | undefined> {
  if (told.sql === undefined) return undefined
  const { connectSql } = await import('../sql/connect.ts')
  return connectSql(told.sql, { env, services: told['sql-services'], folder: folderOfSql(told) })
}

/** The given options that change how this mock answers. */
function nameStart(
  { scenario, as, choose, gaps, segment, offer, cors, freeze, speed }: GivenOptions,
  elsewhere: Elsewhere | undefined,
  sql: SqlEngine | undefined,
): Record<string, string> {
  const told = Object.entries({
    scenario,
    as,
    choose: choose?.flatMap(nameChoices).join(', '),
    gaps,
    segment,
    offer: offer?.join(', '),
    cors: cors?.join(', '),
    freeze,
    speed,
    telemetry: elsewhere?.name,
    sql: sql?.name,
  }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(told.map(([name, value]) => [name, String(value)]))
}

const nameChoices = (choices: Choices): string[] =>
  Object.entries(choices).flatMap(([form, own]) =>
    Object.entries(own).map(([gap, choice]) => `${form}:${gap}=${choice}`),
  )

/** The command that takes free ports in place of refused ones. */
function nameWorkingCommand({ options }: PortRefused, args: readonly string[], env: Surroundings['env']): string {
  if (options.length === 0) return ''
  const isOurs = env.npm_package_name === 'stack-parity' && env.npm_lifecycle_event === 'start'
  const program = isOurs ? 'npm start --' : `${env.npm_command === 'exec' ? 'npx ' : ''}stack-parity mock`
  const isOther = (arg: string, at: number) =>
    !options.includes(arg.split('=')[0]!) && !options.includes(args[at - 1] ?? '')
  const more = args.some(isOther) ? ' (beside your other options)' : ''
  return ` This works: ${program} ${options.map(option => `${option} 0`).join(' ')}${more}`
}

/** The options that contradict a loaded world, each with the value of the world. */
function listOverridden(told: GivenOptions, mock: Mock): readonly string[] {
  const { seed, size } = mock.look().world
  const is: Partial<Record<keyof GivenOptions, unknown>> = { seed, ...size }
  const names = Object.keys(is) as (keyof GivenOptions)[]
  const overridden = names
    .filter(name => told[name] !== undefined && told[name] !== is[name])
    .map(name => `--${name} ${told[name]} (it has ${is[name]})`)
  const scenario = mock.scenario()
  if (told.scenario !== undefined && JSON.stringify(readScenarioOption(told.scenario)) !== JSON.stringify(scenario)) {
    const name = typeof scenario === 'string' ? scenario : 'records of its own'
    overridden.push(`--scenario ${told.scenario} (it has ${name})`)
  }
  return overridden
}

function nameChaos(told: GivenOptions): Chaos {
  return {
    latencyMs: told.latency,
    errorRate: told['error-rate'],
    dropRate: told['drop-rate'],
    truncateRate: told['truncate-rate'],
    rateLimit: told['rate-limit'] ?? false,
    operations: told['chaos-operation'],
    seed: told['chaos-seed'],
  }
}

function nameLimits(told: GivenOptions): Partial<Limits> {
  return {
    body: told['max-body'],
    headers: told['max-headers'],
    depth: told['max-depth'],
    values: told['max-values'],
    series: told['max-series'],
    points: told['max-points'],
    rows: told['max-rows'],
    worlds: told['max-worlds'],
    connections: told['max-connections'],
    headersMs: told['headers-timeout'],
    requestMs: told['request-timeout'],
    idleMs: told['idle-timeout'],
  }
}

/** The engine of --telemetry, loaded on demand; undefined for the embedded one. */
async function connect(told: GivenOptions, env: Surroundings['env']): Promise<Elsewhere | undefined> {
  const { telemetry = 'embedded', 'telemetry-write': write, 'telemetry-seed': isSeeded } = told
  if (isSeeded && write === undefined) {
    throw new OptionRefused(
      '--telemetry-seed writes rows: name the database of --telemetry with --telemetry-write, too.',
    )
  }
  if (telemetry !== 'embedded') {
    const { connectTelemetry } = await import('../telemetry/clickhouse/connect.ts')
    return connectTelemetry(telemetry, { write, env })
  }
  if (write !== undefined) throw new OptionRefused('--telemetry-write is for a ClickHouse: name one with --telemetry.')
  return undefined
}

function create(told: GivenOptions, elsewhere: Elsewhere | undefined, sql: SqlEngine | undefined): Mock {
  const { seed, now, freeze, speed, organizations, services, members, backups, logs } = told
  const { segment, offer, gaps, fault: faults } = told
  if (freeze && speed !== undefined && speed > 1) {
    throw new OptionRefused(`--freeze and --speed ${speed} contradict each other: leave one of them out.`)
  }
  const cors = told.cors ?? (told.as === undefined || elsewhere || sql ? undefined : ['as-deployed'])
  const lone = cors?.find(word => corsWords.includes(word))
  if (lone !== undefined && new Set(cors).size > 1) {
    throw new OptionRefused(`--cors ${lone} stands alone: leave out ${cors!.filter(word => word !== lone).join(', ')}.`)
  }
  const baseline = told.as === undefined ? undefined : readChoices(told.as)
  const choices = (told.choose ?? []).reduce(overlay, baseline)
  const size = { organizations, services, members, backups, logs }
  const options: MockOptions = {
    seed,
    now,
    freeze,
    speed,
    ...size,
    scenario: readScenarioOption(told.scenario),
    segment,
    offer,
    choices,
    gaps,
    faults,
    chaos: nameChaos(told),
    worldIdleMs: told['world-idle'],
    limits: nameLimits(told),
    cors,
    telemetry: elsewhere,
    sql,
  }
  try {
    return createMock(options)
  } catch (error) {
    // Of the options, only the records of a scenario are judged by models.
    if (!(error instanceof RecordRefused)) throw error
    throw new OptionRefused(`--scenario ${told.scenario}: ${error.message}.`)
  }
}
