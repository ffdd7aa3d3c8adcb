import { createMock, type Mock, type RuleId } from '../core/mock.ts'
import { PortRefused, serve } from '../serve.ts'
import { renderBanner } from './banner.ts'
import { readChoices } from './baseline.ts'
import { renderHelp } from './help.ts'
import type { Told } from './options.ts'
import { readOptions, UsageError } from './read-options.ts'

/** What a command needs from the process that runs it. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  /** The folder of the baselines that the package ships. */
  readonly baselines: URL
  readonly stdout: Terminal
  readonly stderr: Terminal
  /** Settles when the process is asked to stop. */
  stopped(): Promise<unknown>
}

interface Terminal {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Runs `stack-parity mock` until it is asked to stop; answers the exit status. */
export async function run(args: readonly string[], around: Surroundings): Promise<number> {
  const { env, version, stdout, stderr } = around
  if (args.includes('--help') || args.includes('-h')) {
    stdout.write(renderHelp())
    return 0
  }
  try {
    const told = readOptions(args, env)
    // Listened for before anybody can be told that the mock is there.
    const stopped = around.stopped()
    const { target, close } = await serve(create(told, around.baselines), {
      host: told.host,
      cloudPort: told['cloud-port'] ?? 8001,
      selfHostedPort: told['self-hosted-port'] ?? 8000,
      consolePort: told['no-console'] ? false : (told['console-port'] ?? 8080),
    })
    const terminal = told.json ? stderr : stdout
    const colours = terminal.isTTY === true && !env.NO_COLOR
    terminal.write(renderBanner({ target, version, seed: told.seed ?? 1, host: told.host ?? '127.0.0.1', colours }))
    if (told.json) stdout.write(`${JSON.stringify(target)}\n`)
    await stopped
    await close()
    return 0
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof PortRefused)) throw error
    stderr.write(`${error.message}\n`)
    return 2
  }
}

/** A world that cannot be made is a matter of the command line: the core's sentence says which. */
function create(told: Told, baselines: URL): Mock {
  const { seed, now, organizations, services, members, backups, logs, segment, gaps, fault } = told
  const choices = told.as === undefined ? undefined : readChoices(told.as, baselines)
  const size = { organizations, services, members, backups, logs }
  const faults = fault as readonly RuleId[] | undefined
  try {
    return createMock({ seed, now, ...size, segment, choices, gaps, faults, rateLimit: told['rate-limit'] })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
