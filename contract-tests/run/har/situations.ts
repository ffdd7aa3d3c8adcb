import type { Form, OperationId } from '../../../fixtures/built-contract/index.ts'
import { isDocumented } from '../../engine/contract.ts'
import { type Exchange, isSuccess, parseJson, sentIn } from '../../engine/exchange.ts'
import { groupBy } from '../../engine/group-by.ts'
import { isObject, isUuid } from '../../engine/recognise.ts'
import { probeName, stepsWithGoodCredentials } from '../../visits/authentication.ts'
import type { RecordedEntry } from './read-har.ts'
import { type Call, listOf } from './recognise-call.ts'

/** A recorded exchange in the contract's words. */
export interface RecordedCall extends Call {
  readonly recorded: RecordedEntry
  readonly exchange: Exchange
}

/** Recorded exchanges of one form by the names of the lines with which a run makes such exchanges. */
export function nameSituations(calls: readonly RecordedCall[], form: Form): ReadonlyMap<string, readonly Exchange[]> {
  const trusted = calls.filter(({ exchange }) => exchange.as === 'key' || exchange.as === 'unknown')
  const isAlive = trusted.some(call => call.operation && succeeded(call))
  const named = [
    ...trusted.flatMap(call => nameGood(call, isAlive).map(name => [name, call] as const)),
    ...trusted.flatMap(call => nameMalformed(call, trusted).map(name => [name, call] as const)),
    ...calls.flatMap(call => nameProbe(call).map(name => [name, call] as const)),
  ]
  const byName = groupBy(named, ([name]) => (name.includes(':') ? name : `${form}:${name}`))
  return new Map([...byName].map(([step, some]) => [step, some.map(([, { exchange }]) => ({ ...exchange, step }))]))
}

const succeeded = ({ exchange }: RecordedCall) => isSuccess(exchange)
const isLegible = ({ recorded }: RecordedCall) => recorded.body === null || isObject(parseJson(recorded.body))

/** True for a refusal that is the fault neither of the client nor of a gateway. */
function isFaultOfDeployment({ recorded: { status, body }, operation, form }: RecordedCall, isAlive: boolean): boolean {
  const isList = operation!.endsWith('.list')
  // A deployment need not offer what only the vendor documents, but it must not break down.
  if (isDocumented(operation!)) return status === 500
  if (status === 500) return body === null
  return (
    status === 405 ||
    status === 501 ||
    (isList && (status === 410 || (status === 404 && isAlive && form === 'selfHosted')))
  )
}

/** Requests as they should be, and those that are no operations. */
function nameGood(call: RecordedCall, isAlive: boolean): readonly string[] {
  const { operation, form, recorded, exchange, otherStep, ids } = call
  const { status, query } = recorded
  if (otherStep) {
    // A path that succeeds is not unknown, and a method that succeeds is not wrong: the contract may not know all of them.
    const isUnknown = /:(?:unknown-path|wrong-method)$/.test(otherStep)
    return [404, 405, 410].includes(status) || (!isUnknown && succeeded(call)) ? [otherStep] : []
  }
  if (!operation) return []
  if (operation === 'chart.query') return nameChartQuery(call)
  if (operation === 'backup.get' && status === 404 && isUuid(ids.backupId)) return ['unknown-backup']
  if (operation === 'member.list' && status === 404 && isUuid(ids.organizationId))
    return ['member.list under an unknown organization']
  if (!(succeeded(call) ? isLegible(call) : isFaultOfDeployment(call, isAlive))) return []
  const isPart = operation.endsWith('.list') && query !== ''
  return [
    ...(isPart ? [] : stepsWithGoodCredentials(form, operation).slice(0, 1)),
    ...(operation === 'alert.list' && /[?&]limit=1(?:&|$)/.test(query) ? ['alert.list-limit'] : []),
    ...(operation === 'alert.create' && sentIn(exchange).interval === '5m' ? ['alert.create-every-five-minutes'] : []),
  ]
}

function nameChartQuery(call: RecordedCall): readonly string[] {
  const { endTime, series } = sentIn(call.exchange)
  const { status } = call.recorded
  // An epoch in milliseconds is larger.
  const unit = Math.abs(Number(endTime)) < 1e11 ? 'chart.query-in-seconds' : 'chart.query'
  const isBareWord = Array.isArray(series) && series.some(one => isObject(one) && /^[\w-]+$/.test(String(one.where)))
  return [
    ...(succeeded(call) || [405, 410, 501].includes(status) ? [unit] : []),
    ...(isBareWord ? ['chart.free-text'] : []),
    ...(status === 404 ? ['chart.unknown-source'] : []),
  ]
}

/** §5, as far as recordings show it: requests without credentials, with the other form's scheme, or answered 401. */
function nameProbe({ operation, exchange: { as, response }, recorded, form }: RecordedCall): readonly string[] {
  if (!operation) return []
  if (as === 'none' || as === 'wrongScheme') return [probeName(form, as, operation)]
  const isRefused = as === 'unknown' && response.status === 401 && recorded.scheme !== undefined
  return isRefused && operation === listOf(form) ? [probeName(form, 'wrongSecret', operation)] : []
}

const MALFORMED_IDS = ['organizationId', 'serviceId', 'backupId'] as const

/** Requests that a deployment has to refuse, as can be seen from the request itself. */
function nameMalformed(call: RecordedCall, trusted: readonly RecordedCall[]): readonly string[] {
  const { operation, ids, form, recorded } = call
  if (operation === undefined) return []
  // Where no id of this kind is a UUID, the recorder may have replaced all of them.
  const malformed = MALFORMED_IDS.find(
    name => ids[name] !== undefined && !isUuid(ids[name]) && trusted.some(one => isUuid(one.ids[name])),
  )
  const { id } = ids
  const isRefusedId = id !== undefined && recorded.method === 'GET' && !succeeded(call)
  const isOfTwelve = isRefusedId && id.length === 12
  return [
    ...(malformed && form !== 'selfHosted' ? [nameOfMalformedId(malformed, operation)] : []),
    ...(isOfTwelve && operation === 'dashboard.get' ? ['twelve-characters'] : []),
    ...(isRefusedId && !/^(?:[0-9a-f]{24}|[0-9a-f-]{36}|.{12})$/i.test(id) ? ['malformed-id'] : []),
    ...(operation.endsWith('.create') ? nameMalformedBody(recorded) : []),
  ]
}

const nameOfMalformedId = (name: (typeof MALFORMED_IDS)[number], operation: OperationId) =>
  `malformed-${name.replace('Id', '')}-id${name === 'organizationId' && operation === 'backup.get' ? '-of-backup' : ''}`

function nameMalformedBody({ body, bodyIsWhole, headers }: RecordedEntry): readonly string[] {
  if (body === null || !bodyIsWhole || /redact/i.test(body)) return []
  const type = headers['content-type'] ?? ''
  const isJson = parseJson(body) !== undefined
  if (!isJson && /json/i.test(type)) return ['malformed-json']
  return isJson && /^text\/plain/i.test(type) ? ['text-body'] : []
}
