import { layOver } from '../../fixtures/built-contract/lay-over.ts'
import { readDocument, refuse } from '../../fixtures/built-contract/read-document.ts'
import { canMatch, isKept } from '../../fixtures/built-contract/terms.ts'
import { type Core, createCore } from '../core/core.ts'
import * as families from '../families/index.ts'
import { onceFor } from '../words/memoize.ts'
import { core } from './made-of.ts'
import { makeFamilies } from './new-operations.ts'

/** What a mock is made of when an OpenAPI document is laid over its contract, and what that changes, a line for each place. */
export interface DocumentedCore {
  readonly core: Core
  /** The fixed segment of the managed form in the document. */
  readonly segment: string | undefined
  readonly changes: readonly string[]
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
  const parts = { contract: laid.contract, families: { ...families, ...added } }
  return { core: createCore(parts), segment: read.segment, changes: laid.changes }
}

const maxCharacters = 16 * 1024 * 1024

function parse(text: string): object {
  if (text.length > maxCharacters) throw refuse('the document', `Expected at most ${maxCharacters} characters`)
  try {
    return JSON.parse(text)
  } catch {
    throw refuse('the document', 'Expected JSON')
  }
}
