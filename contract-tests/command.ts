import { readFileSync, writeFileSync } from 'node:fs'
import { type OptionName, readOptions, renderHelp } from './command/options.ts'
import { exitStatus } from './harness/exit-status.ts'
import type { Report } from './harness/report/report.ts'
import { createPaint, renderTerminal, titleOf } from './harness/report/terminal.ts'
import { type ListedRule, select } from './harness/rules.ts'
import { createSupertestClient } from './harness/supertest-client.ts'
import { parseTarget, type TargetFile, UsageError } from './harness/target.ts'
import { verify } from './harness/verify.ts'

/** What the command stands in; cli.ts hands it over, with a way to start the mock that this folder must not know. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly startMock: () => Promise<{ readonly target: TargetFile; close(): Promise<void> }>
  readonly nearest: (word: string, words: readonly string[]) => string | undefined
  readonly stopped: () => Promise<unknown>
}

/** Runs `verify`, and answers with the exit status. */
export async function run([command, ...args]: readonly string[], around: Surroundings): Promise<number> {
  try {
    if (command !== 'verify') throw new UsageError(`${command} is not there yet in this version.`)
    return await runVerify(args, around)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    around.stderr.write(`stack-parity ${command}: ${error.message}\n`)
    return 2
  }
}

async function runVerify(args: readonly string[], around: Surroundings): Promise<number> {
  const given = readOptions(args, around.nearest)
  const { stdout, stderr, env, version } = around
  if (given.help) {
    stdout.write(renderHelp())
    return 0
  }
  const selection = { sections: given.section, rules: given.rule }
  const rules = select(selection)
  if (rules.length === 0) throw new UsageError('no rule is selected: stack-parity verify --list prints them all.')
  const colour = (stream: NodeJS.WriteStream) => stream.isTTY === true && !env.NO_COLOR
  if (given.list) {
    stdout.write(renderList(rules, createPaint(colour(stdout))))
    return 0
  }
  if (given['read-only'] && given['allow-writes'])
    throw new UsageError('--read-only and --allow-writes exclude each other.')
  const reports = (given.report ?? []).map(readReport)
  const timeout = given.timeout ? readNumber('timeout', given.timeout[0]!) : 10_000
  const mock = given.target ? undefined : await around.startMock()
  const client = createSupertestClient({ timeout })
  const interrupted = new AbortController()
  void around.stopped().then(() => interrupted.abort())
  try {
    const report = await verify({
      target: mock?.target ?? readTarget(given.target![0]!, env),
      client,
      version,
      ...selection,
      readOnly: given['read-only'] ? true : given['allow-writes'] ? false : undefined,
      signal: interrupted.signal,
      onProgress: stderr.isTTY && !env.CI ? showProgress(stderr) : undefined,
    })
    if (stderr.isTTY && !env.CI) stderr.write('\r\u001b[K')
    const status = exitStatus(report, { strict: given.strict !== undefined })
    // A report on stdout is for a program: what a person reads goes elsewhere then.
    const screen = reports.some(({ file }) => file === '-') ? stderr : stdout
    screen.write(renderTerminal(report, createPaint(colour(screen))))
    for (const { file, render } of reports) {
      if (file === '-') stdout.write(render(report))
      else writeReport(file, render(report))
    }
    if (status === 2) screen.write(`${nothingJudged(report)}\n`)
    return status
  } finally {
    client.close?.()
    await mock?.close()
  }
}

function readTarget(file: string, env: Surroundings['env']): TargetFile {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`the target file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  try {
    return parseTarget(text, env)
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`the target file ${file} cannot be used: ${error.message}`)
    throw error
  }
}

const kinds: Record<string, (report: Report) => string> = { json: report => `${JSON.stringify(report, null, 2)}\n` }

function readReport(value: string): { file: string; render: (report: Report) => string } {
  const [, kind = '', file = ''] = /^([\w-]+)=([\s\S]+)$/.exec(value) ?? []
  const render = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (!render || !file)
    throw new UsageError(`--report takes KIND=FILE with a KIND of ${Object.keys(kinds).join(', ')}, not "${value}".`)
  return { file, render }
}

function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(`the report ${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`)
  }
}

function readNumber(name: OptionName, value: string): number {
  const number = Number(value)
  if (!Number.isFinite(number) || number <= 0) throw new UsageError(`--${name} takes a number above 0, not "${value}".`)
  return number
}

function showProgress(stream: NodeJS.WriteStream) {
  let shown = 0
  return (done: number, total: number, step: { name: string }) => {
    if (performance.now() - shown < 50 && done < total) return
    shown = performance.now()
    const room = (stream.columns ?? 80) - 20
    stream.write(`\r\u001b[K${String(done).padStart(4)} of ${total}  ${step.name.slice(0, room)}`)
  }
}

function renderList(rules: readonly ListedRule[], paint: ReturnType<typeof createPaint>): string {
  const lines: string[] = []
  let section = ''
  for (const rule of rules) {
    if (rule.section !== section) lines.push('', paint.bold(titleOf(rule.section)))
    section = rule.section
    lines.push(`  ${rule.id.padEnd(52)} ${rule.level.padEnd(8)} ${paint.dim(rule.says)}`)
  }
  return `${lines.join('\n').trimStart()}\n`
}

const nothingJudged = (report: Report) =>
  `Nothing could be judged: ${report.rules.find(({ outcome }) => outcome === 'errored')?.detail ?? report.cut ?? 'no rule that was selected applies to this target'}.`
