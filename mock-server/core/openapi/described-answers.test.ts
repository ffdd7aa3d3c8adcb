import { describe, expect, it } from 'vitest'
import { createExampleRequest } from '../../faces/control/page/example-request.ts'
import { createMock } from '../../faces/create-mock.ts'
import type { Listener } from '../../words/call.ts'

/** Calls every operation that reads, in every form and edition. The description must have every field of the answer. */

// biome-ignore lint/suspicious/noExplicitAny: descriptions and answers are read without types
type Json = any

const mocks = {
  'by default': {},
  'as self-hosted-2.24': { as: 'self-hosted-2.24' },
  'as self-hosted-2.36': { as: 'self-hosted-2.36' },
  'as clickhouse-cloud': { as: 'clickhouse-cloud' },
} as const

function open(options: (typeof mocks)[keyof typeof mocks]) {
  const mock = createMock({ now: Date.parse('2026-03-01T12:00:00Z'), ...options })
  const target = mock.target()
  const cloud = `Basic ${btoa(`${target.cloud.keyId}:${target.cloud.keySecret}`)}`
  const authorization = { cloud, selfHosted: `Bearer ${target.selfHosted.apiKey}` }
  const read = async (host: Listener, path: string, id: string) => {
    const world = mock.deployment().world
    const example = createExampleRequest(world, target, id, mock.clock.now(), {}, mock.choices())
    const filled = (example?.parameters ?? []).reduce(
      (text, one) => (one.in === 'path' ? text.replace(`{${one.name}}`, one.value ?? 'none') : text),
      path,
    )
    const required = (example?.parameters ?? []).filter(one => one.in === 'query' && one.value !== undefined)
    const query = String(new URLSearchParams(required.map(({ name, value }) => [name, value!])))
    const headers = { authorization: authorization[host] }
    return mock.answer({ method: 'GET', path: filled, query, headers, body: '' }, host)
  }
  return { mock, read }
}

/** The paths of the fields that a schema does not describe; `[]` stands for the items of an array. */
function findUndescribed(value: Json, schema: Json, document: Json, place = ''): string[] {
  if (schema === undefined || schema === true) return []
  if (schema.$ref) return findUndescribed(value, resolveReference(document, schema.$ref), document, place)
  if (Array.isArray(value)) {
    return value.flatMap(item => findUndescribed(item, schema.items ?? {}, document, `${place}[]`))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const ownSchema = schemaOf(name, value, schema)
    return ownSchema === undefined
      ? [`${place}.${name}`]
      : findUndescribed(inner, ownSchema, document, `${place}.${name}`)
  })
}

function schemaOf(name: string, value: Json, schema: Json): Json {
  const variant = schema.oneOf?.find((one: Json) =>
    Object.entries<Json>(one.properties).some(
      ([field, { enum: values }]) => values?.length === 1 && values[0] === value[field],
    ),
  )
  const pattern = Object.keys(schema.patternProperties ?? {}).find(one => new RegExp(one).test(name))
  return (
    variant?.properties[name] ??
    schema.properties?.[name] ??
    (pattern && schema.patternProperties[pattern]) ??
    schema.additionalProperties
  )
}

const resolveReference = (document: Json, reference: string) =>
  reference
    .slice(2)
    .split('/')
    .reduce((inner, key) => inner[key.replaceAll('~1', '/')], document)

describe.each(Object.entries(mocks))('the answers of a mock %s', (_, options) => {
  it.each(['cloud', 'selfHosted'] as const)('have only described fields: %s', async host => {
    const { mock, read } = open(options)
    const document = JSON.parse(JSON.stringify(mock.describe(host)))
    const undescribed = new Set<string>()
    let answered = 0
    for (const [path, methods] of Object.entries<Json>(document.paths)) {
      const { operationId, responses, security } = methods.get ?? {}
      if (operationId === undefined || operationId === 'description.get') continue
      const { status, body } = await read(host, path, operationId)
      const schema = responses[status]?.content?.['application/json']?.schema
      if (status !== 200 || !schema || security?.length === 0) continue
      answered++
      for (const place of findUndescribed(JSON.parse(body), schema, document))
        undescribed.add(`${operationId} ${place}`)
    }
    expect([...undescribed]).toEqual([])
    expect(answered).toBeGreaterThan(host === 'cloud' ? 60 : 5)
  })
})
