import { basename } from 'node:path'
import { createSupertestClient } from '../engine/clients/supertest-client.ts'
import { openLedger } from '../engine/ledger-file.ts'
import { createRedactor } from '../engine/redact.ts'
import { recogniseMock } from '../engine/target/own-mock.ts'
import { findUnencryptedUrl, refuseForbiddenWrites, UsageError } from '../engine/target/target.ts'
import { exitStatus, type Gates } from '../report/exit-status.ts'
import { countOf, groupByTitle } from '../report/outline.ts'
import type { Report } from '../report/report.ts'
import { type Paint, renderTerminal, type TerminalOptions } from '../report/terminal.ts'
import { describePrevented, describeUnjudged } from '../report/unjudged.ts'
import { onOneLine } from '../report/visible.ts'
import type { ListedRule, Selection } from '../rules/select.ts'
import { markGone } from '../run/assemble.ts'
import { renderBaseline } from '../run/baseline.ts'
import { judgeHar } from '../run/har/judge-har.ts'
import { createUseMarker } from '../run/usage/mark-use.ts'
import { examine, isReadOnly } from '../run/verify.ts'
import type { Command, CommandContext } from './command.ts'
import { readJudgesOf, readUsage, runDocument } from './document.ts'
import { readBeside, readJson, readTarget, refuseMissingFolder, writeText } from './files.ts'
import { describeInterruption, handleSignals, STOPPED, sweepLine } from './interruption.ts'
import { help, type OptionValues, options } from './options.ts'
import { announceLength, describeCaution, isCI, printPlan, showProgress } from './plan.ts'
import { type RequestedReport, readReports, screenFor, writeReports } from './reports.ts'
import {
  readBaseline,
  readDrift,
  readEffects,
  readFailOn,
  readForms,
  readKnownBroken,
  readKnownDrift,
  readNumber,
  readSelection,
  refuseAbsentForms,
  updateKnownDrift,
} from './values.ts'

export const verify: Command<keyof typeof options> = { options, help, run }

async function run(values: OptionValues, context: CommandContext): Promise<number> {
  const { stdout, stderr, env } = context
  const quiet = values.quiet !== undefined || isCI(env)
  const selection: Selection = {
    sections: values.section?.map(section => section.replace(/^§\s*/, '')),
    rules: values.rule,
    forms: readForms(values),
  }
  const judges = values.target && !values.har ? await readJudgesOf(values) : undefined
  const selected = readSelection(selection, judges?.contract)
  if (values.list) {
    stdout.write(renderList(selected, screenFor([], context).paint))
    return 0
  }
  if (values['read-only'] && values['allow-writes'])
    throw new UsageError('--read-only and --allow-writes exclude each other.')
  if (values.against && (!values.document || values.target || values.har))
    throw new UsageError('--against FILE needs --document FILE, and excludes --target and --har.')
  const ofDrift = values.drift ? '--drift gates' : values['update-known-drift'] && '--update-known-drift lists'
  if (values['used-by'] && !values.baseline && !values.document)
    throw new UsageError('--used-by divides what --baseline FILE or --document FILE finds; name one of them.')
  if (ofDrift && !values.baseline && !values.document)
    throw new UsageError(`${ofDrift} what --baseline FILE or --document FILE finds; name one of them.`)
  const drift = readDrift(values)
  // What is being accepted fails no run.
  const gates: Gates = { drift: values['update-known-drift'] ? 'warn' : drift }
  const reports = readReports(values.report ?? [])
  const runOptions = {
    ...selection,
    version: context.version,
    failOn: readFailOn(values),
    rate: readNumber(values, 'rate'),
    maxRequests: readNumber(values, 'max-requests'),
    retries: readNumber(values, 'retries'),
    allowEffects: readEffects(values),
    thorough: values.thorough !== undefined,
    ...(values['read-only'] && { readOnly: true }),
    ...(values['allow-writes'] && { readOnly: false }),
    knownBroken: readKnownBroken(values, context, judges?.contract),
    baseline: readBaseline(values, context),
    readsAll: (values.baseline ?? values['update-baseline']) !== undefined && !values.rule && !values.section,
    knownDrift: readKnownDrift(values),
  }
  if (values['update-baseline']) refuseMissingFolder('--update-baseline', values['update-baseline'][0]!)
  refuseOffline(values)
  if (values.document && !values.target && !values.har)
    return runDocument(values, gates, runOptions.knownDrift, reports, context)
  const { document, contract } = judges ?? (await readJudgesOf(values))
  const usage = await readUsage(values, context)
  const markUse = usage && createUseMarker(usage)
  if (values.har) {
    const [file] = values.har as [string]
    const judge = (har: unknown) =>
      judgeHar(har, { ...runOptions, document, markUse, name: basename(file), readAttachment: readBeside(file) })
    return conclude(readJson('--har', file, judge), values, gates, reports, context, { quiet })
  }
  const givenTarget = values.target ? readTarget(values.target[0]!, env, values.insecure !== undefined) : undefined
  if (givenTarget && values['allow-writes']) refuseForbiddenWrites(givenTarget, '--allow-writes')
  const client = createSupertestClient({ timeout: readNumber(values, 'timeout') ?? 10_000 })
  const mock = givenTarget ? undefined : await context.startMock()
  const target = await recogniseMock(givenTarget ?? mock!.target, client)
  refuseAbsentForms(selection, target)
  try {
    const caution = describeCaution({ ...runOptions, target })
    if (caution) stderr.write(`${caution}\n`)
    if (values.plan) return await printPlan({ ...runOptions, contract, target }, context)
    if (!quiet) await announceLength({ ...runOptions, contract, target }, context)
    const opened = openLedger(target, values.ledger?.[0], reports.find(({ file }) => file !== '-')?.file)
    // Objects left in the run's own mock are gone when it closes.
    const left = () => (mock ? [] : opened.ledger.left())
    const sweep = sweepLine(values.target?.[0] ?? 'FILE', opened.file, findUnencryptedUrl(target) !== undefined)
    if (!mock && !isReadOnly({ ...runOptions, target }))
      stderr.write(
        createRedactor(target)(
          `${opened.file} records what this run creates. If the run is killed, delete that with: ${sweep}\n`,
        ),
      )
    const interruption = handleSignals(context, left)
    const examination = examine({
      ...runOptions,
      document,
      contract,
      markUse,
      target,
      client,
      ledger: opened.ledger,
      signal: interruption.ending,
      onProgress: showProgress(context),
    })
    const received = await Promise.race([examination, interruption.stoppedAtOnce])
    opened.close()
    if (received === 'stopped') {
      stderr.write(createRedactor(target)(describeInterruption(left(), sweep)))
      return STOPPED
    }
    const reportWithLedger = received.report.left ? { ...received.report, ledger: opened.file } : received.report
    const report = mock ? forgetMock(received.report) : reportWithLedger
    if (values['update-baseline'])
      writeText('--update-baseline', values['update-baseline'][0]!, renderBaseline(received.observe()))
    return conclude(report, values, gates, reports, context, mock ? { quiet } : { quiet, sweep })
  } finally {
    client.close?.()
    await mock?.close()
  }
}

/** Removes what refers to the run's own mock, which ends with the run. */
const forgetMock = ({ target, left: _, ...report }: Report): Report => ({
  ...report,
  target: { name: target.name, forms: target.forms },
  rules: markGone(report.rules, () => true),
})

/** Prints and writes a report. Returns the exit status. */
function conclude(
  report: Report,
  values: OptionValues,
  gates: Gates,
  reports: readonly RequestedReport[],
  context: CommandContext,
  options: Pick<TerminalOptions, 'quiet' | 'sweep'>,
): number {
  const status = exitStatus(report, gates)
  const { screen, paint } = screenFor(reports, context)
  const { columns } = screen
  screen.write(renderTerminal(report, paint, { ...options, ...(screen.isTTY ? { columns } : {}) }))
  if (status === 2) screen.write(explainUnjudged(report))
  writeReports(report, reports, context)
  screen.write(updateKnownDrift(values, report))
  return status
}

/** Refuses options about a target when a file is judged and nothing is sent. */
function refuseOffline(values: OptionValues): void {
  const isOffline = values.har !== undefined || (values.document !== undefined && !values.target)
  const excluded = ['target', 'plan', 'baseline', 'update-baseline', 'ledger'] as const
  const given = isOffline && excluded.find(name => values[name])
  if (given) throw new UsageError(`--${values.har ? 'har' : 'document'} and --${given} exclude each other.`)
}

function renderList(rules: readonly ListedRule[], paint: Paint): string {
  const sections = [...new Set(rules.map(rule => rule.section))]
  const line = ({ id, level, sentence }: ListedRule) =>
    `  ${id.padEnd(52)} ${level.padEnd('documented'.length)} ${paint.dim(sentence)}`
  const ofSection = (section: string) => rules.filter(rule => rule.section === section)
  return `${sections
    .flatMap(section => groupByTitle(section, ofSection(section)))
    .flatMap(([title, titled]) => ['', paint.bold(title), ...titled.map(line)])
    .join('\n')
    .trimStart()}\n`
}

/** The last lines of a run with exit status 2; empty if the lines above name a form that was given up. */
function explainUnjudged(report: Report): string {
  const { held, broken, observed } = report.summary
  const lead = held + broken + observed > 0 ? 'Not every rule could be judged' : 'Nothing could be judged'
  if (report.cut) return `${lead}: ${onOneLine(report.cut)}.\n`
  const open = [...describeUnjudged(report), ...describePrevented(report)]
  if (open.length > 0) return `${lead}:\n${open.map(line => `  ${onOneLine(line)}\n`).join('')}`
  if (report.ended) return ''
  const { entries, judged } = report.recording ?? {}
  if (judged === 0)
    return `Nothing could be judged: no body could be read of ${countOf(entries!, 'recorded exchange')}.\n`
  const noReason = report.recording ? 'the recording answers no must rule' : 'none of the selected rules could be'
  return `${lead}: ${noReason}.\n`
}
