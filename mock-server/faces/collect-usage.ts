import type { Contract } from '../../fixtures/built-contract/index.ts'
import { mergeUsages } from '../core/usage/merge.ts'
import { createUsage, type UsageRecorder, type UsedCall } from '../core/usage/usage.ts'

/** Collects the usage of all mocks of a process, and keeps it in a file. */
export interface UsageCollector {
  /** Adds a call to a mock with this contract; `test` made it, by default the test that the test runner names. */
  add(call: UsedCall, contract: Contract, test?: string): void
  /** Writes what has been added since the last time. */
  save(): void
}

/** Where the packages of one process, which are bundled separately, find the one collector. */
const key = Symbol.for('stack-parity.usage')

interface Process {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly pid: number
  readonly stderr: { write(text: string): unknown }
  on(event: 'exit', listener: () => void): unknown
  getBuiltinModule(name: string): unknown
}

/** Counts are written after this time; what no earlier call sent is written at once, since runners kill their workers. */
const delayMs = 500
/** Not the timers that a test may replace. */
const { setTimeout } = globalThis

/** The collector of this process if `STACK_PARITY_USAGE` names a file; undefined in a browser. */
export function usageCollector(): UsageCollector | undefined {
  const { process, [key]: known } = globalThis as { process?: Process; [key]?: UsageCollector }
  const file = process?.env?.STACK_PARITY_USAGE
  if (!process || !file) return undefined
  return known ?? Object.assign(globalThis, { [key]: createCollector(process, file) })[key]
}

function createCollector(process: Process, file: string): UsageCollector {
  const usages = new Map<Contract, UsageRecorder>()
  // No import: bundles for browsers contain this file.
  const { writeFileSync } = process.getBuiltinModule('node:fs') as typeof import('node:fs')
  // Processes in several containers may have the same id.
  const part = `${file}.${process.pid}-${crypto.randomUUID().slice(0, 8)}.part`
  let isChanged = false
  let isRefused = false
  let timer: { unref?(): void } | undefined
  const save = () => {
    timer = undefined
    if (!isChanged) return
    isChanged = false
    try {
      writeFileSync(part, `${JSON.stringify(mergeUsages([...usages.values()].map(one => one.read())))}\n`)
    } catch (error) {
      // Not thrown: it would fail a test, or end the process from a timer.
      if (!isRefused)
        process.stderr.write(`STACK_PARITY_USAGE: ${part} cannot be written (${(error as Error).message}).\n`)
      isRefused = true
    }
  }
  process.on('exit', save)
  return {
    add(call, contract, test = currentTest()) {
      const usage = usages.get(contract) ?? createUsage(contract)
      usages.set(contract, usage)
      const isNew = usage.add(call, test)
      isChanged = true
      if (isNew) void Promise.resolve().then(save)
      else if (!timer) {
        timer = setTimeout(save, delayMs) as { unref?(): void }
        timer.unref?.()
      }
    },
    save,
  }
}

/** The name of the running test, where the runner has its `expect` among the globals. */
function currentTest(): string | undefined {
  const { expect } = globalThis as { expect?: { getState?(): { currentTestName?: string } } }
  return expect?.getState?.().currentTestName
}
