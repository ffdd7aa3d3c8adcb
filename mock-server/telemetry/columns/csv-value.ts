import type { Budget } from './budget.ts'
import type { Scalar } from './compiled.ts'
import { createWriter } from './functions/convert.ts'
import { isoTime } from './json-value.ts'
import { bareOf, digitsOf, hasTimeOfDay, isNumeric, type Type } from './types.ts'

/** Makes a function that writes values of a type as the CSV of the database: texts in quotes, which are doubled in them. */
export function createCsvWriter(type: Type, budget: Budget): (value: Scalar) => string {
  const write = createWriter(type, budget)
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
  return value => {
    if (value === null) return '\\N'
    if (hasTimeOfDay(type)) return quote(isoTime(value as number, digitsOf(type)))
    if (bareOf(type) === 'Bool') return value === 0 ? 'false' : 'true'
    return isNumeric(type) ? write(value) : quote(write(value))
  }
}
