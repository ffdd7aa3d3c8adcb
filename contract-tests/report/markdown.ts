import { curlLine, describeRerun, exportLine } from './curl.ts'
import { describeLeftBehindInOneLine } from './describe-left.ts'
import { renderDocumentDrift } from './document-drift.ts'
import {
  describeExtent,
  describeReach,
  findings,
  formNames,
  headline,
  listForms,
  marks,
  outcomeNames,
  outline,
  type Rule,
  reasons,
  renderValue,
  splitAtBackticks,
  summariseRecording,
} from './outline.ts'
import { count, type Drift, isTolerated, outcomes, type Report, type RuleReport, worst } from './report.ts'
import { describeOthers, describeProofs, describeUses, divideByUse, summariseProof } from './used-by.ts'
import { onOneLine, shorten, showUnseen } from './visible.ts'

/** A report for a job summary or a pull request: counts by section, findings with curl lines, observations folded. */
export function renderMarkdown(report: Report): string {
  const { tool, target, requests, durationMs, startedAt } = report
  return [
    `## ${code(target.name)}: ${headline(report)}`,
    report.rules.length > 0 ? renderTable(report) : '',
    report.cut ? `> The run ended early: ${code(report.cut)}` : '',
    renderRecording(report),
    ...findings(report).map(rule => renderFinding(report, rule)),
    renderVariables(report),
    renderUnjudged(report),
    renderDrift(report),
    renderLeft(report),
    renderObservations(report),
    `${tool.name} ${escapeMarkdown(tool.version)}, ${describeExtent(report)}, ${requests} requests in ${(durationMs / 1000).toFixed(2)} s, ${escapeMarkdown(startedAt)}`,
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n')
}

function renderTable(report: Report): string {
  const row = (title: string, verdicts: readonly RuleReport[]) =>
    `| ${[title, ...outcomes.map(outcome => count(verdicts, outcome) || '')].join(' | ')} |`
  return [
    `| Section | ${outcomes.map(outcome => outcomeNames[outcome]).join(' | ')} |`,
    `| :-- |${' --: |'.repeat(outcomes.length)}`,
    ...outline(report).map(({ title, verdicts }) => row(escapeMarkdown(title), verdicts)),
    row('**All**', report.rules),
  ].join('\n')
}

function renderRecording(report: Report): string {
  const recording = summariseRecording(report)
  return recording ? [recording.sentence, ...recording.reasons.map(why => `- ${escapeMarkdown(why)}`)].join('\n') : ''
}

function renderFinding(report: Report, { id, level, sentence, verdicts }: Rule): string {
  const { target } = report
  const outcome = worst(verdicts)
  const remark = isTolerated(report, verdicts) ? ', does not fail the run' : ''
  return [
    `### ${marks[outcome]} ${escapeMarkdown(id)}`,
    `**${outcomeNames[outcome]}**${remark} · ${level} · ${listForms(verdicts)} · ${renderSentence(sentence)}`,
    ...verdicts.flatMap(({ form, detail, exchanges: [exchange] }) => {
      const line = exchange && curlLine(target, form, exchange)
      return [
        detail ? fence('text', `${formNames[form]}: ${detail}`) : '',
        line ? fence('sh', line) : exchange ? escapeMarkdown(describeRerun(id)) : '',
      ]
    }),
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** The line that sets the variables of the curl lines. */
function renderVariables(report: Report): string {
  const lines = findings(report).flatMap(({ verdicts }) =>
    verdicts.flatMap(({ form, exchanges: [exchange] }) => (exchange && curlLine(report.target, form, exchange)) ?? []),
  )
  const needed = exportLine(report.target, lines)
  return needed ? `The curl lines need:\n\n${fence('sh', needed)}` : ''
}

function renderUnjudged(report: Report): string {
  const all = reasons(report, 'errored')
  if (all.length === 0) return ''
  return ['### ! Not judged', '', ...all.map(reason => `- ${describeReach(reason)}: ${code(reason.reason)}`)].join('\n')
}

function renderDrift(report: Report): string {
  const { drift } = report
  const { own, others } = divideByUse(drift)
  const rest = describeOthers(others)
  const uses = own
    .filter(({ kind }) => kind === 'breaking')
    .flatMap(one => describeUses([one], MAX_USES).map(text => `- ${code(one.id)}: ${code(text)}`))
  const parts = [
    renderDriftTables(own),
    uses.length > 0 ? ['Your calls that breaking differences touch:', '', ...uses].join('\n') : '',
    summariseProof(report).map(code).join('\n\n'),
    ...describeProofs(report, drift).map(({ curl, answers }) =>
      fence('sh', [curl, ...answers.map(text => `# ${text}`)].join('\n')),
    ),
    rest ? `<details><summary>${rest}</summary>\n\n${renderDriftTables(others)}\n\n</details>` : '',
  ].filter(Boolean)
  return parts.length > 0 ? ['### Drift', ...parts].join('\n\n') : ''
}

function renderDriftTables(drift: readonly Drift[]): string {
  const rows = drift
    .filter(({ part }) => part !== 'document')
    .map(
      ({ kind, part, id, was, is, fingerprint }) =>
        `| ${kind} | ${code(id)} | ${part} | ${code(renderValue(was))} | ${code(renderValue(is))} | ${code(fingerprint)} |`,
    )
  const lines = renderDocumentDrift(drift, MAX_PLACES).map(({ kind, family, where, text, drift, more }) => {
    const marks = drift.map(({ fingerprint }) => code(fingerprint)).join(' ')
    const cells = [kind, code(family), code(where ?? ''), code(text), more > 0 ? `${marks} and ${more} more` : marks]
    return `| ${cells.join(' | ')} |`
  })
  const tables = [
    ...(rows.length > 0
      ? [['| Kind | What | Part | Was | Is | Fingerprint |', '| :-- | :-- | :-- | :-- | :-- | :-- |', ...rows]]
      : []),
    ...(lines.length > 0
      ? [['| Kind | Family | Operation | What | Fingerprints |', '| :-- | :-- | :-- | :-- | :-- |', ...lines]]
      : []),
  ]
  return tables.map(table => table.join('\n')).join('\n\n')
}

function renderLeft({ left = [] }: Report): string {
  if (left.length === 0) return ''
  return [
    '### Left behind',
    '',
    ...left.map(one => `- ${formNames[one.form]}: ${code(describeLeftBehindInOneLine(one))}`),
  ].join('\n')
}

function renderObservations(report: Report): string {
  const seen = report.rules.filter(({ outcome }) => outcome === 'observed')
  if (seen.length === 0) return ''
  const rows = seen.map(
    ({ id, form, observed }) => `| ${escapeMarkdown(id)} | ${formNames[form]} | ${code(renderValue(observed))} |`,
  )
  return [
    `<details><summary>${seen.length} observation${seen.length === 1 ? '' : 's'} where the specification is silent</summary>`,
    '',
    '| What | Form | Observed |',
    '| :-- | :-- | :-- |',
    ...rows,
    '',
    '</details>',
  ].join('\n')
}

const MAX_CODE_CHARACTERS = 200
/** The most differences of documents that one line names. */
const MAX_PLACES = 10
/** The most calls that are named for a difference. */
const MAX_USES = 3
const makeFence = (text: string, min: number) =>
  '`'.repeat(Math.max(min, 1 + Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))))

/** Renders a text of the deployment as code, so that it cannot contain a link, mention, image or markup. */
function code(text: string): string {
  const line = onOneLine(shorten(text, MAX_CODE_CHARACTERS))
  const mark = makeFence(line, 1)
  if (line === '') return ''
  const padding = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${mark}${padding}${line.replaceAll('|', '\\|')}${padding}${mark}`
}

function fence(language: string, text: string): string {
  const shown = showUnseen(text)
  const marks = makeFence(shown, 3)
  return `${marks}${language}\n${shown}\n${marks}`
}

const renderSentence = (sentence: string) =>
  splitAtBackticks(sentence)
    .map((part, index) => (index % 2 ? code(part) : escapeMarkdown(part)))
    .join('')

const escapeMarkdown = (text: string) => onOneLine(text).replace(/[\\`*_[\]<>|~&#]/g, '\\$&')
