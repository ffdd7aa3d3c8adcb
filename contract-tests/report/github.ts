import type { Level } from '../../fixtures/contract/index.ts'
import { renderDocumentDrift } from './document-drift.ts'
import {
  describeReach,
  findings,
  formNames,
  headline,
  notices,
  type Rule,
  reasons,
  renderValue,
  severityOf,
} from './outline.ts'
import { isFailLevel, isStale, type Report } from './report.ts'
import { describeOthers, describeProofs, describeUses, divideByUse, summariseProof } from './used-by.ts'
import { showUnseen } from './visible.ts'

/** GitHub shows ten annotations of a kind for each step, and silently drops the others. */
const MAX_ANNOTATIONS = 10

interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice'
  readonly title: string
  readonly text: string
}

/** Workflow commands of GitHub Actions: errors, warnings, and the verdict as a notice. */
export function renderGitHub(report: Report): string {
  const warn = (title: string, text: string): Annotation => ({ kind: 'warning', title, text })
  const { own, others } = divideByUse(report.drift)
  const rest = describeOthers(others)
  const all: readonly Annotation[] = [
    { kind: 'notice', title: `${report.tool.name}: ${report.target.name}`, text: headline(report) },
    ...findings(report).map(rule => annotate(report, rule)),
    ...reasons(report, 'errored').map(reason =>
      warn(`${describeReach(reason)} not judged`, `${reason.reason}\n${reason.rules.map(({ id }) => id).join(', ')}`),
    ),
    ...own
      .filter(({ kind, part }) => kind === 'breaking' && part !== 'document')
      .map(({ id, was, is }) => warn(`drift: ${id}`, `${renderValue(was)} → ${renderValue(is)}`)),
    ...renderDocumentDrift(own)
      .filter(({ kind }) => kind === 'breaking')
      .map(({ where, family, text, drift }) =>
        warn(
          `drift: ${where ?? family}`,
          [
            text,
            ...describeUses(drift),
            ...describeProofs(report, drift).flatMap(({ curl, answers }) => [curl, ...answers]),
          ].join('\n'),
        ),
      ),
    ...summariseProof(report)
      .slice(1)
      .map(text => warn('drift that no difference says', text)),
    ...(rest ? [{ kind: 'notice', title: 'drift elsewhere', text: rest } as const] : []),
    ...notices(report).map(({ title, text }) => warn(title, text)),
  ]
  const lines = (['error', 'warning', 'notice'] as const).flatMap(severity =>
    foldRest(all.filter(({ kind }) => kind === severity)),
  )
  return `${lines.map(toCommand).join('\n')}\n`
}

function annotate(report: Report, { id, level, sentence, verdicts }: Rule): Annotation {
  const [first] = verdicts as [Rule['verdicts'][number]]
  const outcome = first.outcome === 'broken' ? describeLevel(report, level) : first.outcome
  const label = isStale(first) ? 'holds' : outcome
  const forms = verdicts.map(({ form }) => formNames[form]).join(', ')
  const details = verdicts.map(({ form, detail }) => `${formNames[form]}: ${detail}`)
  return {
    kind: severityOf(report, first) ?? 'notice',
    title: `${id} (${forms}, ${label})`,
    text: [sentence, ...details].join('\n'),
  }
}

const describeLevel = ({ failOn }: Report, level: Level) =>
  isFailLevel(level, failOn) ? level : `${level}, does not fail`

/** Replaces the annotations that GitHub would drop by a last one that names them. */
function foldRest(annotations: readonly Annotation[]): readonly Annotation[] {
  if (annotations.length <= MAX_ANNOTATIONS) return annotations
  const rest = annotations.slice(MAX_ANNOTATIONS - 1)
  const last = { kind: rest[0]!.kind, title: `${rest.length} more`, text: rest.map(({ title }) => title).join('\n') }
  return [...annotations.slice(0, MAX_ANNOTATIONS - 1), last]
}

const escapeData = (text: string) =>
  showUnseen(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const escapeProperty = (text: string) => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
const toCommand = ({ kind, title, text }: Annotation) => `::${kind} title=${escapeProperty(title)}::${escapeData(text)}`
