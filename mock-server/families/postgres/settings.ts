import { pgConfig } from '../../../fixtures/contract/postgres/settings.ts'
import type { Field } from '../../../fixtures/contract/shape.ts'
import { type Issue, invalid } from '../../words/refusal.ts'

export type Settings = Readonly<Record<string, string>>

/**
 * Reads the settings of Postgres from a body: numbers and texts, which are kept as texts. The contract judges the numbers.
 * @throws Refusal that names each text that is out of its bounds.
 */
export function readPostgresSettings(sent: object): Settings {
  const issues = Object.entries(sent).flatMap(([name, value]) => judge(name, value))
  if (issues.length > 0) throw invalid(issues)
  return textsOf(sent)
}

export const textsOf = (sent: object): Settings =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)]))

/** A number may come as a text, with a unit of its own or as -1, which turns a setting off. */
function judge(name: string, value: unknown): Issue[] {
  const { type, least, most, step }: Field = pgConfig.fields[name as keyof typeof pgConfig.fields]
  if (type !== 'number' || typeof value !== 'string' || value === '-1' || withUnit.test(value)) return []
  const refuse = (sentence: string): Issue[] => [{ part: 'Body', path: ['pgConfig', name], sentence, received: value }]
  const number = value.trim() === '' ? Number.NaN : Number(value)
  if (!Number.isFinite(number)) return refuse('Expected number')
  if (step && !Number.isInteger(number)) return refuse('Expected a whole number')
  if (least !== undefined && number < least) return refuse(`Value must be >= ${least}`)
  return most !== undefined && number > most ? refuse(`Value must be <= ${most}`) : []
}

/** The units of Postgres for memory and time, and `m` for minutes, as the vendor's document has it. */
const withUnit = /^\d+(?:\.\d+)?\s*(?:B|kB|MB|GB|TB|us|ms|s|m|min|h|d)$/

/** Settings that take effect with a restart only. */
export const needsRestart = (name: string): boolean =>
  ['max_connections', 'max_worker_processes', 'autovacuum_max_workers'].includes(name)
