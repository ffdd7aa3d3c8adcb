import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { TargetFile } from '../../mock-server/mock/mock.ts'
import { type Running, start } from './running.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Where what was built lies for this run, inside the project, so that it finds msw. */
export const dist = `${root}node_modules/.cache/stack-parity-bench/${process.pid}/`

/** Builds if need be, and copies what was built aside: another build in the middle of a run would pull it away. */
export function build() {
  execFileSync(process.execPath, ['.ci/build.mjs', '--if-stale'], { cwd: root, stdio: 'ignore' })
  cpSync(`${root}dist/`, dist, { recursive: true })
  process.once('exit', () => rmSync(dist, { recursive: true, force: true }))
}

export interface BuiltMock extends Running {
  readonly target: Target
  readonly cloudPort: number
  readonly selfHostedPort: number
}

/** Of a mock that serves both forms. */
export type Target = Required<TargetFile>

export const anyPorts = ['--cloud-port', '0', '--self-hosted-port', '0', '--console-port', '0']

/** Starts the built command line on free ports. */
export async function startBuiltMock(...options: readonly string[]): Promise<BuiltMock> {
  const { line, ...running } = await start(process.execPath, [
    `${dist}cli.js`,
    'mock',
    '--json',
    ...anyPorts,
    ...options,
  ])
  const target = JSON.parse(line) as Target
  const portOf = (url: string) => Number(new URL(url).port)
  return {
    ...running,
    target,
    cloudPort: portOf(target.cloud.baseUrl),
    selfHostedPort: portOf(target.selfHosted.baseUrl),
  }
}
