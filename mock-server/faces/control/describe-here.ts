import { exampleIds } from '../../../fixtures/contract/examples/index.ts'
import type { Mock, TargetFile } from '../../mock/mock.ts'
import type { Listener } from '../../words/call.ts'

interface OpenApiDocument {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters?: { name: string; example?: unknown }[] }>>>
  >
}

/** The description of an API with the address of this mock and with ids of its world in the examples, so that tools can send them. */
export function describeWithIds(mock: Mock, api: Listener, target: TargetFile): object {
  const here = target[api]
  if (!here) return mock.describe(api)
  const { baseUrl, references, ...values }: Readonly<Record<string, unknown>> & { references: object } = here
  const ids = references as Readonly<Record<string, unknown>>
  const found = Object.entries(exampleIds).flatMap(([name, id]) => {
    const own = ids[`${name}Id`]
    return typeof own === 'string' ? [[id, own] as const] : []
  })
  const document = replaceValues({ ...mock.describe(api), servers: [{ url: baseUrl }] }, found) as OpenApiDocument
  const operations = Object.values(document.paths).flatMap(one => Object.values(one))
  for (const parameter of operations.flatMap(one => one.parameters ?? []))
    parameter.example = values[parameter.name] ?? parameter.example
  return document
}

/** A copy of JSON with values replaced, such as the ids of examples by those of a world. */
export const replaceValues = (json: object, replacements: Iterable<readonly [unknown, unknown]>): unknown => {
  const known = new Map(replacements)
  return JSON.parse(JSON.stringify(json), (_, value) => (known.has(value) ? known.get(value) : value))
}
