import type { Field, Fields } from '../../../fixtures/contract/index.ts'
import { isObject } from '../../engine/recognise.ts'
import type { Drift } from '../../report/report.ts'
import type { Reader, Schema } from './schema.ts'

/** A difference at one place of a body. */
export interface Finding {
  readonly what: string
  readonly kind: Drift['kind']
  readonly was?: unknown
  readonly is?: unknown
}

export interface Comparison {
  readonly side: 'request' | 'answer'
  /** Whether the specification shows this body; else nothing in it can break. */
  readonly stated: boolean
  readonly read: Reader
}

/** Fields of the contract against the properties of an object schema. */
export function* compareFields(fields: Fields, schema: Schema, at: string, comparison: Comparison): Generator<Finding> {
  const { side, stated, read } = comparison
  const kindOf = (field: Field) => (stated && field.basis === 'stated' ? 'breaking' : 'neutral')
  const where = at || 'body'
  const present = new Map([...schema.properties].filter(([, property]) => !isHidden(property, side)))
  if (present.size === 0) {
    const was = Object.keys(fields).filter(name => fields[name]!.basis === 'stated')
    if (!schema.unread && stated && was.length > 0)
      yield { what: `${where}/fields-gone`, kind: 'breaking', was, is: null }
    return
  }
  for (const [name, field] of Object.entries(fields)) {
    const place = at ? `${at}.${name}` : name
    const property = present.get(name)
    if (property !== undefined) {
      yield* compareField(field, read(property), place, comparison)
      if (field.optional && schema.required.has(name) && side === 'request')
        yield { what: `${place}/required`, kind: kindOf(field), was: 'optional', is: 'required' }
    } else if (!schema.unread && (field.basis === 'stated' || !field.optional)) {
      yield { what: `${place}/gone`, kind: kindOf(field), was: field.type, is: null }
    }
  }
  // An object that can be got by its id has one, whether or not the contract lists it.
  const fresh = [...present.keys()].filter(name => !Object.hasOwn(fields, name) && name !== 'id').sort()
  const demanded = fresh.filter(name => side === 'request' && schema.required.has(name))
  const offered = fresh.filter(name => !demanded.includes(name))
  if (demanded.length > 0)
    yield { what: `${where}/fields-required`, kind: stated ? 'breaking' : 'neutral', is: demanded }
  // Where the specification shows no fields, none is new: the contract's are only those that deployments are known to have.
  if (offered.length > 0) yield { what: `${where}/fields-new`, kind: stated ? 'additive' : 'neutral', is: offered }
}

const isHidden = (property: unknown, side: 'request' | 'answer') =>
  isObject(property) && property[side === 'request' ? 'readOnly' : 'writeOnly'] === true

/** One field of the contract against its schema. */
export function* compareField(field: Field, schema: Schema, at: string, comparison: Comparison): Generator<Finding> {
  const firm = comparison.stated && field.basis === 'stated'
  yield* compareType(field, schema, at, comparison.side, firm)
  if (schema.types && !fits(field.type, schema.types)) return
  yield* compareFormat(field, schema, at, comparison.side, firm)
  yield* compareValues(field, schema, at, comparison, firm)
  if (schema.deprecated && firm) yield { what: `${at}/deprecated`, kind: 'neutral', was: false, is: true }
  if (field.fields) yield* compareFields(field.fields, schema, at, comparison)
  if (field.items && schema.items !== undefined)
    yield* compareField(field.items, comparison.read(schema.items), `${at}[]`, comparison)
}

const fits = (type: string, types: ReadonlySet<string>) =>
  types.has(type) || (type === 'number' && types.has('integer'))

function* compareType(field: Field, schema: Schema, at: string, side: string, firm: boolean): Generator<Finding> {
  const { types, nullable } = schema
  if (!types) return
  const { type } = field
  // A wider type asks less of a client's request, but its answer may be more than the client can read.
  const wider = side === 'request' ? 'additive' : 'breaking'
  const hasOthers = [...types].some(one => one !== type && !(one === 'integer' && type === 'number'))
  const isNarrower = side === 'request' && type === 'number' && !types.has('number')
  const isNullableNow = nullable && !field.nullable
  const kind =
    !fits(type, types) || (firm && isNarrower && !hasOthers)
      ? 'breaking'
      : hasOthers || (firm && isNullableNow)
        ? wider
        : undefined
  const is = [...types, ...(nullable ? ['null'] : [])].sort().join(' | ')
  if (kind) yield { what: `${at}/type`, kind: firm ? kind : 'neutral', was: type, is }
}

/** A format of its own narrows a string: harmless in an answer, not so in a request. */
function* compareFormat(field: Field, schema: Schema, at: string, side: string, firm: boolean): Generator<Finding> {
  if (!firm || field.type !== 'string' || field.format === schema.format) return
  if (field.format === undefined && side === 'answer') return
  const loosened = schema.format === undefined && side === 'request'
  yield { what: `${at}/format`, kind: loosened ? 'additive' : 'breaking', was: field.format, is: schema.format }
}

function* compareValues(
  field: Field,
  schema: Schema,
  at: string,
  { side, stated }: Comparison,
  firm: boolean,
): Generator<Finding> {
  const { values } = schema
  const { values: known, shown } = field
  if (!known) {
    if (values && firm && side === 'request')
      yield { what: `${at}/values`, kind: 'breaking', was: null, is: [...values].sort() }
    return
  }
  if (!values) {
    // Nothing is lost where any value may be sent; where all that may come are stated, others may come now.
    if (firm && side === 'answer' && !shown) yield { what: `${at}/values`, kind: 'breaking', was: known, is: null }
    return
  }
  const gone = known.filter(value => !values.has(value))
  const lost = firm ? gone.filter(value => !shown || shown.includes(value)) : []
  const missed = gone.filter(value => !lost.includes(value))
  const added = [...values].filter(value => !known.includes(value)).sort()
  if (lost.length > 0) yield { what: `${at}/values-gone`, kind: 'breaking', was: lost, is: null }
  if (missed.length > 0) yield { what: `${at}/values-gone`, kind: 'neutral', was: missed, is: null }
  if (added.length > 0)
    yield { what: `${at}/values-added`, kind: stated ? 'additive' : 'neutral', was: null, is: added }
}
