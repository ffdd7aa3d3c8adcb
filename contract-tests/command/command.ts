import type { Usage } from '../../fixtures/usage.ts'
import type { TargetFile } from '../engine/target/target.ts'
import type { Baseline } from '../run/baseline.ts'
import type { toPageCall } from '../run/proxy/page-call.ts'
import type { ProxiedForm } from '../run/proxy/proxied-call.ts'
import type { ProofMock } from '../run/usage/arrange-request.ts'
import type { UsedCall } from '../run/usage/calls-of-har.ts'
import type { Option, OptionValues } from './options.ts'

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
  readonly startMock: (like?: MockLike) => Promise<{ readonly target: TargetFile; close(): Promise<void> }>
  /** The OpenAPI document of an API as the contract describes it. */
  readonly describe: (api: 'cloud' | 'selfHosted') => Promise<unknown>
  /** A mock in process of an API as a document describes it, by default as the contract does. Throws an Error for a document that it cannot serve. */
  readonly createProofMock: (api: 'cloud' | 'selfHosted', document: object | undefined) => Promise<ProofMock>
  /** The names of the resources that a scenario of the mock may hold. */
  readonly listCapturable: () => Promise<readonly string[]>
  /** Adds up calls and usages. The mock does it, because it also records usage itself. */
  readonly usageTools: () => Promise<{
    createUsage(): { add(call: UsedCall): unknown; read(): Usage }
    mergeUsages(usages: readonly Usage[]): Usage
  }>
  /** The program of the thread in which `proxy` judges. */
  readonly judgeThread: URL
  /** Serves the console with the calls of `proxy`. */
  readonly openCallsPage: (options: {
    readonly port: number
    readonly target: TargetFile
    /** The baseline of the mock that the page can also send a call to. */
    readonly as: Baseline | undefined
  }) => Promise<CallsPage>
  /** Reads the options of a command by their table. Returns a message for options that cannot be read. */
  readonly readArguments: (command: string, args: readonly string[], table: Command['options']) => OptionValues | string
  /** Fits a help text to the width of the terminal. */
  readonly fitHelp: (text: string, columns: number | undefined) => string
  /** Resolves with the next signal that asks the command to stop. */
  readonly stopped: () => Promise<unknown>
}

/** What makes a mock answer as another: its state, its choices by form, and the segment of its managed form. */
export interface MockLike {
  readonly state: unknown
  readonly choices: unknown
  readonly segment: string | undefined
}

/** The console with the calls of a proxy, each in the form that the mock's journal has. */
export interface CallsPage {
  readonly address: string
  /** Shows where the proxy listens, once it does. */
  announce(addresses: Readonly<Partial<Record<ProxiedForm, string>>>): void
  record(call: ReturnType<typeof toPageCall>): void
  close(): Promise<void>
}

export interface Command<Name extends string = string> {
  readonly options: Readonly<Record<Name, Option>>
  readonly help: string
  /** The option whose values are the arguments that stand before all options, the name of a subcommand among them. */
  readonly arguments?: Name
  /** Runs the command. Returns the exit status. */
  readonly run: (values: OptionValues<Name>, context: CommandContext) => Promise<number>
}
