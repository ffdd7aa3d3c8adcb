import { fileURLToPath } from 'node:url'
import type { TargetFile } from '../core/mock.ts'
import { type Running, start } from './running.ts'

/** Where what was built lies; the benchmark measures what is installed, not the sources. */
export const dist = fileURLToPath(new URL('../../dist/', import.meta.url))

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
