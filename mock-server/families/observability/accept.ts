import type { ZodIssue, z } from 'zod/v3'
import { type Issue, invalid, refused } from '../../words/refusal.ts'
import type { Request } from '../family.ts'
import { idIssue } from './object-id.ts'

/** What judges a value. */
interface Judge<T> {
  safeParse(value: unknown): { readonly success: true; readonly data: T } | z.SafeParseError<unknown>
}

type SchemaOf<T> = (request: Request) => Judge<T>

interface Wanted<Body, Query> {
  readonly body?: SchemaOf<Body>
  /** The properties that the gateway before the managed form lets through. */
  readonly properties?: ReadonlySet<string>
  readonly id?: true
  readonly query?: SchemaOf<Query>
}

/**
 * Judges the parts of a request together, so that one refusal names everything that is wrong, body first. The id that
 * comes back is in lower case, as ids are stored.
 */
export function accept<Body = undefined, Query = undefined>(
  request: Request,
  wanted: Wanted<Body, Query>,
): { readonly body: Body; readonly id: string; readonly query: Query } {
  if (wanted.properties) refuseStrangers(request, wanted.properties)
  const issues: Issue[] = []
  const body = wanted.body && judge(wanted.body(request), request.body, 'Body', issues)
  if (wanted.id) issues.push(...idIssue(request)(request.ids.id ?? ''))
  const query = wanted.query && judge(wanted.query(request), readQuery(request.query), 'Query', issues)
  if (issues.length > 0) throw invalid(issues)
  return { body: body as Body, id: request.ids.id?.toLowerCase() ?? '', query: query as Query }
}

/** Only the findings, for a dry run. */
export function findIssues<T>(
  schema: Judge<T>,
  value: unknown,
): { readonly value?: T; readonly issues: readonly Issue[] } {
  const issues: Issue[] = []
  return { value: judge(schema, value, 'Body', issues), issues }
}

function judge<T>(schema: Judge<T>, value: unknown, part: Issue['part'], issues: Issue[]): T | undefined {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  for (const issue of result.error.issues) issues.push(translate(issue, value, part))
  return undefined
}

function translate(issue: ZodIssue, value: unknown, part: Issue['part']): Issue {
  const received = issue.path.reduce<unknown>(
    (inner, key) => (inner as Record<string | number, unknown> | null | undefined)?.[key],
    value,
  )
  return {
    part,
    path: issue.path,
    says: issue.message,
    ...(received !== undefined && { received }),
    ...(issue.code === 'invalid_union' && {
      branch: nearest(issue.unionErrors.map(error => error.issues)).map(inner => translate(inner, value, part)),
    }),
  }
}

/** A wrong literal says that another shape was meant, so it weighs more than any number of wrong fields. */
function nearest(branches: readonly (readonly ZodIssue[])[]): readonly ZodIssue[] {
  const distance = (issues: readonly ZodIssue[]) =>
    issues.reduce((sum, issue) => sum + (issue.code === 'invalid_literal' ? 100 : 1), 0)
  const best = branches.reduce((best, branch) => (distance(branch) < distance(best) ? branch : best))
  const literals = branches.flatMap(branch => branch.filter(issue => issue.code === 'invalid_literal'))
  if (best.length === 1 || distance(best) < 100) return best
  // No shape fits but for its literal, so that nothing tells which was meant.
  const values = literals.map(({ expected }) => `'${expected}'`).join(' | ')
  return [{ ...literals[0]!, message: `Invalid discriminator value. Expected ${values}` }]
}

/**
 * A parameter that is given twice, or as `name[]` or `name[0]`, becomes a list. A list of one number passes for the number,
 * and no schema here takes a longer one.
 */
function readQuery(query: URLSearchParams): Record<string, string | string[]> {
  const read: Record<string, string | string[]> = Object.create(null)
  for (const [sent, value] of query) {
    const name = sent.replace(/\[(\d|1\d|20)?\]$/, '')
    const before = read[name]
    if (Array.isArray(before)) before.push(value)
    else if (before !== undefined) read[name] = [before, value]
    else read[name] = name === sent ? value : [value]
  }
  return read
}

function refuseStrangers(request: Request, properties: ReadonlySet<string>) {
  const { body } = request
  if (request.form !== 'managed' || typeof body !== 'object' || body === null || Array.isArray(body)) return
  const stranger = Object.keys(body).find(name => !properties.has(name))
  if (stranger === undefined || request.choice('managed/unknown-property') !== 'refuse') return
  throw refused(`request body property can't be validated: ${stranger}`)
}
