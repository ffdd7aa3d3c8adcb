import type { Contract, Fields, Operation, OperationId } from '../../fixtures/built-contract/index.ts'
import { type Check, type Evidence, type Finding, judgeEach, notJudged } from '../engine/check.ts'
import { fieldsOf, findOperation, isDocumented, resourceOf } from '../engine/contract.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { valuesIn } from '../engine/paths.ts'
import { findObject, idOf, isObject, payloadOf, sameId } from '../engine/recognise.ts'
import { secretsIn } from '../engine/redact.ts'
import { secretsOf } from '../engine/target/target.ts'
import { compareWithContract } from './documented.ts'
import { everyExchange } from './steps.ts'

/** Rules for the answers to every operation. */

/** True if a rule `<resource>/<verb>-answers` judges the fields of the answer. */
const hasAnswersRule = ({ operation, form }: Exchange, { rules }: Contract) => {
  const rule = rules[`${String(operation).replace('.', '/')}-answers` as keyof typeof rules]
  return rule?.level === 'documented' && rule.forms.includes(form)
}

/**
 * True if an answer of the observability API is an array exactly where the contract has one. The specification shows none of
 * these answers, so those of another shape are not judged.
 */
const isShapedAsDocumented = ({ json, form }: Exchange, { result }: Operation) =>
  form !== 'cloud' && Array.isArray(payloadOf(json)) === (result.type === 'array')

/** True for successes and redirects, and for refusals that other rules judge: 400, 5xx, and 401 without JSON. */
const isJudgedElsewhere = ({ response: { status }, json }: Exchange) =>
  status <= 400 || status >= 500 || (status === 401 && json === undefined)

const judgeRefusal = ({ json, response: { status } }: Exchange): readonly Finding[] => {
  if (!isObject(json)) return [{ path: '$', expected: 'an object', got: json }]
  if (json.status !== undefined && json.status !== status)
    return [{ path: '$.status', expected: `the number ${status}`, got: json.status }]
  const hasSentence = typeof json.error === 'string' && json.error.trim() !== ''
  return hasSentence ? [] : [{ path: '$.error', expected: 'a non-empty string', got: json.error }]
}

/** The id at the end of the path, which the answer should repeat; undefined for a creation, which answers with a new id. */
function findRequestedId({ operation, form, request }: Exchange, { operations }: Contract) {
  const { paths, method, result } = operations[operation!]
  const template = paths[form] ?? ''
  const [, name] = /\{(\w+)\}$/.exec(template) ?? []
  if (method === 'POST' || result.type !== 'object' || name === undefined) return undefined
  return { name, id: valuesIn(template, request.path)?.[name] }
}

/** True if a rule of the life cycle, or of backups, judges the id in the answer. */
const isIdJudgedByLife = (operation: OperationId, { rules }: Contract) => {
  const [resource = '', verb = ''] = operation.split('.')
  const claim = verb === 'get' ? 'created-is-got' : 'id-never-changes'
  return operation === 'backup.get' || `${resource}/${claim}` in rules
}

function findRepeatedSecrets({ target, history: { contract } }: Evidence) {
  const known = new Set<string>(secretsOf(target).filter(secret => secret.length >= minSecretLength))
  return (exchange: Exchange): readonly Finding[] | undefined => {
    if (!isSuccess(exchange)) return undefined
    const mayShow = mayShowSecret(exchange, contract)
    const repeated = mayShow ? undefined : [...known].find(secret => exchange.response.text.includes(secret))
    // The secrets in an answer become known only if the contract lets it show them.
    const secrets = secretsIn(mayShow ? exchange : { ...exchange, json: undefined })
    for (const secret of secrets) if (secret.length >= minSecretLength && !isRedacted(secret)) known.add(secret)
    return repeated === undefined
      ? []
      : [{ expected: 'no secret that was shown or sent before', got: 'a secret, which is not repeated here' }]
  }
}

/** A recording without secrets has this in place of each. */
const isRedacted = (secret: string) => secret.includes('[redacted]')

/** Shorter secrets may occur in an answer by chance. */
const minSecretLength = 8

const hasSecretField = (fields: Fields): boolean =>
  Object.values(fields).some(({ secret, writeOnly, fields }) => !writeOnly && (secret || hasSecretField(fields ?? {})))

/** True if the answer may show a secret by the contract. */
const mayShowSecret = (exchange: Exchange, contract: Contract) => {
  const operation = findOperation(exchange.operation, contract)
  const creation = findOperation(`${resourceOf(exchange.operation)}.create`, contract)
  if (!operation?.shownOnce && creation?.shownOnce) return false
  return hasSecretField(fieldsOf(operation?.result.resource, contract))
}

export const checks = {
  'answer/has-the-fields-of-the-contract': everyExchange((exchange, contract) => {
    const operation = findOperation(exchange.operation, contract)
    if (!operation || exchange.isProbe || !isSuccess(exchange) || hasAnswersRule(exchange, contract)) return undefined
    if (!isDocumented(exchange.operation!) && !isShapedAsDocumented(exchange, operation)) return undefined
    return compareWithContract(exchange, operation, contract)
  }, 'every answer that came is judged by another rule'),
  'answer/refusals-are-described': everyExchange(exchange => {
    const isJudged =
      exchange.operation !== undefined && isDocumented(exchange.operation) && exchange.request.method !== 'HEAD'
    return isJudged && !isJudgedElsewhere(exchange) ? judgeRefusal(exchange) : undefined
  }, 'no refusal that this rule judges came'),
  'answer/shows-no-secret-again': {
    reads: 'everything',
    judge: evidence => judgeEach(evidence.exchanges, findRepeatedSecrets(evidence), () => notJudged('no answer came')),
  },
  'isolation/id-is-that-asked-for': everyExchange((exchange, contract) => {
    const { operation, isProbe } = exchange
    if (operation === undefined || isProbe || !isSuccess(exchange) || isIdJudgedByLife(operation, contract))
      return undefined
    const requested = findRequestedId(exchange, contract)
    const resource = resourceOf(operation)
    const object = findObject(exchange.json, resource) ?? payloadOf(exchange.json)
    const named = isObject(object) && requested ? object[requested.name] : undefined
    const got = typeof named === 'string' ? named : idOf(object, resource)
    if (requested?.id === undefined || got === undefined) return undefined
    return sameId(got, requested.id)
      ? []
      : [{ path: '$', expected: `the id "${requested.id}" that was asked for`, got }]
  }, 'no answer shows an id'),
} as const satisfies Record<string, Check>
