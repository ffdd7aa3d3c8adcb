import { basename } from 'node:path'
import type { Contract } from '../../fixtures/built-contract/index.ts'
import type { Usage } from '../../fixtures/usage.ts'
import { exitStatus, type Gates } from '../report/exit-status.ts'
import { describeDrift, describeImpact, formNames } from '../report/outline.ts'
import type { Drift, Proof, Report } from '../report/report.ts'
import { renderDrift, renderProof } from '../report/terminal.ts'
import { assemble } from '../run/assemble.ts'
import type { AnswerJudge } from '../run/document/judge-answers.ts'
import type { DocumentOperation } from '../run/document/read-document.ts'
import type { ProofMocks } from '../run/usage/prove-use.ts'
import type { CommandContext } from './command.ts'
import { readWith } from './files.ts'
import type { OptionValues } from './options.ts'
import { isCI } from './plan.ts'
import { type RequestedReport, screenFor, writeReports } from './reports.ts'
import { updateKnownDrift } from './values.ts'

/**
 * Compares a vendor's document (`--document`) with ours, or with the one of `--against`, and prints the differences. Returns
 * the exit status. The document readers are imported only here, since other runs do not need them.
 */
export async function runDocument(
  values: OptionValues,
  gates: Gates,
  known: ReadonlySet<string>,
  reports: readonly RequestedReport[],
  context: CommandContext,
): Promise<number> {
  const [{ compareDocuments }, { readDocument }, { parseDocument }] = await Promise.all([
    import('../run/document/compare-documents.ts'),
    import('../run/document/read-document.ts'),
    import('../run/document/parse-document.ts'),
  ])
  const startedAt = Date.now()
  const read = (option: 'document' | 'against', file: string) =>
    readWith(`--${option}`, file, text => {
      const document = parseDocument(text)
      return { document, forms: readDocument(document).forms }
    })
  const file = values.document![0]!
  const { document, forms } = read('document', file)
  const api = forms.includes('selfHosted') ? 'selfHosted' : 'cloud'
  const older = values.against ? read('against', values.against[0]!).document : await context.describe(api)
  const documented = [older, document].flatMap(one => readDocument(one).operations)
  const usage = await readUsage(values, context, documented)
  const { createUseJudge } = await import('../run/usage/judge-use.ts')
  const judgeUse = usage && createUseJudge(usage)
  const compared = compareDocuments(older, document, { isContract: !values.against, judgeUse })
  const { drift, proof } = usage
    ? await prove(compared, usage, older, async () => ({
        was: await context.createProofMock(api, values.against && (older as object)),
        is: await context.createProofMock(api, document as object),
      }))
    : { drift: compared, proof: undefined }
  const { report: assembled } = assemble(
    [],
    [],
    { name: basename(file), forms, startedAt, endedAt: Date.now(), requests: 0, redact: text => text },
    {
      version: context.version,
      knownDrift: known,
      document: () => drift,
      ...(usage && { markUse: (all: readonly Drift[]) => all }),
    },
  )
  const report = { ...assembled, ...(proof && { proof }) }
  const { screen, paint } = screenFor(reports, context)
  const quiet = values.quiet !== undefined || isCI(context.env)
  const lines = renderDrift(report, paint, { quiet, ...(screen.isTTY ? { columns: screen.columns } : {}) })
  const impact = describeImpact(report)
  const last = [...renderProof(report, paint), lastLine(report, values), ...(impact ? [impact] : [])]
  screen.write([...lines, ...last].map(line => `${line}\n`).join(''))
  writeReports(report, reports, context)
  screen.write(updateKnownDrift(values, report))
  // No rule is judged here: only drift can fail.
  return exitStatus(report, gates) === 1 ? 1 : 0
}

/** Shows on mocks of both documents what the differences do to the recorded requests. */
async function prove(
  drift: readonly Drift[],
  usage: Usage,
  older: unknown,
  createMocks: () => Promise<ProofMocks>,
): Promise<{ readonly drift: readonly Drift[]; readonly proof: Proof }> {
  const [{ proveUse }, { readDocument }] = await Promise.all([
    import('../run/usage/prove-use.ts'),
    import('../run/document/read-document.ts'),
  ])
  try {
    return await proveUse(drift, usage, readDocument(older).operations, await createMocks())
  } catch (error) {
    const why = `the mock cannot ${(error as Error).message}`
    return { drift, proof: { requests: 0, refused: 0, unexpected: [], start: '', why } }
  }
}

function lastLine({ target, drift }: Report, { against }: OptionValues): string {
  const forms = target.forms.map(form => formNames[form]).join(', ')
  return `${target.name} (${forms}) compared with ${against ? basename(against[0]!) : 'the contract'}: ${describeDrift({ drift })}.`
}

/** What the files of `--used-by` hold; undefined without the option. */
export async function readUsage(
  { 'used-by': files }: Pick<OptionValues, 'used-by'>,
  context: CommandContext,
  documented: readonly DocumentOperation[] = [],
): Promise<Usage | undefined> {
  if (!files) return undefined
  const { readUsageFiles } = await import('./usage-files.ts')
  return (await readUsageFiles('--used-by', files, context, documented)).usage
}

/**
 * What a run judges by with `--document`: the judge that compares each answer with it, and the contract over which it is laid.
 * A recording has only the judge.
 */
export async function readJudgesOf(
  values: OptionValues,
): Promise<{ readonly document?: AnswerJudge; readonly contract?: Contract }> {
  if (!values.document) return {}
  const [{ createAnswerJudge }, { parseDocument }, { layDocument }] = await Promise.all([
    import('../run/document/judge-answers.ts'),
    import('../run/document/parse-document.ts'),
    import('../run/document/lay-document.ts'),
  ])
  return readWith('--document', values.document[0]!, text => {
    const document = parseDocument(text)
    return { document: createAnswerJudge(document), ...(values.target && { contract: layDocument(document) }) }
  })
}
