import { type TargetFile, UsageError } from '../engine/target/target.ts'
import { runCompare } from './compare.ts'
import { runInit } from './init/init.ts'
import type { ReadArguments } from './options.ts'
import { runSweep } from './sweep.ts'
import { runVerify } from './verify.ts'

/**
 * What the commands need from outside, given by cli.ts: streams, environment, and a way to start the mock, which this
 * folder must not import.
 */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  /** The folder of the baselines that the package ships. */
  readonly baselines: URL
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly startMock: () => Promise<{ readonly target: TargetFile; close(): Promise<void> }>
  readonly readArguments: ReadArguments
  readonly nearest: (word: string, words: readonly string[]) => string | undefined
  readonly stopped: () => Promise<unknown>
}

const commands: Record<string, (args: readonly string[], around: Surroundings) => Promise<number>> = {
  verify: runVerify,
  sweep: runSweep,
  compare: runCompare,
  init: runInit,
}

/** Runs `verify`, `sweep`, `compare` or `init`, and answers with the exit status. */
export async function run([command = '', ...args]: readonly string[], around: Surroundings): Promise<number> {
  try {
    return await commands[command]!(args, around)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    around.stderr.write(`stack-parity ${command}: ${error.message}\n`)
    return 2
  }
}
