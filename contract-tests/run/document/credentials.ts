import type { Form } from '../../../fixtures/contract/index.ts'
import { isObject, type JsonObject } from '../../engine/recognise.ts'
import type { Finding } from './compare-fields.ts'
import type { Description } from './read-document.ts'
import { schemes } from './stated.ts'

/** §5: every operation takes the credentials of its form, and none goes without. */
export function* compareCredentials(
  form: Form,
  operation: JsonObject,
  { document, references }: Description,
): Generator<Finding> {
  const { components } = document
  const declared = isObject(components) && isObject(components.securitySchemes) ? components.securitySchemes : {}
  const spell = (name: string) => {
    const scheme = references.resolve(declared[name])
    if (!isObject(scheme)) return 'undeclared'
    return [scheme.type, scheme.type === 'http' ? String(scheme.scheme).toLowerCase() : scheme.name]
      .filter(Boolean)
      .join(' ')
  }
  const given = operation.security ?? document.security
  const listed = Array.isArray(given) ? given.filter(isObject) : []
  const choices = (listed.length > 0 ? listed : [{}]).map(
    choice => Object.keys(choice).map(spell).sort().join(' and ') || 'none',
  )
  const was = schemes[form]
  const is = [...new Set(choices)].sort().join(' or ')
  if (is === was) return
  const isTaken = choices.includes(was) && !choices.includes('none')
  yield { what: 'scheme', kind: isTaken ? 'additive' : 'breaking', was, is }
}
