import type { CommandContext, MockLike } from './contract-tests/command/command.ts'
import type { ProofMock } from './contract-tests/run/usage/arrange-request.ts'
import { fitHelp } from './mock-server/command/fit-help.ts'
import type { Verify } from './mock-server/faces/control/page/suite-runner.ts'
import type { Choices } from './mock-server/gaps/choices.ts'
import { nearest } from './mock-server/words/nearest.ts'
import { version } from './package.json'

const commands = {
  mock: 'serve the mock of the API, in its cloud, managed and self-hosted form',
  verify: 'judge a deployment by the rules of the specification',
  sweep: 'delete what an interrupted verify left behind, and nothing else',
  compare: 'send the same read requests to two deployments and print what differs',
  init: 'write a target file, from your answers and from what the deployment lists',
  capture: 'write what a deployment holds, anonymised, as a scenario of the mock',
  proxy: 'pass calls on to a deployment and judge every answer',
  usage: 'add up what programs call, for verify --used-by',
}

const help = `stack-parity ${version}

A mock of a cloud management and observability API, and a suite that judges whether a
deployment follows its specification.

${Object.entries(commands)
  .map(([name, sentence]) => `  stack-parity ${name.padEnd(12)}${sentence}\n`)
  .join('')}
  verify fails on broken must and should rules; --fail-on LEVEL sets another level.
  --help after a command prints its options; --version prints the version.
`

/** Runs a command and returns its exit status. The context has what a command needs from the process: streams, environment, signals. */
export async function main(
  [command, ...args]: readonly string[],
  context: ProcessContext = processContext,
): Promise<number> {
  switch (command) {
    case 'mock': {
      const { run } = await import('./mock-server/command/run.ts')
      return run(args, { ...context, verify })
    }
    case 'verify':
    case 'sweep':
    case 'compare':
    case 'init':
    case 'proxy':
    case 'capture':
    case 'usage': {
      const [{ run }, { readArguments }] = await Promise.all([
        import('./contract-tests/command/run.ts'),
        import('./mock-server/command/read-arguments.ts'),
      ])
      return run([command, ...args], {
        ...context,
        readArguments,
        fitHelp,
        startMock,
        describe,
        createProofMock,
        openCallsPage,
        listCapturable,
        usageTools,
      })
    }
    case '--version':
    case '-v':
      context.stdout.write(`${version}\n`)
      return 0
    case '--help':
    case '-h':
    case 'help':
      context.stdout.write(fitHelp(help, context.stdout.columns))
      return 0
    case undefined:
      context.stderr.write(fitHelp(help, context.stderr.columns))
      return 2
  }
  const suggestion = nearest(command, Object.keys(commands))
  const advice = suggestion ? `Did you mean ${suggestion}?` : 'stack-parity --help lists the commands.'
  context.stderr.write(`stack-parity has no command "${command}". ${advice}\n`)
  return 2
}

/**
 * Starts the mock that verify judges if no target is given, or one that answers as another mock. It is started here, since the
 * suite must not import the mock.
 */
async function startMock(like?: MockLike) {
  const { startMock } = await import('./mock-server/faces/serve.ts')
  const { segment, choices } = like ?? {}
  // The charts of the suite need few log rows.
  const { mock, target, close } = await startMock({
    logs: 5000,
    ...(segment !== undefined && { segment }),
    ...(choices !== undefined && { choices: choices as Choices }),
  })
  if (like) mock.load(like.state)
  return { target: target(), close }
}

/** The mock's OpenAPI document of an API in its newest edition. verify compares the vendor's document with it. */
async function describe(api: 'cloud' | 'selfHosted') {
  const { createMock } = await import('./mock-server/index.ts')
  return createMock({ as: asOf(api), logs: 1 }).describe(api)
}

const asOf = (api: 'cloud' | 'selfHosted') => (api === 'cloud' ? 'clickhouse-cloud' : 'self-hosted-2.36')

/** A mock that shows what a document changes. Its clock stands still, so that answers differ by the document alone. */
export async function createProofMock(api: 'cloud' | 'selfHosted', document: object | undefined): Promise<ProofMock> {
  // Not the mock of tests: its calls would count as usage.
  const [{ createMock }, { defaultBases }] = await Promise.all([
    import('./mock-server/mock/mock.ts'),
    import('./mock-server/faces/fetch.ts'),
  ])
  const mock = createMock({
    as: asOf(api),
    now: '2026-01-01T00:00:00Z',
    freeze: true,
    logs: 1000,
    ...(document && { document }),
  })
  const target = mock.target(defaultBases)
  const { cloud, selfHosted } = target
  const authorization = {
    cloud: `Basic ${btoa(`${cloud?.keyId}:${cloud?.keySecret}`)}`,
    selfHosted: `Bearer ${selfHosted?.apiKey}`,
  }[api]
  return {
    target,
    start: `stack-parity mock --as ${asOf(api)} --document FILE`,
    async send({ method, path, body = '' }) {
      const headers = { authorization, ...(body && { 'content-type': 'application/json' }) }
      const [plain = '', query = ''] = path.split(/\?(.*)/s)
      const answer = await mock.answer({ method, path: plain, query, headers, body }, api)
      return { status: answer.status, headers: answer.headers, text: answer.body }
    },
    reset: mock.reset,
  }
}

async function listCapturable() {
  const { capturableOf } = await import('./mock-server/mock/arrange/captured.ts')
  const { core } = await import('./mock-server/mock/made-of.ts')
  return capturableOf(core)
}

async function usageTools() {
  const [{ createUsage }, { mergeUsages }, { core }] = await Promise.all([
    import('./mock-server/core/usage/usage.ts'),
    import('./mock-server/core/usage/merge.ts'),
    import('./mock-server/mock/made-of.ts'),
  ])
  return { createUsage: () => createUsage(core.contract), mergeUsages }
}

async function openCallsPage(options: Parameters<CommandContext['openCallsPage']>[0]) {
  const { PortRefused, startJournalConsole } = await import('./mock-server/faces/journal-console.ts')
  const { UsageError } = await import('./contract-tests/engine/target/target.ts')
  return startJournalConsole({ ...options, version }).catch(error => {
    throw error instanceof PortRefused ? new UsageError(error.message) : error
  })
}

/** Runs the suite for the console of the mock. */
const verify: Verify = async (target, onProgress) => {
  const [{ verify }, { trustMock }, { createSupertestClient }, { renderHtml }] = await Promise.all([
    import('./contract-tests/run/verify.ts'),
    import('./contract-tests/engine/target/own-mock.ts'),
    import('./contract-tests/engine/clients/supertest-client.ts'),
    import('./contract-tests/report/html.ts'),
  ])
  const client = createSupertestClient({ timeout: 10_000 })
  try {
    const report = await verify({
      // The mock itself asks for the run, also where its control plane requires a token.
      target: trustMock(target),
      client,
      version,
      readOnly: false,
      onProgress: (done, total, step) => onProgress(done, total, step.name),
    })
    return { report, html: renderHtml(report) }
  } finally {
    client.close?.()
  }
}

/** What a command needs from the process that runs it. */
type ProcessContext = Pick<
  CommandContext,
  'env' | 'version' | 'judgeThread' | 'baselines' | 'stdout' | 'stderr' | 'stopped'
>

export const processContext: ProcessContext = {
  env: process.env,
  version,
  judgeThread: new URL(
    import.meta.url.endsWith('.ts') ? './contract-tests/run/proxy/judge-worker.ts' : './judge-worker.js',
    import.meta.url,
  ),
  baselines: new URL(import.meta.url.endsWith('.ts') ? './fixtures/baselines/' : './baselines/', import.meta.url),
  stdout: process.stdout,
  stderr: process.stderr,
  stopped,
}

/** nodemon restarts a process by SIGUSR2, and waits until the process has ended by it. */
const restartSignal = 'SIGUSR2'
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', restartSignal] as const

/** Waits for the next signal that asks the process to stop. Between two waits, signals end the process as usual. */
function stopped(): Promise<unknown> {
  return new Promise(resolve => {
    const stop = (signal: unknown) => {
      for (const name of signals) process.off(name, stop)
      if (signal === restartSignal) process.once('exit', () => process.kill(process.pid, restartSignal))
      resolve(signal)
    }
    for (const name of signals) process.on(name, stop)
  })
}

export function start(): void {
  // A reader may close the pipe early, as in `stack-parity mock --help | head -1`.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  main(process.argv.slice(2)).then(end, error => {
    // Otherwise Node would print the line that threw, which in a bundle is very long.
    process.stderr.write(`stack-parity failed, by a defect of its own: ${(error as Error).stack}\n`)
    return end(2)
  })
}

/** Ends the process once all output has been read: a pipe holds 64 KiB, and exit drops the rest. */
async function end(status: number): Promise<void> {
  // Without listeners, a signal ends the process while it waits for a slow reader.
  for (const name of signals) process.removeAllListeners(name)
  for (const stream of [process.stdout, process.stderr]) await new Promise(resolve => stream.write('', resolve))
  process.exit(status)
}

// When tsx runs this file as a script; the installed command calls start().
if (process.argv[1] === import.meta.filename) start()
