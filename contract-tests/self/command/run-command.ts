import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { main, processContext } from '../../../cli.ts'

/** The command as it is installed: dist/ is built before the tests run. */
export const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url))

export interface CommandResult {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts the command without the variables of the caller's environment that it would read. */
export function startCommand(
  args: readonly string[],
  env: Record<string, string> = {},
): { child: ChildProcess; finished: Promise<CommandResult> } {
  const child = spawn(process.execPath, [cli, ...args], {
    env: { PATH: process.env.PATH ?? '', NO_COLOR: '1', ...env },
  })
  const text = { stdout: '', stderr: '' }
  child.stdout.on('data', chunk => {
    text.stdout += chunk
  })
  child.stderr.on('data', chunk => {
    text.stderr += chunk
  })
  const finished = new Promise<CommandResult>(resolve => child.on('close', status => resolve({ status, ...text })))
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, finished }
}

/** Runs the command in this process, with the output and exit status of the installed command, in a third of the time. */
export async function runCommand(...args: string[]): Promise<CommandResult> {
  const [stdout, stderr] = [createSink(), createSink()]
  const streams = { stdout: stdout.stream, stderr: stderr.stream }
  const status = await main(args, { ...processContext, ...streams, env: {}, stopped: () => new Promise(() => {}) })
  return { status, stdout: stdout.text(), stderr: stderr.text() }
}

function createSink() {
  let text = ''
  const stream = new Writable({
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  return { stream: stream as NodeJS.WriteStream, text: () => text }
}

/** Creates a folder for the files of one test. */
export function createFolder(): { path: (name: string) => string; write: (name: string, content: unknown) => string } {
  const folder = mkdtempSync(join(tmpdir(), 'stack-parity-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = (name: string) => join(folder, name)
  return {
    path,
    write(name, content) {
      writeFileSync(path(name), typeof content === 'string' ? content : JSON.stringify(content))
      return path(name)
    },
  }
}
