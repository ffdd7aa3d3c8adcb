import type { Field, OperationId } from '../../fixtures/built-contract/index.ts'
import type { Check } from '../engine/check.ts'
import { fieldsOf } from '../engine/contract.ts'
import type { Exchange } from '../engine/exchange.ts'
import { because } from '../engine/reasons.ts'
import type { JsonObject } from '../engine/recognise.ts'
import { compareWithField } from './documented.ts'
import { eachAnswerTo } from './operations.ts'

/**
 * Judges a field of §2, where it is present, by what the contract says of it. `keys` lead from the resource to the field;
 * `objectsIn` finds what has it.
 */
export function judgeShownField(
  operation: OperationId,
  [resource, ...keys]: readonly [string, ...string[]],
  objectsIn: (exchange: Exchange) => readonly (readonly [path: string, object: JsonObject])[],
  lines?: readonly string[],
): Check {
  const name = keys.at(-1)!
  // Fields inside have rules of their own.
  const { fields: _, ...field } = keys.reduce<Field>((one, key) => one.fields![key]!, {
    type: 'object',
    fields: fieldsOf(resource),
  })
  const compare = (value: unknown, path: string) =>
    value === '' && name.endsWith('Id')
      ? [{ path, expected: 'a non-empty string', got: value }]
      : compareWithField(value, field, path, true)
  const inspect = (exchange: Exchange) => {
    const present = objectsIn(exchange).filter(([, object]) => object[name] !== undefined)
    return present.length === 0
      ? undefined
      : present.flatMap(([path, object]) => compare(object[name], `${path}.${name}`))
  }
  return eachAnswerTo(
    [operation],
    inspect,
    because('no {resource} has the field {field}', { resource, field: name }),
    lines,
  )
}
