import { readFileSync } from 'node:fs'
import { refuse } from '../../fixtures/built-contract/read-document.ts'
import { maxCharacters } from '../mock/document.ts'
import { decodeText } from '../words/decode-text.ts'
import { placeOfBreak } from '../words/json-break.ts'
import { createMockForTest as create, type FetchMock, type FetchMockOptions } from './create-mock.ts'

/** Creates a mock in Node, where the document may also be a text in YAML, or a path. */
export const createMock = (options?: FetchMockOptions): FetchMock => createMockForTest(options)

/** The same for a test, by whose name its calls are added. */
export const createMockForTest = (options?: FetchMockOptions, test?: string): FetchMock =>
  create(options && withDocument(options), test)

export const withDocument = <Options extends { readonly document?: object | string }>(options: Options): Options =>
  options.document === undefined ? options : { ...options, document: readDocumentOfOptions(options.document) }

/** The bound against documents whose aliases multiply. */
const maxAliasCount = 1000

/** Reads the file of an OpenAPI document, in JSON or YAML. */
export function readDocumentFile(file: string): object {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(code === 'ENOENT' ? 'there is no such file' : `the file cannot be read (${code})`)
  }
  return parse(decodeText(bytes))
}

/** The document of the options of a mock in Node: a value, its text in JSON or YAML, or a path. */
function readDocumentOfOptions(document: object | string): object {
  if (typeof document !== 'string') return document
  // A text has several lines, or is JSON in one.
  if (/^\s*\{|\n/.test(document)) return parse(document)
  try {
    return readDocumentFile(document)
  } catch (error) {
    throw new Error(`create a mock: document ${document.slice(0, 200)}: ${(error as Error).message}`)
  }
}

function parse(text: string): object {
  if (text.length > maxCharacters) throw refuse('the document', `Expected at most ${maxCharacters} characters`)
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text)
    } catch {
      // A document in YAML may begin with a brace, too, but hardly any does.
      throw refuse('the document', `Expected JSON, but it ends or breaks at ${placeOfBreak(text)}`)
    }
  }
  try {
    // Loaded on demand: most programs give no YAML.
    return (require('yaml') as typeof import('yaml')).parse(text, { maxAliasCount })
  } catch (error) {
    throw refuse('the document', `Expected YAML: ${(error as Error).message.split('\n')[0]!.replace(/[:.]$/, '')}`)
  }
}
