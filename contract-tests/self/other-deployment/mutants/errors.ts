import type { Form, RuleId } from '../../../../fixtures/contract/index.ts'
import type { Change, Mutant, Where } from '../mutant.ts'

/** §7 and §2.1 on refusals: the body of a 400, and the request ids of refusals. */

const refused = { answers: 400 } as const
const hasStatus = 'error/bad-request-has-status'
const hasError = 'error/bad-request-has-error-sentence'
const id = 'envelope/request-id-is-uuid-v4'
const once = 'envelope/request-id-is-never-repeated'
const fixedId = '5b0c3f3e-9f2d-4c8b-a1d7-0c9e8f7a6b5d'

type Row = readonly [id: string, rule: RuleId, at: Where, change: Change, also?: readonly RuleId[]]

const in400s: readonly Row[] = [
  ['400 says status "400"', hasStatus, refused, { set: 'status', to: '400' }],
  ['400 says status 401', hasStatus, refused, { set: 'status', to: 401 }],
  ['400 says status 200', hasStatus, refused, { set: 'status', to: 200 }],
  ['400 without status', hasStatus, refused, { unset: 'status' }],
  ['400 with status null', hasStatus, refused, { set: 'status', to: null }],
  ['400 without error', hasError, refused, { unset: 'error' }],
  ['400 with an empty error', hasError, refused, { set: 'error', to: '' }],
  ['400 with an object for error', hasError, refused, { set: 'error', to: { message: 'no' } }],
  ['400 with a list of errors', hasError, refused, { set: 'error', to: ['no'] }],
  ['400 with error null', hasError, refused, { set: 'error', to: null }],
  ['400 with error true', hasError, refused, { set: 'error', to: true }],
  ['400 in an array', hasStatus, refused, { answer: 400, json: [{ status: 400, error: 'no' }] }, [hasError]],
  ['400 with a string', hasStatus, refused, { answer: 400, json: 'no' }, [hasError]],
  ['400 with a requestId that is none', id, refused, { set: 'requestId', to: 'req-1' }, [once]],
  ['400 with requestId null', id, refused, { set: 'requestId', to: null }, [once]],
  ['400 with the same requestId every time', once, refused, { set: 'requestId', to: fixedId }],
]

const version1: Change = { replace: 'requestId', match: '(?<=^.{14})4', by: '1' }

const mutant = (form: Form, [name, rule, at, change, also]: Row): Mutant => ({
  id: `${form}: ${name}`,
  rule,
  form,
  description: `A refusal of the ${form} form: ${name}.`,
  at,
  change,
  also,
})

const malformedJson = { reason: 'malformed-json' } as const
const accepted = 'error/malformed-json-is-refused'

export const errorMutants: readonly Mutant[] = [
  ...in400s.map(row => mutant('cloud', row)),
  ...in400s.map(row => mutant('managed', row)),
  mutant('cloud', ['unknown backup with a requestId of version 1', id, { reason: 'unknown-backup' }, version1]),
  mutant('managed', ['unknown update with a requestId of version 1', id, { reason: 'update-unknown' }, version1]),
  mutant('managed', ['malformed JSON answered 201', accepted, malformedJson, { answer: 201, result: { id: 'x' } }]),
  mutant('managed', ['malformed JSON answered 200', accepted, malformedJson, { answer: 200, result: {} }]),
  mutant('selfHosted', ['malformed JSON answered 200', accepted, malformedJson, { answer: 200, result: {} }]),
  ...(['alert.create', 'chart.query'] as const).map(operation =>
    mutant('selfHosted', [
      `malformed JSON answered 200 by ${operation}`,
      accepted,
      { ...malformedJson, operation },
      { answer: 200, json: { rows: [] } },
    ]),
  ),
  mutant('selfHosted', ['malformed JSON answered 202', accepted, malformedJson, { answer: 202, result: { id: 'x' } }]),
]
