import type { Issue, Refusal, RefusalKind } from '../../words/refusal.ts'

/** The status of each kind of refusal, where no gap says otherwise. */
export const statusOfKind: Readonly<Record<RefusalKind, number>> = {
  malformed: 400,
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  unknownId: 404,
  unknownSource: 404,
  unreadableWhere: 400,
  unrouted: 404,
  wrongMethod: 405,
  tooLarge: 413,
  unsupported: 415,
  conflict: 409,
  gone: 410,
  failedDependency: 424,
  rateLimited: 429,
  failed: 500,
}

/** The reason phrases of statuses: the text of a plain refusal and, in capitals, the code of a cloud message. */
export const nameOfStatus: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  424: 'Failed Dependency',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
}

/** The message of a cloud refusal: a code in capitals, then the findings. */
export function writeCloudMessage(refusal: Refusal, status: number): string {
  const code = (nameOfStatus[status] ?? 'Error').toUpperCase().replaceAll(' ', '_')
  const { issues, omitsCode } = refusal.details
  if (omitsCode) return refusal.sentence
  const sentence = issues ? issues.flatMap(expand).map(writeIssue).join('; ') : refusal.sentence
  return sentence === '' ? code : `${code}: ${sentence}`
}

/** Replaces the issue of a union by the issues of its nearest branch. */
const expand = (issue: Issue): readonly Issue[] => (issue.branch?.length ? issue.branch.flatMap(expand) : [issue])

const partOfRequest = { Body: 'request body', Params: 'path', Query: 'query' } as const

function writeIssue({ part, path, sentence, received }: Issue): string {
  const place = [partOfRequest[part], ...path].join('.')
  return `${place}: ${sentence}${received === undefined ? '' : ` <${typeNameOf(received)}:${showValue(received)}>`}`
}

const typeNameOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

function showValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

/** The message of a self-hosted refusal. Unreadable bodies are not explained. */
export function writeSelfHostedMessage(refusal: Refusal, status: number): string {
  const { kind, details, sentence } = refusal
  if (details.issues) return writeIssues(details.issues)
  if (details.gap === 'error/malformed-json') return 'Invalid JSON payload'
  if (kind === 'tooLarge' || kind === 'unsupported' || details.gap === 'path/malformed-id')
    return 'Something went wrong :('
  if (kind === 'failed') return sentence || 'Something went wrong :('
  return sentence || (nameOfStatus[status] ?? String(status))
}

function writeIssues(issues: readonly Issue[]): string {
  const write = ({ path, sentence }: Issue) => (path.length === 0 ? sentence : `${path.join('.')}: ${sentence}`)
  return (['Body', 'Params', 'Query'] as const)
    .map(part => [part, issues.filter(issue => issue.part === part)] as const)
    .filter(([, issuesOfPart]) => issuesOfPart.length > 0)
    .map(([part, issuesOfPart]) => `${part} validation failed: ${issuesOfPart.map(write).join('; ')}`)
    .join('; ')
}
