import type { Edition, Field, Form } from '../../fixtures/contract/index.ts'

/** The kinds of invalid values, by the property of the field that they violate. */
export type FaultKind =
  | 'required'
  | 'type'
  /** Another value than the only one that the field allows. */
  | 'literal'
  | 'values'
  | 'format'
  | 'pattern'
  | 'min'
  | 'max'
  /** A fraction where `multipleOf` is 1. */
  | 'whole'
  /** Not a multiple of `multipleOf`, where that is not 1. */
  | 'step'
  /** Unknown properties of an object; the value is the list of their names. */
  | 'others'
  /** The discriminator of a union has an unknown value; the value is the list of the known ones. */
  | 'oneOf'
  /** The value matches no variant of a union, and the sentence does not say which one is nearest. */
  | 'union'

export type Sentence = string | ((field: Field, value: unknown) => string)
type Sentences = Readonly<Record<FaultKind, Sentence>>

/** The sentences of refusals of a form and an edition, by kind of fault. A family adds those of its own fields. */
export const sentencesOf = (form: Form, edition: Edition): Sentences =>
  form === 'cloud' ? cloudSentences : edition === '2.24' ? olderSentences : newerSentences

const nameOfType = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isNaN(value) ? 'nan' : typeof value
const quote = (words: readonly string[] = []) => words.map(word => `'${word}'`).join(' | ')

const units = { string: ['String must contain', 'character(s)'], array: ['Array must contain', 'element(s)'] } as const

/** The sentence about a bound of a number, or of the length of a string or list. */
function boundSentence(field: Field, bound: 'min' | 'max'): string {
  const { type, min, max } = field
  const limit = field[bound]
  const unit = units[type as keyof typeof units]
  if (!unit) return `Number must be ${bound === 'min' ? 'greater' : 'less'} than or equal to ${limit}`
  const how = min === max ? 'exactly' : bound === 'min' ? 'at least' : 'at most'
  return `${unit[0]} ${how} ${limit} ${unit[1]}`
}

/** The sentence about an unknown value of an enumeration; it quotes the value, numbers included. */
const enumeration: Sentence = ({ values }, value) =>
  `Invalid enum value. Expected ${quote(values)}, received '${value}'`

/** The sentence about the type of a TypeScript enumeration, for which a number is an unknown value and not a wrong type. */
export const typeOfEnumeration: Sentence = (field, value) =>
  writeSentence(typeof value === 'number' ? enumeration : newerSentences.type, field, value)

/** The sentences about an enumeration of one value, which deployments do not treat as a literal. */
export const enumerationOfOne: Sentence = (field, value) => {
  const kind = value === undefined ? 'required' : typeof value === field.type ? 'values' : 'type'
  return writeSentence(newerSentences[kind], field, value)
}

const formats = {
  uuid: 'uuid',
  email: 'email',
  date: 'date',
  'date-time': 'datetime',
  timestamp: 'datetime',
  moment: 'datetime',
  uri: 'url',
  'object-id': 'ObjectId',
} as const

/** The sentence about a value that fits no part of a union; deployments give no other reason. */
export const invalidInput = 'Invalid input'

const newerSentences: Sentences = {
  required: 'Required',
  type: ({ type, values }, value) => `Expected ${values ? quote(values) : type}, received ${nameOfType(value)}`,
  literal: ({ type, values: [value] = [] }) =>
    `Invalid literal value, expected ${type === 'number' ? value : JSON.stringify(value)}`,
  values: enumeration,
  format: ({ format }) => `Invalid ${formats[format!]}`,
  pattern: 'Invalid',
  min: field => boundSentence(field, 'min'),
  max: field => boundSentence(field, 'max'),
  whole: 'Expected integer, received float',
  step: ({ multipleOf }) => `Number must be a multiple of ${multipleOf}`,
  others: (_, names) => `Unrecognized key(s) in object: ${(names as string[]).map(name => `'${name}'`).join(', ')}`,
  oneOf: (_, values) => `Invalid discriminator value. Expected ${quote(values as string[])}`,
  union: invalidInput,
}

const olderSentences: Sentences = {
  ...newerSentences,
  // The older edition gives no reason, because its schema of ids is a union.
  format: (field, value) =>
    field.format === 'object-id' ? invalidInput : writeSentence(newerSentences.format, field, value),
}

const lengthSentence = ({ type }: Field, how: string) => `Expected ${how} ${type === 'string' ? 'characters' : 'items'}`
const cloudSentences: Sentences = {
  ...newerSentences,
  type: ({ type }) => `Expected ${type}`,
  literal: ({ values }) => `Expected one of ${values?.join(', ')}`,
  values: ({ values }) => `Expected one of ${values?.join(', ')}`,
  format: ({ format }) => `Expected the format ${format}`,
  pattern: ({ pattern }) => `Expected a match of ${pattern}`,
  min: field =>
    field.type === 'number' ? `Value must be >= ${field.min}` : lengthSentence(field, `at least ${field.min}`),
  max: field =>
    field.type === 'number' ? `Value must be <= ${field.max}` : lengthSentence(field, `at most ${field.max}`),
  whole: 'Value must be a multiple of 1',
  step: ({ multipleOf }) => `Value must be a multiple of ${multipleOf}`,
}

export const writeSentence = (sentence: Sentence, field: Field, value: unknown): string =>
  typeof sentence === 'string' ? sentence : sentence(field, value)
