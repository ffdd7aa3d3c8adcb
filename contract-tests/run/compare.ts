import {
  type Form,
  type Operation,
  operations,
  type ResourceId,
  resources,
} from '../../fixtures/built-contract/index.ts'
import type { Check } from '../engine/check.ts'
import type { Exchange } from '../engine/exchange.ts'
import { isDateTime, isObject, isUuid } from '../engine/recognise.ts'
import { baseUrlOf } from '../engine/send.ts'
import { rules } from '../rules/select.ts'
import { checks } from './checks.ts'
import { recogniseOperation } from './har/recognise-call.ts'
import type { Examination } from './verify.ts'

export interface Difference {
  readonly step: string
  readonly form: Form
  readonly operation?: string | undefined
  readonly rules: readonly string[]
  readonly path: string
  readonly left: unknown
  readonly right: unknown
}

/**
 * Compares the answers of two runs to the same requests, with ids and times replaced by references, and numbers that depend
 * on the clock by their type. Returns the first difference of each answer, or all of them.
 */
export function compareExaminations(
  left: Examination,
  right: Examination,
  which: 'first' | 'all' = 'first',
): readonly Difference[] {
  const differences: Difference[] = []
  const readers = indexReaders()
  for (const [step, one] of left.sentSteps.exchanges) {
    const other = right.sentSteps.exchanges.get(step)
    if (!other) continue
    const [a, b] = [describeAnswer(one, left), describeAnswer(other, right)]
    const found = [
      ...differ(a.status, b.status, 'status'),
      ...differ(a.type, b.type, 'content type'),
      ...differ(a.body, b.body, '$'),
    ]
    for (const place of which === 'all' ? found : found.slice(0, 1))
      differences.push({
        step,
        form: one.form,
        operation: one.operation,
        rules: readers.get(`${one.form} ${step}`) ?? [],
        ...place,
      })
  }
  for (const rule of left.report.rules) {
    const counterpart = right.report.rules.find(({ id, form }) => id === rule.id && form === rule.form)
    if (!counterpart || rule.level === 'observe' || rule.outcome === counterpart.outcome) continue
    const { id: step, form, outcome } = rule
    differences.push({ step, form, rules: [step], path: 'outcome', left: outcome, right: counterpart.outcome })
  }
  return differences
}

/** The rules and gaps that read the answer to a step, by form and step name. */
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

/** The compared parts of an answer: status, media type, and body with ids and times replaced, equal ids by equal references. */
function describeAnswer({ form, response, json, request, operation }: Exchange, { sentSteps }: Examination) {
  const type = response.headers['content-type']?.split(';')[0]?.trim()
  const references = new Map<string, string>()
  const { host } = new URL(baseUrlOf(sentSteps.target, form))
  const replaceText = (text: string) =>
    text.replaceAll(host, '<host>').replace(idsInTexts, '<id>').replace(datesInTexts, '<time>')
  const pathParts = new Set(request.path.split(/[/?]/).map(part => decodeURIComponent(part)))
  const [plainPath = ''] = request.path.split('?')
  const clockNumbers = listClockNumbers(operation ?? recogniseOperation(request.method, plainPath)?.operation)
  const replace = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map(item => replace(item, key))
    if (isObject(value)) {
      const names = Object.keys(value).sort()
      return Object.fromEntries(names.map(name => [name, replace(value[name], name)]))
    }
    if (typeof value === 'number' && clockNumbers.has(key)) return '<number>'
    if (typeof value !== 'string') return value
    if (isDateTime(value)) return '<time>'
    if (isUuid(value) || /^[0-9a-f]{24}$/i.test(value) || /(?:^id|Id|_id)$/.test(key) || pathParts.has(value)) {
      if (!references.has(value)) references.set(value, `<id ${references.size + 1}>`)
      return references.get(value)
    }
    return replaceText(value)
  }
  // Metrics and certificates differ between deployments and over time.
  const text = isText(type, response.status) ? undefined : replaceText(response.text)
  return { status: response.status, type, body: json === undefined ? text : replace(json) }
}

const idsInTexts = /[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{24}/gi
const datesInTexts = /\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?\b/g

/** The names of numbers that change with the clock alone. */
function listClockNumbers(operation: Exchange['operation']): ReadonlySet<string> {
  const { resource } = operation === undefined ? {} : (operations[operation] as Operation).result
  return new Set(resource === undefined ? [] : namesOfClockNumbers(resources[resource as ResourceId]))
}

const namesOfClockNumbers = (described: unknown): readonly string[] =>
  isObject(described)
    ? Object.entries(described).flatMap(([name, field]) =>
        isObject(field) && field.changesOverTime === true ? [name] : namesOfClockNumbers(field),
      )
    : []

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
