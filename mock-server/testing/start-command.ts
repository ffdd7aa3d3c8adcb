import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TargetFile } from '../index.ts'

/** The built command. */
export const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** Starts a mock with arguments that include --json, and returns when it has printed its line. */
export async function startCommand(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [cli, 'mock', ...args], { env: { ...process.env, ...env } })
  let [stdout, stderr] = ['', '']
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const exited = new Promise<number | null>(resolve => child.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', chunk => {
      stdout += chunk
      if (stdout.includes('\n')) resolve()
    })
    void exited.then(() => reject(new Error(`the mock did not start: ${stderr}`)))
  })
  return {
    child,
    target: JSON.parse(stdout) as TargetFile,
    async banner() {
      while (!stderr.includes('Ctrl-C')) await new Promise(resolve => child.stderr.once('data', resolve))
      return stderr
    },
    async stop(signal: NodeJS.Signals) {
      child.kill(signal)
      return { status: await exited, stderr, lines: stdout.split('\n').length - 1 }
    },
  }
}
