import { layOver } from '../../fixtures/built-contract/lay-over.ts'
import { type Document, readDocument, refuse, shapeOf } from '../../fixtures/built-contract/read-document.ts'
import { canMatch, isKept } from '../../fixtures/built-contract/terms.ts'
import type { Form, Operation } from '../../fixtures/contract/index.ts'
import { type Core, createCore } from '../core/core.ts'
import { weakTag } from '../core/write/write-reply.ts'
import type { Choices } from '../gaps/choices.ts'
import { placeOfBreak } from '../words/json-break.ts'
import { onceFor } from '../words/memoize.ts'
import { core } from './made-of.ts'
import { makeFamilies } from './new-operations.ts'

/** What a mock is made of when an OpenAPI document is laid over its contract, and what that changes, a line for each place. */
export interface DocumentedCore {
  readonly core: Core
  /** The fixed segment of the managed form in the document. */
  readonly segment: string | undefined
  /** The edition of the observability API that the document describes. */
  readonly choices: Choices
  readonly changes: readonly string[]
  readonly disagreements: readonly string[]
}

/** Reads a document, as a value or as the text of JSON. Throws an Error with a sentence and the place of what is wrong. */
export const readDocumentedCore = (document: object | string): DocumentedCore =>
  typeof document === 'string' ? makeCore(parse(document)) : coreOf(document)

/** Tests create many mocks with one document. */
const coreOf = onceFor(makeCore)

function makeCore(document: object): DocumentedCore {
  const hasModel = (name: string) => core.models.some(one => one.name === name)
  const terms = { stays: isKept, canMatch, hasModel }
  const read = readDocument(document)
  const laid = layOver(core.contract, read, terms)
  const added = makeFamilies(laid, core.models)
  const { contract, changes, disagreements } = laid
  let name: string | undefined
  const named = {
    // Only states have it, and a document of the vendor takes some 20 ms.
    get name() {
      name ??= nameOf(document)
      return name
    },
    disagreements: sentencesByPlace(disagreements),
  }
  const made = createCore({ contract, families: { ...core.families, ...added }, document: named })
  return { core: made, segment: read.segment, choices: editionsOf(read), changes, disagreements }
}

/** A document that has an operation of the newer edition alone describes that edition. */
function editionsOf({ forms, operations }: Document): Choices {
  const newer = Object.values<Operation>(core.contract.operations).filter(({ editions }) => editions?.join() === '2.36')
  const isNewer = (form: Form) =>
    newer.some(({ method, paths }) => paths[form] && operations.has(`${method} ${shapeOf(paths[form])}`))
  const found = forms.filter(form => form !== 'cloud' && isNewer(form))
  return Object.fromEntries(found.map(form => [form, { 'version/self-hosted-edition': '2.36' }]))
}

/** The title and version of a document, and a hash of it. */
function nameOf(document: object): string {
  const { info = {} } = document as { readonly info?: { readonly title?: unknown; readonly version?: unknown } }
  return `${info.title ?? 'a document'} ${info.version ?? ''} (${weakTag(JSON.stringify(document)).slice(3, -1)})`
}

/** The disagreements of each operation and resource, which their places begin with. */
function sentencesByPlace(disagreements: readonly string[]): ReadonlyMap<string, string> {
  const byName = new Map<string, string>()
  for (const one of disagreements) {
    const [place = ''] = one.split(':', 1)
    for (const name of new Set([place.replace(/\?.*$/, ''), place.split(/[.?([]/)[0]!]))
      if (!byName.has(name)) byName.set(name, `The document disagrees: ${one}.`)
  }
  return byName
}

/** Limit of the text of a document. */
export const maxCharacters = 16 * 1024 * 1024

function parse(text: string): object {
  if (text.length > maxCharacters) throw refuse('the document', `Expected at most ${maxCharacters} characters`)
  try {
    return JSON.parse(text)
  } catch {
    throw refuse('the document', `Expected JSON, but it ends or breaks at ${placeOfBreak(text)}`)
  }
}
