import { type TargetFile, UsageError } from '../engine/target/target.ts'
import type { Baseline } from '../run/baseline.ts'
import { capture } from './capture.ts'
import { compare } from './compare.ts'
import { init } from './init/init.ts'
import type { Given, Option } from './options.ts'
import { proxy, type toPageCall } from './proxy.ts'
import { sweep } from './sweep.ts'
import { verify } from './verify.ts'

/**
 * What the commands need from outside, given by cli.ts: streams, environment, and a way to start the mock, which this
 * folder must not import.
 */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  /** The folder of the baselines that the package ships. */
  readonly baselines: URL
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly startMock: () => Promise<{ readonly target: TargetFile; close(): Promise<void> }>
  /** Our own description of an API, made of the contract. */
  readonly describe: (api: 'cloud' | 'selfHosted') => Promise<unknown>
  /** The resources that a scenario of the mock may hold, by their names. */
  readonly listCapturable: () => Promise<readonly string[]>
  /** The program of the thread in which `proxy` judges. */
  readonly judgeThread: URL
  /** Serves the console over the calls of `proxy`. */
  readonly openCallsPage: (options: {
    readonly port: number
    readonly target: TargetFile
    /** What a mock answers as that calls can be sent to, too. */
    readonly as: Baseline | undefined
  }) => Promise<CallsPage>
  /** Reads the options of a command by their table. Returns a message for options that cannot be read. */
  readonly readArguments: (command: string, args: readonly string[], table: Command['options']) => Given | string
  readonly stopped: () => Promise<unknown>
}

/** The console over the calls that a proxy records, as the mock's journal keeps them. */
export interface CallsPage {
  readonly address: string
  record(call: ReturnType<typeof toPageCall>): void
  close(): Promise<void>
}

export interface Command<Name extends string = string> {
  readonly options: Readonly<Record<Name, Option>>
  readonly help: string
  /** Runs the command, and answers with the exit status. */
  readonly run: (given: Given<Name>, context: CommandContext) => Promise<number>
}

const commands: Readonly<Record<string, Command>> = { verify, sweep, compare, init, proxy, capture }

/** Runs a command of the suite, and answers with the exit status. */
export async function run([command = '', ...args]: readonly string[], context: CommandContext): Promise<number> {
  const { options, help, run } = commands[command]!
  try {
    const given = context.readArguments(`stack-parity ${command}`, args, options)
    if (typeof given === 'string') throw new UsageError(given)
    if (!given.help) return await run(given, context)
    context.stdout.write(help)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    context.stderr.write(`stack-parity ${command}: ${error.message}\n`)
    return 2
  }
}
