import { type Field, type Fields, type Form, type Operation, resources } from '../../../fixtures/contract/index.ts'
import { isObject, type JsonObject } from '../../engine/recognise.ts'
import { compareField, compareFields, type Finding } from './compare-fields.ts'
import { compareCredentials } from './credentials.ts'
import type { Description, Expected, Shown } from './read-document.ts'
import type { Reader, Schema } from './schema.ts'
import { isStated, showsBadRequest } from './stated.ts'

/** The contract's operation and its counterpart in the document. */
export interface Pair extends Omit<Expected, 'counterpart'> {
  readonly form: Form
  readonly shown: Shown
  readonly description: Description
  readonly read: Reader
}

/** The resource and the side that was compared, undefined for the operation itself, and what differs there. */
type Part = readonly [about: string | undefined, findings: Iterable<Finding>]

/** Compares one operation that is there, part by part. */
export function* compareOperation(pair: Pair): Generator<Part> {
  const { form, shown, operation, description } = pair
  if (shown.operation.deprecated === true)
    yield [undefined, [{ what: 'deprecated', kind: 'neutral', was: false, is: true }]]
  if (shown.method !== operation.method)
    yield [undefined, [{ what: 'method', kind: 'neutral', was: operation.method, is: shown.method }]]
  if (!operation.isPublic) yield ['credentials/request', compareCredentials(form, shown.operation, description)]
  yield [undefined, compareParameters(pair)]
  if (operation.body) yield compareRequest(pair, operation.body)
  yield* compareAnswers(pair)
}

const fieldsOf = (resource: string): Fields => resources[resource as keyof typeof resources].fields

/** What a client must send beside the body, and the ids of the path. */
function* compareParameters({ form, operation, path, shown, read }: Pair): Generator<Finding> {
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

function compareRequest({ form, operation, shown, description, read }: Pair, resource: string): Part {
  const stated = isStated(operation, form, 'request')
  const body = description.references.resolve(shown.operation.requestBody)
  const schema = jsonOf(body)
  if (schema === undefined) return [undefined, [noJson('request', body, stated)]]
  return [`${resource}/request`, compareFields(fieldsOf(resource), read(schema), '', { side: 'request', stated, read })]
}

function* compareAnswers(pair: Pair): Generator<Part> {
  const { form, id, operation, shown, description, read } = pair
  const responses = isObject(shown.operation.responses) ? shown.operation.responses : {}
  const stated = isStated(operation, form, 'answer')
  const wrapped = form !== 'selfHosted'
  yield [undefined, compareStatuses(Object.keys(responses), stated)]
  const find = (...statuses: string[]) => statuses.map(status => responses[status]).find(isObject)
  const success = find('200', '2XX', '2xx', ...Object.keys(responses).filter(status => /^2/.test(status)), 'default')
  if (success) {
    const answer = description.references.resolve(success)
    const schema = jsonOf(answer)
    if (schema !== undefined) yield* compareSuccess(pair, read(schema))
    else if (operation.result.is !== 'nothing') yield [undefined, [noJson('answer', answer, wrapped || stated)]]
  }
  if (!wrapped) return
  const refusal = find('400', '4XX', '4xx')
  const schema = jsonOf(description.references.resolve(refusal))
  if (schema !== undefined)
    yield [
      'refusal/400',
      compareFields(resources.refusal.fields, read(schema), '', { side: 'answer', stated: true, read }),
    ]
  else if (!refusal && id === showsBadRequest && !find('default'))
    yield [undefined, [{ what: '400/gone', kind: 'breaking', was: '400', is: null }]]
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

function* compareSuccess({ form, operation, read }: Pair, schema: Schema): Generator<Part> {
  const { is, of } = operation.result
  const stated = isStated(operation, form, 'answer')
  const wrapped = form !== 'selfHosted'
  if (wrapped) yield ['envelope/answer', compareEnvelope(is, schema, read)]
  // Self-hosted deployments wrap what they answer; the specification does not say so, and does not forbid it.
  const inside = schema.properties.get(wrapped ? 'result' : 'data')
  const payload = inside === undefined ? schema : read(inside)
  if (is === 'nothing' || (wrapped && inside === undefined)) return
  if (payload.types && !payload.types.has(is)) {
    const kind = stated ? 'breaking' : 'neutral'
    return yield [undefined, [{ what: 'answer/result/type', kind, was: is, is: [...payload.types].join(' | ') }]]
  }
  if (!of || (is === 'array' && payload.items === undefined)) return
  const one = is === 'array' ? read(payload.items) : payload
  yield [`${of}/answer`, compareFields(fieldsOf(of), one, '', { side: 'answer', stated, read })]
}

/** The envelope of §2.1. Whether `result` is an array or an object is compared with the payload, where it belongs. */
function compareEnvelope(is: Operation['result']['is'], schema: Schema, read: Reader): readonly Finding[] {
  const { status, requestId } = resources.envelope.fields
  const { types } = read(schema.properties.get('result') ?? true)
  const shown = (['array', 'object'] as const).find(type => types?.has(type))
  const result: Field = { type: shown ?? (is === 'array' ? 'array' : 'object'), basis: 'stated', says: '' }
  const fields: Fields = { status: status!, requestId: requestId!, ...(is === 'nothing' ? {} : { result }) }
  const findings = compareFields(fields, schema, '', { side: 'answer', stated: true, read })
  return [...findings].filter(({ what }) => !what.endsWith('/fields-new'))
}

/** The schema of the body that is JSON; undefined when there is none. */
function jsonOf(body: unknown): unknown {
  const content = isObject(body) && isObject(body.content) ? body.content : {}
  const media = Object.keys(content).find(type => /json|^\*\/\*/i.test(type))
  return media && ((content[media] as JsonObject | null)?.schema ?? true)
}

function noJson(side: string, body: unknown, stated: boolean): Finding {
  const types = isObject(body) && isObject(body.content) ? Object.keys(body.content).sort() : []
  const kind = stated ? 'breaking' : 'neutral'
  return { what: `${side}/media-type`, kind, was: 'application/json', is: types.join(', ') || null }
}
