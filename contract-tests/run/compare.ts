import type { Form } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import type { Exchange } from '../engine/exchange.ts'
import { isDateTime, isObject, isUuid } from '../engine/recognise.ts'
import { baseUrlOf } from '../engine/send.ts'
import { rules } from '../rules/select.ts'
import { checks } from './checks.ts'
import type { Examination } from './verify.ts'

/** One place where two deployments answer the same request differently. */
export interface Difference {
  readonly step: string
  readonly form: Form
  /** The rules and gaps that read this answer. */
  readonly rules: readonly string[]
  readonly path: string
  readonly left: unknown
  readonly right: unknown
}

/**
 * Compares the answers that two runs got to the same requests, after ids and times are replaced by references. Of each answer
 * the first difference is told, or every one.
 */
export function compareExaminations(
  left: Examination,
  right: Examination,
  which: 'first' | 'all' = 'first',
): readonly Difference[] {
  const differences: Difference[] = []
  const readers = indexReaders()
  for (const [step, one] of left.visited.exchanges) {
    const other = right.visited.exchanges.get(step)
    if (!other) continue
    const found = [...differ(describeAnswer(one, left), describeAnswer(other, right), '$')]
    for (const place of which === 'all' ? found : found.slice(0, 1))
      differences.push({ step, form: one.form, rules: readers.get(`${one.form} ${step}`) ?? [], ...place })
  }
  for (const rule of left.report.rules) {
    const twin = right.report.rules.find(({ id, form }) => id === rule.id && form === rule.form)
    if (!twin || rule.level === 'observe' || rule.outcome === twin.outcome) continue
    differences.push({
      step: rule.id,
      form: rule.form,
      rules: [rule.id],
      path: 'outcome',
      left: rule.outcome,
      right: twin.outcome,
    })
  }
  return differences
}

/** The rules and gaps that read the answer to a step, by its form and name. */
function indexReaders(): ReadonlyMap<string, readonly string[]> {
  const readers = new Map<string, string[]>()
  for (const { id, forms } of rules) {
    const { reads } = checks[id] as Check
    if (reads === 'everything') continue
    for (const form of forms)
      for (const step of new Set(reads(form))) {
        const place = `${form} ${step}`
        readers.set(place, [...(readers.get(place) ?? []), id])
      }
  }
  return readers
}

const isText = (type: string | undefined, status: number) =>
  status < 300 && type !== undefined && !/html|json/.test(type)

/** What of an answer is compared: status, media type and body. */
function describeAnswer({ form, response, json, request }: Exchange, { visited }: Examination): unknown {
  const type = response.headers['content-type']?.split(';')[0]?.trim()
  const references = new Map<string, string>()
  const { host } = new URL(baseUrlOf(visited.target, form))
  const replaceText = (text: string) => text.replaceAll(host, '<host>').replace(idsInTexts, '<id>')
  const own = new Set(request.path.split(/[/?]/).map(part => decodeURIComponent(part)))
  return {
    status: response.status,
    type,
    // Metrics and certificates differ from one deployment to the next, and from one moment to the next.
    body:
      json !== undefined
        ? replace(json, { references, own, replaceText })
        : isText(type, response.status)
          ? undefined
          : replaceText(response.text),
  }
}

interface Replacing {
  readonly references: Map<string, string>
  /** The parts of the path that was asked for. */
  readonly own: ReadonlySet<string>
  /** Takes ids and the deployment's own address out of a text. */
  readonly replaceText: (text: string) => string
}

/** Ids and times become references, so that the same id in two places stays the same id, whatever it is called. */
function replace(value: unknown, how: Replacing, key = ''): unknown {
  const { references, own, replaceText } = how
  if (Array.isArray(value)) return value.map(item => replace(item, how, key))
  if (isObject(value))
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map(name => [name, replace(value[name], how, name)]),
    )
  if (typeof value !== 'string') return value
  if (isDateTime(value)) return '<time>'
  if (isUuid(value) || /^[0-9a-f]{24}$/i.test(value) || /(?:^id|Id|_id)$/.test(key) || own.has(value)) {
    if (!references.has(value)) references.set(value, `<id ${references.size + 1}>`)
    return references.get(value)
  }
  return replaceText(value)
}

const idsInTexts = /[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{24}/gi

/** The places where two values differ. */
function* differ(left: unknown, right: unknown, path: string): Iterable<Pick<Difference, 'path' | 'left' | 'right'>> {
  if (Array.isArray(left) && Array.isArray(right)) {
    for (let index = 0; index < Math.min(left.length, right.length); index++)
      yield* differ(left[index], right[index], `${path}[${index}]`)
    if (left.length !== right.length) yield { path: `${path}.length`, left: left.length, right: right.length }
  } else if (isObject(left) && isObject(right)) {
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)]))
      yield* differ(left[key], right[key], `${path}.${key}`)
  } else if (JSON.stringify(left) !== JSON.stringify(right)) yield { path, left, right }
}
