import type { Field, Fields } from '../../fixtures/contract/index.ts'
import { fieldsOf, findOperation } from './contract.ts'
import { type Exchange, parseJson } from './exchange.ts'
import { isObject, payloadOf } from './recognise.ts'

/** Finds the secrets in an exchange, such as a new key's: by the contract, and by the names of fields. */

export const isSecretName = (name: string): boolean => meansSecret.test(name)

const meansSecret = /passw(?:or)?d$|secret$|^connectionString$|^privateKey$|^accessKey$/i

export function secretsIn({ operation, request, json }: Pick<Exchange, 'operation' | 'request' | 'json'>): string[] {
  const { body, result } = findOperation(operation) ?? {}
  const sent = request.body === null ? undefined : parseJson(request.body)
  return [...collect(sent, fieldsOf(body)), ...collect(payloadOf(json), fieldsOf(result?.resource))].map(passwordOf)
}

/** Of a connection string, only the password is secret. */
const passwordOf = (secret: string): string => /^\w+:\/\/[^/@]*:([^/@]+)@/.exec(secret)?.[1] ?? secret

function collect(value: unknown, fields: Fields | undefined, field?: Field): string[] {
  if (typeof value === 'string') return field?.secret ? [value] : []
  if (Array.isArray(value)) return value.flatMap(item => collect(item, field?.items?.fields ?? fields, field?.items))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = fields?.[name]
    return typeof inner === 'string' && isSecretName(name) ? [inner] : collect(inner, own?.fields, own)
  })
}
