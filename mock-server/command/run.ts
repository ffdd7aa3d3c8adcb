import { join, resolve } from 'node:path'
import type { Core } from '../core/core.ts'
import { corsKeywords } from '../core/cors.ts'
import type { Verify } from '../faces/control/page/suite-runner.ts'
import { isFolder, type KeptState, keepState, StateRefused } from '../faces/keep-state.ts'
import { listeningOptions, PortRefused, serve } from '../faces/serve.ts'
import { TlsRefused } from '../faces/tls.ts'
import { type Choices, overlay } from '../gaps/choices.ts'
import { writeStory } from '../mock/load-rows.ts'
import { core as ownCore } from '../mock/made-of.ts'
import { createMock, type Mock, type MockOptions, mockOptions, type SqlEngine, type TargetFile } from '../mock/mock.ts'
import { RecordRefused } from '../mock/records.ts'
import { type ExternalEngine, TelemetryUnavailable } from '../telemetry/external-engine.ts'
import type { OptionsOf } from '../words/check-options.ts'
import { SqlRefused } from '../words/sql.ts'
import { renderBanner } from './banner.ts'
import { fitHelp } from './fit-help.ts'
import { renderHelp } from './help.ts'
import { limitsOf, type OptionValues } from './options.ts'
import { fileOfDocument, listUnknownVariables, OptionRefused, readOptions } from './read-options.ts'
import { readBaselineOption, readDocumentOption, readScenarioOption } from './read-shipped.ts'
import { renderCall } from './render-call.ts'

/** What the command needs from the process that runs it. */
export interface CommandContext {
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
  readonly columns?: number
  write(text: string): unknown
}

/** Runs `stack-parity mock` until it is stopped. Returns the exit status, as `help.ts` lists it. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const { env, version, stdout, stderr } = context
  let external: ExternalEngine | undefined
  let sql: SqlEngine | undefined
  let keptState: KeptState | undefined
  const stopping = new AbortController()
  try {
    const file = fileOfDocument(args, env)
    const { document, core } = file ? await readDocumentOption(file) : { document: undefined, core: ownCore }
    const values = readOptions(args, env, core.contract)
    if (!values) {
      stdout.write(fitHelp(renderHelp(), stdout.columns))
      return 0
    }
    for (const sentence of listUnknownVariables(env)) stderr.write(`stack-parity mock: ${sentence}\n`)
    if (values['sql-clean']) {
      if (values.sql === undefined) throw new OptionRefused('--sql-clean needs a ClickHouse: name it with --sql.')
      const { cleanSql } = await import('../sql/connect.ts')
      stdout.write(`${(await cleanSql(values.sql, values.yes ?? false, env)).join('\n')}\n`)
      return 0
    }
    // Registered before the mock is announced, so that no signal is lost.
    const stopped = context.stopped()
    void stopped.then(() => stopping.abort())
    external = await connectTelemetryEngine(values, env)
    sql = await connectSqlEngine(values, env)
    const mock = createFromOptions(values, { core, external, sql, document })
    if (external && values['telemetry-seed']) {
      const rows = await writeStory(mock.deployment(), external, mock.clock.now())
      stderr.write(`Wrote ${rows} generated rows to ${external.name}.\n`)
    }
    if (values.log ?? (stderr.isTTY && !values.json)) {
      const hasColours = stderr.isTTY === true && !env.NO_COLOR
      mock.onCall((entry, worldId) => stderr.write(`${renderCall(entry, { hasColours, at: new Date(), worldId })}\n`))
    }
    const warn = (sentence: string) => void stderr.write(`${sentence}\n`)
    const warnOf = (title: string, name: 'documentChanges' | 'documentDisagreements') => {
      const lines = mock[name]
      if (lines.length > 0) warn([`--document ${values.document} ${title}:`, ...cutList(lines, name)].join('\n  '))
    }
    if (values.state !== undefined) {
      const options = { warn, isStrict: values['strict-state'], signal: stopping.signal }
      keptState = await keepState(mock, values.state, options)
    }
    warnOf('changes', 'documentChanges')
    warnOf('disagrees, and does not change', 'documentDisagreements')
    const overridden = keptState?.isLoaded ? listOverridden(core, values, mock) : []
    if (overridden.length > 0) {
      warn(`--state ${values.state}: the saved world overrides ${overridden.join(', ')}.`)
    }
    if (!keptState?.isLoaded) for (const sentence of mock.leftOut()) warn(`--scenario ${values.scenario}: ${sentence}.`)
    const { target, consoleToken, tlsUrl, close } = await serve(mock, {
      cloudPort: 8001,
      selfHostedPort: 8000,
      sqlPort: 8443,
      tlsPort: 8444,
      ...optionsOfLibrary(listeningOptions, values),
      consolePort: values['no-console'] ? false : (values['console-port'] ?? 8080),
      sqlFolder: folderOfSql(values),
      webhookHosts: values['webhook-host'],
      saveProblem: () => keptState?.problem(),
      console: { version, startedWith: describeOptions(values, external, sql), verify: context.verify },
    })
    const terminal = values.json ? stderr : stdout
    const hasColours = terminal.isTTY === true && !env.NO_COLOR
    const { seed } = mock.deployment().world
    const host = values.host ?? '127.0.0.1'
    terminal.write(
      renderBanner({
        target: target(),
        version,
        seed,
        host,
        hasColours,
        consoleToken,
        tlsUrl,
        chaos: mock.chaos(),
        scenario: overridden.some(text => text.startsWith('--scenario ')) ? undefined : values.scenario,
        telemetry: external?.name,
        sql: sql && { engine: sql.name, password: passwordOfTarget(mock, target()) },
      }),
    )
    if (values.json) stdout.write(`${JSON.stringify(target())}\n`)
    await stopped
    await close()
    const isKept = (await keptState?.close()) ?? true
    return isKept ? 0 : 1
  } catch (error) {
    if (stopping.signal.aborted && (error as Error).name === 'AbortError') return 0
    const isExpected = [OptionRefused, PortRefused, SqlRefused, StateRefused, TelemetryUnavailable, TlsRefused].some(
      known => error instanceof known,
    )
    if (!isExpected) throw error
    const advice = error instanceof PortRefused ? nameWorkingCommand(error, args, env) : ''
    stderr.write(`stack-parity mock: ${(error as Error).message}${advice}\n`)
    return 2
  } finally {
    keptState?.release()
    await external?.close()
    await sql?.close()
  }
}

/** The generated password of the service of the target file; undefined if it was changed. */
function passwordOfTarget(mock: Mock, { cloud }: TargetFile): string | undefined {
  const { core, world } = mock.deployment()
  return cloud && core.sql?.firstPassword(world, cloud.organizationId, cloud.serviceId)
}

/** Where the SQL engine keeps the data of a saved world: beside its file, or in its folder. */
function folderOfSql({ state }: OptionValues): string | undefined {
  if (state === undefined) return undefined
  return resolve(isFolder(state) ? join(state, '_sql') : `${state}.sql`)
}

/** The engine of --sql, loaded on demand. */
async function connectSqlEngine(values: OptionValues, env: CommandContext['env']): Promise<SqlEngine | undefined> {
  if (values.sql === undefined) return undefined
  const { connectSql } = await import('../sql/connect.ts')
  return connectSql(values.sql, { env, services: values['sql-services'], folder: folderOfSql(values) })
}

function describeOptions(
  { scenario, as, document, choose, gaps, segment, offer, cors, freeze, speed }: OptionValues,
  external: ExternalEngine | undefined,
  sql: SqlEngine | undefined,
): Record<string, string> {
  const values = Object.entries({
    scenario,
    as,
    document,
    choose: choose?.flatMap(nameChoices).join(', '),
    gaps,
    segment,
    offer: offer?.join(', '),
    cors: cors?.join(', '),
    freeze,
    speed,
    telemetry: external?.name,
    sql: sql?.name,
  }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(values.map(([name, value]) => [name, String(value)]))
}

const nameChoices = (choices: Choices): string[] =>
  Object.entries(choices).flatMap(([form, own]) =>
    Object.entries(own).map(([gap, choice]) => `${form}:${gap}=${choice}`),
  )

/** Names a command that takes free ports in place of the refused ones; empty if no port was refused. */
function nameWorkingCommand({ options }: PortRefused, args: readonly string[], env: CommandContext['env']): string {
  if (options.length === 0) return ''
  const isNpmStart = env.npm_package_name === 'stack-parity' && env.npm_lifecycle_event === 'start'
  const program = isNpmStart ? 'npm start --' : `${env.npm_command === 'exec' ? 'npx ' : ''}stack-parity mock`
  const isOtherArgument = (arg: string, at: number) =>
    !options.includes(arg.split('=')[0]!) && !options.includes(args[at - 1] ?? '')
  const more = args.some(isOtherArgument) ? ' (with your other options)' : ''
  return ` This works: ${program} ${options.map(option => `${option} 0`).join(' ')}${more}`
}

/** Lists the options that contradict a loaded world, each with the value of the world. */
function listOverridden(core: Core, values: OptionValues, mock: Mock): readonly string[] {
  const { seed, size } = mock.deployment().world
  const overridden = Object.entries({ seed, ...size }).flatMap(([name, actual]) => {
    const value = values[name as keyof OptionValues]
    return value === undefined || value === actual ? [] : [`--${name} ${value} (it has ${actual})`]
  })
  const scenario = mock.scenario()
  if (
    values.scenario !== undefined &&
    JSON.stringify(readScenarioOption(core, values.scenario)) !== JSON.stringify(scenario)
  ) {
    const name = typeof scenario === 'string' ? scenario : 'records of its own'
    overridden.push(`--scenario ${values.scenario} (it has ${name})`)
  }
  return overridden
}

/** The engine of --telemetry, loaded on demand; undefined for the embedded one. */
async function connectTelemetryEngine(
  values: OptionValues,
  env: CommandContext['env'],
): Promise<ExternalEngine | undefined> {
  const { telemetry = 'embedded', 'telemetry-write': write, 'telemetry-seed': isSeeded } = values
  if (isSeeded && write === undefined) {
    throw new OptionRefused('--telemetry-seed writes rows: allow it with --telemetry-write DATABASE.')
  }
  if (telemetry !== 'embedded') {
    const { connectTelemetry } = await import('../telemetry/clickhouse/connect.ts')
    return connectTelemetry(telemetry, { write, env })
  }
  if (write !== undefined) throw new OptionRefused('--telemetry-write needs a ClickHouse: name it with --telemetry.')
  return undefined
}

/** The values of the options that the library has, whose names are those of the command in camel case. */
function optionsOfLibrary<Known extends object>(known: Known, values: OptionValues): OptionsOf<Known> {
  const named = Object.entries(values).map(
    ([name, value]) => [name.replace(/-(.)/g, (_, letter) => letter.toUpperCase()), value] as const,
  )
  return Object.fromEntries(named.filter(([name]) => Object.hasOwn(known, name))) as OptionsOf<Known>
}

const maxListedChanges = 20

/** The first lines, and where all are. */
function cutList(lines: readonly string[], name: string): readonly string[] {
  const more = lines.length - maxListedChanges
  const rest = `and ${more} more: createMock({ document }).${name} has all`
  return more > 0 ? [...lines.slice(0, maxListedChanges), rest] : lines
}

interface Inputs {
  readonly core: Core
  readonly external: ExternalEngine | undefined
  readonly sql: SqlEngine | undefined
  readonly document: object | undefined
}

function createFromOptions(values: OptionValues, { core, external, sql, document }: Inputs): Mock {
  const { as, freeze, speed, scenario, cors } = values
  if (freeze && speed !== undefined && speed > 1) {
    throw new OptionRefused(`--freeze and --speed ${speed} contradict each other: leave one of them out.`)
  }
  const keyword = cors?.find(word => corsKeywords.includes(word))
  if (keyword !== undefined && new Set(cors).size > 1) {
    const others = cors!.filter(word => word !== keyword).join(', ')
    throw new OptionRefused(`--cors ${keyword} cannot be combined: leave out ${others}.`)
  }
  const options: MockOptions = {
    ...optionsOfLibrary(mockOptions, values),
    scenario: scenario === undefined ? undefined : readScenarioOption(core, scenario),
    as: as === undefined ? undefined : { choices: readBaselineOption(core, as) },
    document,
    choices: values.choose?.reduce<Choices | undefined>(overlay, undefined),
    faults: values.fault,
    chaos: {
      latencyMs: values.latency,
      errorRate: values['error-rate'],
      dropRate: values['drop-rate'],
      truncateRate: values['truncate-rate'],
      operations: values['chaos-operation'],
      seed: values['chaos-seed'],
    },
    worldIdleMs: values['world-idle'],
    limits: limitsOf(values),
    telemetry: external,
    sql,
  }
  try {
    return createMock(options)
  } catch (error) {
    // Records come from a scenario only.
    if (!(error instanceof RecordRefused)) throw error
    throw new OptionRefused(`--scenario ${values.scenario}: ${error.message}.`)
  }
}
