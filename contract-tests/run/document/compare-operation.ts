import {
  type Field,
  type Fields,
  type Form,
  type Operation,
  type OperationId,
  resources,
} from '../../../fixtures/contract/index.ts'
import { isObject, type JsonObject } from '../../engine/recognise.ts'
import { type Comparison, compareField, compareFields, type Finding } from './compare-fields.ts'
import { compareCredentials } from './credentials.ts'
import type { Difference } from './difference.ts'
import type { Description, Shown } from './read-document.ts'
import type { Schema } from './schema.ts'
import { isStated, showsBadRequest } from './stated.ts'

/** The contract's operation and its counterpart in the document. */
export interface Pair {
  readonly form: Form
  readonly id: OperationId
  readonly operation: Operation
  /** The path in the contract's words. */
  readonly path: string
  readonly shown: Shown
}

export interface Reading {
  readonly description: Description
  readonly read: (schema: unknown) => Schema
}

/** What differs at one operation that is there. `note` tells what was compared, so that the same difference is told once. */
export function compareOperation(pair: Pair, reading: Reading, note: (about: string) => void): Difference[] {
  const { form, id, shown, operation } = pair
  const differences: Difference[] = []
  const add = (about: string | undefined, findings: Iterable<Finding>) => {
    if (about) note(about)
    for (const finding of findings) {
      // An operation outside the specification cannot break anything that the specification states.
      const kind = finding.kind === 'breaking' && operation.basis !== undefined ? 'neutral' : finding.kind
      differences.push({ form, operation: id, ...(about ? { about } : {}), ...finding, kind })
    }
  }
  if (shown.operation.deprecated === true)
    add(undefined, [{ what: 'deprecated', kind: 'neutral', was: false, is: true }])
  if (shown.method !== operation.method)
    add(undefined, [{ what: 'method', kind: 'neutral', was: operation.method, is: shown.method }])
  if (!operation.isPublic) add('credentials/request', compareCredentials(form, shown.operation, reading.description))
  add(undefined, compareParameters(pair, reading))
  if (operation.body) compareRequest(pair, reading, add)
  compareAnswers(pair, reading, add)
  return differences
}

type Add = (about: string | undefined, findings: Iterable<Finding>) => void
const fieldsOf = (resource: string): Fields => resources[resource as keyof typeof resources].fields

/** What a client must send beside the body, and the ids of the path. */
function* compareParameters({ form, operation, path, shown }: Pair, { read }: Reading): Generator<Finding> {
  const demanded = shown.parameters.filter(({ in: place, required }) => place !== 'path' && required === true)
  const names = demanded
    .filter(({ name }) => !/^(?:authorization|content-type|accept)$/i.test(String(name)))
    .filter(({ name }) => !Object.hasOwn(operation.query ?? {}, String(name)))
  if (names.length > 0)
    yield { what: 'parameters-required', kind: 'breaking', is: names.map(({ name }) => String(name)).sort() }
  const ours = parameterNames(path)
  for (const [index, theirs] of parameterNames(shown.path).entries()) {
    const parameter = shown.parameters.find(({ in: place, name }) => place === 'path' && name === theirs)
    const name = ours[index]
    if (!parameter?.schema || !name) continue
    // §4.1: the ids of the cloud API are UUIDs, but for those that the contract says otherwise of. What other ids look like is not shown.
    const kind = operation.ids?.[name] ?? (name === 'id' ? 'objectId' : 'uuid')
    const field: Field =
      form !== 'selfHosted' && kind === 'uuid'
        ? { type: 'string', format: 'uuid', basis: 'stated', says: '' }
        : { type: 'string', basis: 'implied', says: '' }
    const comparison = { side: 'request', stated: true, read } as const
    yield* compareField(field, read(parameter.schema), `path.${name}`, comparison)
  }
}

const parameterNames = (path: string) => [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!)

function compareRequest({ form, operation, shown }: Pair, { description, read }: Reading, add: Add): void {
  const stated = isStated(operation, form, 'request')
  const resource = operation.body!
  const body = description.references.resolve(shown.operation.requestBody)
  const { schema, media } = jsonOf(body)
  if (!media) return void add(undefined, [noJson('request', body, stated ? 'breaking' : 'neutral')])
  add(`${resource}/request`, compareFields(fieldsOf(resource), read(schema), '', { side: 'request', stated, read }))
}

function compareAnswers({ form, id, operation, shown }: Pair, { description, read }: Reading, add: Add): void {
  const responses = isObject(shown.operation.responses) ? shown.operation.responses : {}
  const stated = isStated(operation, form, 'answer')
  const wrapped = form !== 'selfHosted'
  add(undefined, compareStatuses(Object.keys(responses), stated))
  const find = (...statuses: string[]) => statuses.map(status => responses[status]).find(isObject)
  const success = find('200', '2XX', '2xx', ...Object.keys(responses).filter(status => /^2/.test(status)), 'default')
  if (success) {
    const answer = description.references.resolve(success)
    const { schema, media } = jsonOf(answer)
    if (media) compareSuccess({ operation, stated, wrapped }, read(schema), read, add)
    else if (operation.result.is !== 'nothing')
      add(undefined, [noJson('answer', answer, wrapped || stated ? 'breaking' : 'neutral')])
  }
  if (!wrapped) return
  const refusal = find('400', '4XX', '4xx')
  if (!refusal) {
    const gone = id === showsBadRequest && !find('default')
    return void add(undefined, gone ? [{ what: '400/gone', kind: 'breaking', was: '400', is: null }] : [])
  }
  const { schema, media } = jsonOf(description.references.resolve(refusal))
  if (!media) return
  const comparison: Comparison = { side: 'answer', stated: true, read }
  add('refusal/400', compareFields(resources.refusal.fields, read(schema), '', comparison))
}

function* compareStatuses(statuses: readonly string[], stated: boolean): Generator<Finding> {
  const successes = statuses.filter(status => /^2/.test(status)).sort()
  const others = successes.filter(status => status !== '200' && !/^2xx$/i.test(status))
  if (successes.length === others.length) {
    if (others.length > 0 || !statuses.includes('default'))
      yield { what: 'answer/status', kind: stated ? 'breaking' : 'neutral', was: '200', is: others.join(', ') || null }
  } else if (others.length > 0 && stated) {
    yield { what: 'answer/status', kind: 'additive', was: '200', is: successes.join(', ') }
  }
}

interface Expected {
  readonly operation: Operation
  readonly stated: boolean
  /** In the envelope of §2.1. */
  readonly wrapped: boolean
}

function compareSuccess(
  { operation, stated, wrapped }: Expected,
  schema: Schema,
  read: Comparison['read'],
  add: Add,
): void {
  const { is, of } = operation.result
  let payload = schema
  if (wrapped) {
    const { status, requestId } = resources.envelope.fields as Record<string, Field>
    const result: Field = { type: is === 'array' ? 'array' : 'object', basis: 'stated', says: '' }
    const fields = {
      status: status!,
      requestId: requestId!,
      ...(is === 'nothing' ? {} : { result: { ...result, type: guess(schema, read, result.type) } }),
    }
    const findings = compareFields(fields, schema, '', { side: 'answer', stated: true, read })
    add(
      'envelope/answer',
      findings.filter(({ what }) => !what.endsWith('/fields-new')),
    )
    if (!schema.properties.has('result')) return
    payload = read(schema.properties.get('result'))
  } else if (schema.properties.has('data')) {
    // Deployments wrap what they answer; the specification does not say so, and does not forbid it.
    payload = read(schema.properties.get('data'))
  }
  if (is === 'nothing') return
  if (payload.types && !payload.types.has(is))
    return void add(undefined, [
      {
        what: 'answer/result/type',
        kind: stated ? 'breaking' : 'neutral',
        was: is,
        is: [...payload.types].join(' | '),
      },
    ])
  if (!of) return
  const one = is === 'array' ? read(payload.items ?? true) : payload
  if (is === 'array' && payload.items === undefined) return
  add(`${of}/answer`, compareFields(fieldsOf(of), one, '', { side: 'answer', stated, read }))
}

/** Whether `result` is an array or an object is compared with the payload, where it belongs. */
function guess(schema: Schema, read: Comparison['read'], otherwise: Field['type']): Field['type'] {
  const types = schema.properties.has('result') ? read(schema.properties.get('result')).types : undefined
  return types?.has('array') ? 'array' : types?.has('object') ? 'object' : otherwise
}

/** The schema of the body that is JSON. */
function jsonOf(body: unknown): { schema?: unknown; media?: string } {
  const content = isObject(body) && isObject(body.content) ? body.content : {}
  const media = Object.keys(content).find(type => /json|^\*\/\*/i.test(type))
  return media ? { media, schema: (content[media] as JsonObject | null)?.schema ?? true } : {}
}

function noJson(side: string, body: unknown, kind: 'breaking' | 'neutral'): Finding {
  const types = isObject(body) && isObject(body.content) ? Object.keys(body.content).sort() : []
  return { what: `${side}/media-type`, kind, was: 'application/json', is: types.join(', ') || null }
}
