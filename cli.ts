#!/usr/bin/env node
import { nearest } from './mock-server/core/nearest.ts'
import { version } from './package.json'

const commands = {
  mock: 'serve the mock of the API, in its cloud, managed and self-hosted form',
  verify: 'judge a deployment by the rules of the specification',
  sweep: 'delete what an interrupted verify left behind, and nothing else',
  compare: 'send the same reading requests to two deployments and print what differs',
}

const help = `stack-parity ${version}

A mock of a cloud management and observability API, and the suite that tells whether a
deployment keeps to its specification.

${Object.entries(commands)
  .map(([name, says]) => `  stack-parity ${name.padEnd(9)}${says}\n`)
  .join('')}
  --help after a command prints its options; --version prints the version.
`

async function main([command, ...args]: readonly string[]): Promise<number> {
  switch (command) {
    case 'mock': {
      const { run } = await import('./mock-server/command/run.ts')
      return run(args, around)
    }
    case 'verify':
    case 'sweep':
    case 'compare': {
      const { run } = await import('./contract-tests/command.ts')
      return run([command, ...args], { ...around, nearest, startMock })
    }
    case '--version':
    case '-v':
      process.stdout.write(`${version}\n`)
      return 0
    case '--help':
    case '-h':
    case 'help':
      process.stdout.write(help)
      return 0
    case undefined:
      process.stderr.write(help)
      return 2
  }
  process.stderr.write(
    `stack-parity has no command "${command}". Did you mean ${nearest(command, Object.keys(commands))}?\n`,
  )
  return 2
}

/** The mock that verify judges when it is given no target: the suite must not know the mock, so it is handed over here. */
async function startMock() {
  const { startMock } = await import('./mock-server/serve.ts')
  return startMock()
}

const around = {
  env: process.env,
  version,
  baselines: new URL(import.meta.url.endsWith('.ts') ? './fixtures/baselines/' : './baselines/', import.meta.url),
  stdout: process.stdout,
  stderr: process.stderr,
  stopped: () =>
    new Promise(resolve => {
      process.once('SIGINT', resolve).once('SIGTERM', resolve)
    }),
}

// Whoever reads the output may leave early: `stack-parity mock --help | head -1`.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

try {
  process.exit(await main(process.argv.slice(2)))
} catch (error) {
  // Left to Node, it would come with the line of the bundle that it was thrown from, which is a long one.
  process.stderr.write(`stack-parity failed, which is its own fault: ${(error as Error).stack}\n`)
  process.exit(2)
}
