import type { Drift } from '../../report/report.ts'

/** Changes of an OpenAPI document, and the impact of each on a client. */

// biome-ignore lint/suspicious/noExplicitAny: the changes make documents that their type does not allow.
export type Loose = any

/** The impact of a change on a client; `nothing` when there is no difference. */
export type Impact = Drift['kind'] | 'nothing'

/** A change of one value, tried as a field of a request, as a field of an answer, and as a parameter of the query. */
export interface ValueChange {
  readonly name: string
  /** The schema before and after; undefined where there is no such field. */
  readonly was?: Loose
  readonly is?: Loose
  readonly wasRequired?: boolean
  readonly isRequired?: boolean
  readonly request: Impact
  readonly answer: Impact
  readonly parameter: Impact
  /**
   * True for a change after which the document states less than before, or states something that only a vendor can know, such
   * as a deprecation. A comparison with the contract does not report such a change of a request or parameter.
   */
  readonly isSilent?: true
}

const text = { type: 'string' }
const number = { type: 'number' }
const words = { type: 'string', enum: ['one', 'two'] }
const kind = (name: string, field: string) => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string', enum: [name] }, [field]: text },
})
const [kafka, mysql, postgres] = [kind('kafka', 'topics'), kind('mysql', 'host'), kind('postgres', 'slot')]
const impact = (request: Impact, answer: Impact, parameter = request) => ({ request, answer, parameter })

export const valueChanges: readonly ValueChange[] = [
  { name: 'new, optional', is: text, ...impact('additive', 'additive') },
  { name: 'new, required', is: text, isRequired: true, ...impact('breaking', 'additive') },
  { name: 'gone, optional', was: text, ...impact('neutral', 'breaking', 'breaking') },
  { name: 'gone, deprecated', was: { ...text, deprecated: true }, ...impact('neutral', 'neutral', 'breaking') },
  { name: 'gone, required', was: text, wasRequired: true, ...impact('neutral', 'breaking', 'breaking') },
  { name: 'required now', was: text, is: text, isRequired: true, ...impact('breaking', 'neutral') },
  { name: 'optional now', was: text, wasRequired: true, is: text, ...impact('additive', 'breaking') },
  { name: 'another type', was: text, is: number, ...impact('breaking', 'breaking') },
  { name: 'an additional type', was: text, is: { type: ['string', 'number'] }, ...impact('additive', 'breaking') },
  { name: 'a removed type', was: { type: ['string', 'number'] }, is: text, ...impact('breaking', 'neutral') },
  { name: 'whole numbers only', was: number, is: { type: 'integer' }, ...impact('breaking', 'neutral') },
  { name: 'not only whole numbers', was: { type: 'integer' }, is: number, ...impact('additive', 'breaking') },
  {
    name: 'another format',
    was: { ...text, format: 'uuid' },
    is: { ...text, format: 'email' },
    ...impact('breaking', 'breaking'),
  },
  { name: 'a format', was: text, is: { ...text, format: 'uuid' }, ...impact('breaking', 'neutral') },
  { isSilent: true, name: 'no format', was: { ...text, format: 'uuid' }, is: text, ...impact('additive', 'breaking') },
  { name: 'null', was: text, is: { type: ['string', 'null'] }, ...impact('additive', 'breaking') },
  { name: 'never null', was: { type: ['string', 'null'] }, is: text, ...impact('breaking', 'neutral') },
  {
    name: 'never null, as OpenAPI 3.0 has it',
    was: { ...text, nullable: true },
    is: text,
    ...impact('breaking', 'neutral'),
  },
  {
    name: 'never null, as an alternative',
    was: { anyOf: [text, { type: 'null' }] },
    is: text,
    ...impact('breaking', 'neutral'),
  },
  {
    name: 'a new value',
    was: words,
    is: { ...text, enum: ['one', 'two', 'three'] },
    ...impact('additive', 'additive'),
  },
  { name: 'a removed value', was: words, is: { ...text, enum: ['one'] }, ...impact('breaking', 'neutral') },
  { name: 'only these values', was: text, is: words, ...impact('breaking', 'neutral') },
  { isSilent: true, name: 'any value', was: words, is: text, ...impact('additive', 'additive') },
  {
    name: 'a higher maximum',
    was: { ...number, maximum: 20 },
    is: { ...number, maximum: 50 },
    ...impact('additive', 'neutral'),
  },
  {
    name: 'a lower maximum',
    was: { ...number, maximum: 50 },
    is: { ...number, maximum: 20 },
    ...impact('breaking', 'neutral'),
  },
  { name: 'a minimum', was: number, is: { ...number, minimum: 1 }, ...impact('breaking', 'neutral') },
  { isSilent: true, name: 'no maximum', was: { ...number, maximum: 50 }, is: number, ...impact('additive', 'neutral') },
  { name: 'a maximum length', was: text, is: { ...text, maxLength: 64 }, ...impact('breaking', 'neutral') },
  { name: 'a pattern', was: text, is: { ...text, pattern: '^a' }, ...impact('breaking', 'neutral') },
  {
    name: 'a maximum number of items',
    was: { type: 'array', items: text },
    is: { type: 'array', items: text, maxItems: 5 },
    ...impact('breaking', 'neutral'),
  },
  {
    name: 'other items',
    was: { type: 'array', items: text },
    is: { type: 'array', items: number },
    ...impact('breaking', 'breaking'),
  },
  {
    name: 'other values of a map',
    was: { type: 'object', additionalProperties: text },
    is: { type: 'object', additionalProperties: number },
    ...impact('breaking', 'breaking'),
  },
  {
    name: 'a new alternative',
    was: { oneOf: [kafka, mysql] },
    is: { oneOf: [postgres, kafka, mysql] },
    ...impact('additive', 'additive'),
  },
  {
    name: 'a removed alternative',
    was: { oneOf: [kafka, mysql, postgres] },
    is: { oneOf: [mysql, kafka] },
    ...impact('breaking', 'neutral'),
  },
  {
    name: 'an alternative of another type',
    was: { oneOf: [kafka, mysql] },
    is: { oneOf: [kafka, { ...mysql, properties: { ...mysql.properties, host: number } }] },
    ...impact('breaking', 'breaking'),
  },
  {
    name: 'a nested field, required now',
    was: { ...kafka },
    is: { ...kafka, required: ['kind', 'topics'] },
    ...impact('breaking', 'neutral'),
  },
  {
    name: 'a nested field, in a part of allOf',
    was: { allOf: [kafka, { type: 'object', properties: { more: text } }] },
    is: { allOf: [kafka, { type: 'object', properties: { more: number } }] },
    ...impact('breaking', 'breaking'),
  },
  {
    name: 'the same schema, written differently',
    was: { allOf: [kafka, { type: 'object', properties: { more: text } }] },
    is: { ...kafka, properties: { more: text, ...kafka.properties } },
    ...impact('nothing', 'nothing'),
  },
  { name: 'read only', was: text, is: { ...text, readOnly: true }, ...impact('neutral', 'nothing', 'nothing') },
  {
    name: 'write only',
    was: text,
    wasRequired: true,
    is: { ...text, writeOnly: true },
    isRequired: true,
    ...impact('nothing', 'breaking', 'nothing'),
  },
  { isSilent: true, name: 'deprecated', was: text, is: { ...text, deprecated: true }, ...impact('neutral', 'neutral') },
  {
    name: 'other texts',
    was: { ...text, description: 'a', example: 'b' },
    is: { ...text, title: 'c', examples: ['d'] },
    ...impact('nothing', 'nothing'),
  },
  { name: 'another order', was: words, is: { enum: ['two', 'one'], type: 'string' }, ...impact('nothing', 'nothing') },
  { name: 'a default', was: text, is: { ...text, default: 'a' }, ...impact('nothing', 'nothing') },
]

/** A change of an operation, or of something around it. */
export interface OperationChange {
  readonly name: string
  readonly before?: (document: Loose, place: OperationPlace) => void
  readonly change: (document: Loose, place: OperationPlace) => void
  /** The differences that it makes, as `kind what`. */
  readonly makes: readonly string[]
}

/** The changed operation, and its path. */
export interface OperationPlace {
  readonly path: string
  /** Creates something, and has a body. */
  readonly operation: Loose
}

const json = 'application/json'
const rename = (holder: Loose, from: string, to: string) => {
  holder[to] = holder[from]
  delete holder[from]
}
const schemeOf = (document: Loose) => Object.values<Loose>(document.components.securitySchemes)[0]
const nameOfScheme = (document: Loose) => Object.keys(document.components.securitySchemes)[0]!

export const operationChanges: readonly OperationChange[] = [
  { name: 'an operation is gone', change: ({ paths }, { path }) => delete paths[path].post, makes: ['breaking gone'] },
  {
    name: 'an operation is new',
    change: ({ paths }, { path, operation }) => {
      paths[`${path}/copies`] = { post: operation }
    },
    makes: ['additive new'],
  },
  {
    name: 'a path changes',
    change: ({ paths }, { path, operation }) => {
      delete paths[path].post
      paths[`${path}-new`] = { post: operation }
    },
    makes: ['breaking gone', 'additive new'],
  },
  {
    name: 'a method changes',
    change: ({ paths }, { path }) => {
      paths[path].patch = paths[path].post
      delete paths[path].post
    },
    makes: ['breaking gone', 'additive new'],
  },
  {
    name: 'ids of the path are renamed',
    change: ({ paths }, { path }) => {
      paths[path.replaceAll('Id}', '}')] = JSON.parse(
        JSON.stringify(paths[path]).replaceAll('Id","in":"path"', '","in":"path"'),
      )
      if (path.includes('Id}')) delete paths[path]
    },
    makes: [],
  },
  {
    name: 'an operation is deprecated',
    change: (_, { operation }) => {
      operation.deprecated = true
    },
    makes: ['neutral deprecated'],
  },
  {
    name: 'a success has another status',
    change: (_, { operation: { responses } }) => rename(responses, Object.keys(responses)[0]!, '202'),
    makes: ['breaking status-gone', 'additive status-new'],
  },
  {
    name: 'a success may have another status too',
    change: (_, { operation: { responses } }) => {
      responses[202] = responses[200] ?? responses[201]
    },
    makes: ['additive status-new'],
  },
  {
    name: 'a success may have any 2XX status',
    change: (_, { operation: { responses } }) => rename(responses, Object.keys(responses)[0]!, '2XX'),
    makes: ['additive status-new'],
  },
  {
    name: 'another refusal is listed',
    change: (_, { operation: { responses } }) => {
      responses[422] = responses[400]
    },
    makes: [],
  },
  {
    name: 'an answer has another media type',
    change: (_, { operation: { responses } }) => rename(Object.values<Loose>(responses)[0].content, json, 'text/csv'),
    makes: ['breaking media-type-gone', 'additive media-type-new'],
  },
  {
    name: 'a request has another media type',
    change: (_, { operation }) => rename(operation.requestBody.content, json, 'text/csv'),
    makes: ['breaking media-type-gone', 'additive media-type-new'],
  },
  {
    name: 'a request may have another media type too',
    change: (_, { operation }) => {
      operation.requestBody.content['application/yaml'] = operation.requestBody.content[json]
    },
    makes: ['additive media-type-new'],
  },
  {
    name: 'a request has no body',
    change: (_, { operation }) => delete operation.requestBody,
    makes: ['breaking gone'],
  },
  {
    name: 'a request needs a body',
    before: (_, { operation }) => delete operation.requestBody,
    change: (_, { operation }) => {
      operation.requestBody = { required: true, content: { [json]: { schema: { type: 'object' } } } }
    },
    makes: ['breaking new-required'],
  },
  {
    name: 'a body becomes required',
    before: (_, { operation }) => {
      operation.requestBody = { content: { [json]: { schema: { type: 'object' } } } }
    },
    change: (_, { operation }) => {
      operation.requestBody.required = true
    },
    makes: ['breaking required'],
  },
  {
    name: 'a header is required',
    change: (_, { operation }) => {
      operation.parameters = [
        ...(operation.parameters ?? []),
        { name: 'X-Reason', in: 'header', required: true, schema: text },
      ]
    },
    makes: ['breaking new-required'],
  },
  {
    name: 'credentials change',
    change: document => {
      Object.assign(schemeOf(document), { type: 'apiKey', in: 'header', name: 'X-Key', scheme: undefined })
    },
    makes: ['breaking security'],
  },
  {
    name: 'other credentials are accepted too',
    change: (document, { operation }) => {
      document.components.securitySchemes.digest = { type: 'http', scheme: 'digest' }
      operation.security = [{ [nameOfScheme(document)]: [] }, { digest: [] }]
    },
    makes: ['additive security'],
  },
  {
    name: 'an operation needs no credentials',
    change: (_, { operation }) => {
      operation.security = []
    },
    makes: ['breaking security'],
  },
  {
    name: 'permissions are documented for the first time',
    before: ({ paths }, { path }) => {
      for (const operation of Object.values<Loose>(paths[path])) delete operation.security
    },
    change: (document, { operation }) => {
      operation.security = [{ [nameOfScheme(document)]: ['manage'] }]
    },
    makes: ['neutral scopes-documented'],
  },
  {
    name: 'a further permission is needed',
    before: (document, { operation }) => {
      operation.security = [{ [nameOfScheme(document)]: ['view'] }]
    },
    change: (document, { operation }) => {
      operation.security = [{ [nameOfScheme(document)]: ['view', 'manage'] }]
    },
    makes: ['breaking scope-new'],
  },
  {
    name: 'another major version',
    change: ({ info }) => {
      info.version = '9.0'
    },
    makes: ['breaking version'],
  },
  {
    name: 'another minor version',
    change: ({ info }) => {
      info.version = `${info.version.split('.')[0]}.7`
    },
    makes: ['neutral version'],
  },
  {
    name: 'tags, summaries and servers change',
    change: (document, { operation }) => {
      operation.tags = ['x']
      operation.summary = 'y'
      document.servers = [{ url: 'https://elsewhere.test' }]
    },
    makes: [],
  },
]
