import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { TargetFile } from '../../mock-server/mock/mock.ts'
import { type Process, start } from './running.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The copy of the build for this run. It is inside the project, so that it can import msw. */
export const dist = `${root}node_modules/.cache/stack-parity-bench/${process.pid}/`

/** Builds if the build is stale, and copies it, so that another build does not replace it during the run. */
export function build() {
  execFileSync(process.execPath, ['.ci/build.mjs', '--if-stale', '--bundles'], { cwd: root, stdio: 'ignore' })
  cpSync(`${root}dist/`, dist, { recursive: true })
  process.once('exit', () => rmSync(dist, { recursive: true, force: true }))
}

export interface BuiltMock extends Process {
  readonly target: Target
  readonly cloudPort: number
  readonly selfHostedPort: number
}

/** The target file of a mock with both listeners. */
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
