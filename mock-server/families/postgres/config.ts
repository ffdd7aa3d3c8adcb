import { pgConfig } from '../../../fixtures/contract/postgres/settings.ts'
import type { Field } from '../../../fixtures/contract/shape.ts'
import { type Issue, invalid } from '../../words/refusal.ts'
import { answerObject, type BodyOf, type Handlers, type Request } from '../family.ts'
import { find, type Postgres, postgresServices } from './model.ts'

const answer = ({ pgConfig, pgBouncerConfig }: Postgres, message?: string) =>
  answerObject({ pgConfig, pgBouncerConfig, ...(message && { message }) })

function set(request: Request<BodyOf<'postgresConfig.replace'>>, keep: boolean) {
  const service = find(request)
  const pgConfig = readPostgresSettings(request.body.pgConfig)
  const pgBouncerConfig = stringsOf(request.body.pgBouncerConfig)
  const changed = {
    ...service,
    pgConfig: { ...(keep && service.pgConfig), ...pgConfig },
    pgBouncerConfig: { ...(keep && service.pgBouncerConfig), ...pgBouncerConfig },
  }
  request.in(postgresServices).replace(changed)
  const waiting = Object.keys(pgConfig).filter(name => needsRestart(name) && pgConfig[name] !== service.pgConfig[name])
  return answer(
    changed,
    waiting.length > 0 ? `Restart the service for ${waiting.join(', ')} to take effect` : undefined,
  )
}

export const handlers = {
  'postgresConfig.get': request => answer(find(request)),
  'postgresConfig.replace': request => set(request, false),
  'postgresConfig.update': request => set(request, true),
} as const satisfies Handlers

export type Settings = Readonly<Record<string, string>>

/**
 * Reads the settings of Postgres from a body: numbers and texts, which are kept as texts. The contract judges the numbers.
 * @throws Refusal that names each text that is out of its bounds.
 */
export function readPostgresSettings(sent: object): Settings {
  const issues = Object.entries(sent).flatMap(([name, value]) => judge(name, value))
  if (issues.length > 0) throw invalid(issues)
  return stringsOf(sent)
}

export const stringsOf = (sent: object): Settings =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)]))

/** A number may come as a text, with a unit of its own or as -1, which turns a setting off. */
function judge(name: string, value: unknown): Issue[] {
  const { type, min, max, multipleOf }: Field = pgConfig.fields[name as keyof typeof pgConfig.fields]
  if (type !== 'number' || typeof value !== 'string' || value === '-1' || withUnit.test(value)) return []
  const refuse = (sentence: string): Issue[] => [{ part: 'Body', path: ['pgConfig', name], sentence, received: value }]
  const number = value.trim() === '' ? Number.NaN : Number(value)
  if (!Number.isFinite(number)) return refuse('Expected number')
  if (multipleOf && !Number.isInteger(number)) return refuse('Expected a whole number')
  if (min !== undefined && number < min) return refuse(`Value must be >= ${min}`)
  return max !== undefined && number > max ? refuse(`Value must be <= ${max}`) : []
}

/** The units of Postgres for memory and time, and `m` for minutes, as the vendor's document has it. */
const withUnit = /^\d+(?:\.\d+)?\s*(?:B|kB|MB|GB|TB|us|ms|s|m|min|h|d)$/

/** Whether a setting takes effect only after a restart. */
const needsRestart = (name: string): boolean =>
  ['max_connections', 'max_worker_processes', 'autovacuum_max_workers'].includes(name)
