import type { Issue, Refusal } from '../../words/refusal.ts'
import { nameOfStatus } from './refusal-table.ts'

/** The message of a cloud refusal: a code in capitals, then the findings. */
export function writeCloudMessage(refusal: Refusal, status: number): string {
  const code = (nameOfStatus[status] ?? 'Error').toUpperCase().replaceAll(' ', '_')
  const { issues, isWhole } = refusal.more
  if (isWhole) return refusal.sentence
  const sentence = issues ? issues.flatMap(spread).map(writeIssue).join('; ') : refusal.sentence
  return sentence === '' ? code : `${code}: ${sentence}`
}

/** For a union, the issues of the nearest branch. */
const spread = (issue: Issue): readonly Issue[] => (issue.branch?.length ? issue.branch.flatMap(spread) : [issue])

const partOfRequest = { Body: 'request body', Params: 'path', Query: 'query' } as const

function writeIssue({ part, path, sentence, received }: Issue): string {
  const place = [partOfRequest[part], ...path].join('.')
  return `${place}: ${sentence}${received === undefined ? '' : ` <${nameOf(received)}:${show(received)}>`}`
}

const nameOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

/** The message of a self-hosted refusal. Unreadable bodies are not explained. */
export function writeSelfHostedMessage(refusal: Refusal, status: number): string {
  const { kind, more, sentence } = refusal
  if (more.issues) return writeIssues(more.issues)
  if (more.gap === 'error/malformed-json') return 'Invalid JSON payload'
  if (kind === 'tooLarge' || kind === 'unsupported' || more.gap === 'path/malformed-id')
    return 'Something went wrong :('
  if (kind === 'failed') return sentence || 'Something went wrong :('
  return sentence || (nameOfStatus[status] ?? String(status))
}

function writeIssues(issues: readonly Issue[]): string {
  const say = ({ path, sentence }: Issue) => (path.length === 0 ? sentence : `${path.join('.')}: ${sentence}`)
  return (['Body', 'Params', 'Query'] as const)
    .map(part => [part, issues.filter(issue => issue.part === part)] as const)
    .filter(([, found]) => found.length > 0)
    .map(([part, found]) => `${part} validation failed: ${found.map(say).join('; ')}`)
    .join('; ')
}
