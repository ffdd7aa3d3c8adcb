import type { Field, Fields } from '../../../fixtures/contract/index.ts'
import { isObject } from '../../engine/recognise.ts'
import type { Drift } from '../../report/report.ts'
import type { Schema } from './schema.ts'

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
  readonly read: (schema: unknown) => Schema
}

/** Fields of the contract against the properties of an object schema. */
export function compareFields(fields: Fields, schema: Schema, at: string, comparison: Comparison): Finding[] {
  const { side, read } = comparison
  const kindOf = (field: Field): Drift['kind'] =>
    comparison.stated && field.basis === 'stated' ? 'breaking' : 'neutral'
  const place = (name: string) => (at ? `${at}.${name}` : name)
  const present = new Map([...schema.properties].filter(([, property]) => !isHidden(property, side)))
  if (present.size === 0) {
    if (schema.unread) return []
    const names = Object.keys(fields).filter(name => fields[name]!.basis === 'stated')
    return names.length === 0 || !comparison.stated
      ? []
      : [{ what: `${at || 'body'}/fields-gone`, kind: 'breaking', was: names, is: null }]
  }
  const findings: Finding[] = []
  for (const [name, field] of Object.entries(fields)) {
    const property = present.get(name)
    if (property !== undefined) {
      const found = read(property)
      findings.push(...compareField(field, found, place(name), comparison))
      if (field.optional && schema.required.has(name) && side === 'request')
        findings.push({ what: `${place(name)}/required`, kind: kindOf(field), was: 'optional', is: 'required' })
    } else if (!schema.unread && (field.basis === 'stated' || !field.optional)) {
      findings.push({ what: `${place(name)}/gone`, kind: kindOf(field), was: field.type, is: null })
    }
  }
  // An object that can be got by its id has one, whether or not the contract lists it.
  const fresh = [...present.keys()].filter(name => !Object.hasOwn(fields, name) && name !== 'id').sort()
  const demanded = fresh.filter(name => side === 'request' && schema.required.has(name))
  const offered = fresh.filter(name => !demanded.includes(name))
  const where = at || 'body'
  if (demanded.length > 0)
    findings.push({ what: `${where}/fields-required`, kind: comparison.stated ? 'breaking' : 'neutral', is: demanded })
  // Where the specification shows no fields, none is new: the contract's are only those that deployments are known to have.
  if (offered.length > 0)
    findings.push({ what: `${where}/fields-new`, kind: comparison.stated ? 'additive' : 'neutral', is: offered })
  return findings
}

const isHidden = (property: unknown, side: 'request' | 'answer') =>
  isObject(property) && property[side === 'request' ? 'readOnly' : 'writeOnly'] === true

/** One field of the contract against its schema. */
export function compareField(field: Field, schema: Schema, at: string, comparison: Comparison): Finding[] {
  const firm = comparison.stated && field.basis === 'stated'
  const findings = [...compareType(field, schema, at, comparison.side, firm)]
  const isOther = schema.types !== undefined && !fits(field.type, schema.types)
  if (isOther) return findings
  findings.push(...compareFormat(field, schema, at, comparison.side, firm))
  findings.push(...compareValues(field, schema, at, comparison, firm))
  if (schema.deprecated && firm) findings.push({ what: `${at}/deprecated`, kind: 'neutral', was: false, is: true })
  if (field.fields) findings.push(...compareFields(field.fields, schema, at, comparison))
  if (field.items && schema.items !== undefined)
    findings.push(...compareField(field.items, comparison.read(schema.items), `${at}[]`, comparison))
  return findings
}

const fits = (type: string, types: ReadonlySet<string>) =>
  types.has(type) || (type === 'number' && types.has('integer'))

function* compareType(field: Field, schema: Schema, at: string, side: string, firm: boolean): Generator<Finding> {
  if (!schema.types) return
  const others = [...schema.types].filter(
    type => type !== field.type && !(type === 'integer' && field.type === 'number'),
  )
  const narrowed = field.type === 'number' && !schema.types.has('number') && schema.types.has('integer')
  const widened = schema.nullable && !field.nullable
  const is = [...schema.types, ...(schema.nullable ? ['null'] : [])].sort().join(' | ')
  const finding = (kind: Drift['kind']): Finding => ({
    what: `${at}/type`,
    kind: firm ? kind : 'neutral',
    was: field.type,
    is,
  })
  if (!fits(field.type, schema.types)) yield finding('breaking')
  // A wider type asks less of a client's request, but its answer may be more than the client can read.
  else if (others.length > 0) yield finding(side === 'request' ? 'additive' : 'breaking')
  else if (narrowed && firm && side === 'request') yield finding('breaking')
  else if (widened && firm) yield finding(side === 'request' ? 'additive' : 'breaking')
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
