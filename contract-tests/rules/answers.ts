import { type Fields, type Operation, type OperationId, operations, rules } from '../../fixtures/contract/index.ts'
import { type Check, type Evidence, type Finding, judgeEach, notApplicable } from '../engine/check.ts'
import { fieldsOf, findOperation, isDocumented, resourceOf } from '../engine/contract.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { valuesIn } from '../engine/paths.ts'
import { findObject, idOf, isObject, payloadOf, sameId } from '../engine/recognise.ts'
import { secretsIn } from '../engine/secrets.ts'
import { secretsOf } from '../engine/target/target.ts'
import { misfitsIn } from './documented.ts'
import { everyExchange } from './steps.ts'

/** Rules for the answers to every operation. */

/** True where `<resource>/<verb>-answers` judges the fields. */
const isJudgedByName = ({ operation, form }: Exchange) => {
  const rule = rules[String(operation).replace('.', '/').concat('-answers') as keyof typeof rules]
  return rule?.level === 'documented' && rule.forms.includes(form)
}

/** The specification shows no answers of the observability API: those in the document's shape are judged. */
const isOfDocument = ({ json, form }: Exchange, { result }: Operation) =>
  form !== 'cloud' && Array.isArray(payloadOf(json)) === (result.is === 'array')

/** Refusals with rules of their own or of an open shape: 400, and 401 without JSON. */
const isOpen = ({ response: { status }, json }: Exchange) =>
  status <= 400 || status >= 500 || (status === 401 && json === undefined)

const misdescribed = ({ json, response: { status } }: Exchange): readonly Finding[] => {
  if (!isObject(json)) return [{ path: '$', expected: 'an object', got: json }]
  if (json.status !== undefined && json.status !== status)
    return [{ path: '$.status', expected: `the number ${status}`, got: json.status }]
  const isSaid = typeof json.error === 'string' && json.error.trim() !== ''
  return isSaid ? [] : [{ path: '$.error', expected: 'a non-empty string', got: json.error }]
}

/** The own id in a path. A creation answers with another id. */
function requestedId({ operation, form, request }: Exchange) {
  const { paths, method, result } = operations[operation!]
  const template = paths[form] ?? ''
  const [, name] = /\{(\w+)\}$/.exec(template) ?? []
  if (method === 'POST' || result.is !== 'object' || name === undefined) return undefined
  return { name, id: valuesIn(template, request.path)?.[name] }
}

/** True where rules of a life judge the id. */
const isJudgedByLife = (operation: OperationId) => {
  const [resource = '', verb = ''] = operation.split('.')
  const claim = verb === 'get' ? 'created-is-got' : 'id-never-changes'
  return operation === 'backup.get' || `${resource}/${claim}` in rules
}

function secretsAgain({ all, target }: Evidence) {
  const seen = new Set<string>(secretsOf(target).filter(secret => secret.length >= SHORTEST))
  return (exchange: Exchange): readonly Finding[] | undefined => {
    const judged = mayShow(exchange) ? exchange : { ...exchange, json: undefined }
    const own = isSuccess(exchange) ? secretsIn(judged).filter(secret => secret.length >= SHORTEST) : []
    const shown =
      mayShow(exchange) || !isSuccess(exchange)
        ? undefined
        : [...seen].find(secret => exchange.response.text.includes(secret))
    for (const secret of own) seen.add(secret)
    if (all.length === 0 || !isSuccess(exchange)) return undefined
    return shown === undefined
      ? []
      : [{ expected: 'no secret that was shown or sent before', got: 'one, which is not repeated here' }]
  }
}

/** Shorter texts may occur anywhere. */
const SHORTEST = 8

const isSecretWithin = (fields: Fields): boolean =>
  Object.values(fields).some(({ secret, writeOnly, fields }) => !writeOnly && (secret || isSecretWithin(fields ?? {})))

/** True where the contract lets the answer show a secret. */
const mayShow = (exchange: Exchange) => {
  const operation = findOperation(exchange.operation)
  const creation = findOperation(`${resourceOf(exchange.operation)}.create`)
  if (!operation?.showsOnce && creation?.showsOnce) return false
  return isSecretWithin(fieldsOf(operation?.result.of))
}

export const checks = {
  'answer/has-the-fields-of-the-contract': everyExchange(exchange => {
    const operation = findOperation(exchange.operation)
    if (!operation || exchange.isProbe || !isSuccess(exchange) || isJudgedByName(exchange)) return undefined
    if (!isDocumented(exchange.operation!) && !isOfDocument(exchange, operation)) return undefined
    return misfitsIn(exchange, operation)
  }, 'no answer came that no other rule judges'),
  'answer/refusals-are-described': everyExchange(exchange => {
    const isJudged =
      exchange.operation !== undefined && isDocumented(exchange.operation) && exchange.request.method !== 'HEAD'
    return isJudged && !isOpen(exchange) ? misdescribed(exchange) : undefined
  }, 'no such refusal came'),
  'answer/shows-no-secret-again': {
    reads: 'everything',
    judge: evidence => judgeEach(evidence.all, secretsAgain(evidence), () => notApplicable('no answer came')),
  },
  'isolation/id-is-that-asked-for': everyExchange(exchange => {
    const { operation, isProbe } = exchange
    if (operation === undefined || isProbe || !isSuccess(exchange) || isJudgedByLife(operation)) return undefined
    const asked = requestedId(exchange)
    const resource = resourceOf(operation)
    const object = findObject(exchange.json, resource) ?? payloadOf(exchange.json)
    const named = isObject(object) && asked ? object[asked.name] : undefined
    const got = typeof named === 'string' ? named : isObject(object) ? idOf(object, resource) : undefined
    if (asked?.id === undefined || got === undefined) return undefined
    return sameId(got, asked.id) ? [] : [{ path: '$', expected: `the id "${asked.id}" that was asked for`, got }]
  }, 'no answer shows an id'),
} as const satisfies Record<string, Check>
