import { exampleIds } from '../../../fixtures/contract/examples/index.ts'
import type { Host, Mock, TargetFile } from '../../core/mock.ts'

interface Described {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters?: { name: string; example?: unknown }[] }>>>
  >
}

/**
 * The description of an API as a tool needs it that sends what it reads: with the address at which this mock is reached,
 * and ids of its world in the examples.
 */
export function describeHere(mock: Mock, api: Host, target: TargetFile): object {
  const here = target[api]
  if (!here) return mock.describe(api)
  const { baseUrl, references }: { baseUrl: string; references: object } = here
  let text = JSON.stringify({ ...mock.describe(api), servers: [{ url: baseUrl }] })
  for (const [name, id] of Object.entries(exampleIds)) {
    const found = (references as Readonly<Record<string, unknown>>)[`${name}Id`]
    if (typeof found === 'string') text = text.replaceAll(id, found)
  }
  const document = JSON.parse(text) as Described
  for (const parameter of Object.values(document.paths)
    .flatMap(one => Object.values(one))
    .flatMap(one => one.parameters ?? [])) {
    const value = (here as Readonly<Record<string, unknown>>)[parameter.name]
    if (value !== undefined) parameter.example = value
  }
  return document
}
