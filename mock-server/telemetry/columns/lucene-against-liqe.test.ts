import fc from 'fast-check'
import { filter as liqeFilter, parse as liqeParse } from 'liqe'
import { expect, it } from 'vitest'
import { planFilters } from '../query/plan.ts'
import { createTelemetry } from '../telemetry.ts'
import { compileFilters } from './compile-expression.ts'

/**
 * Compares filters that both dialects support with liqe, an independent library for the Lucene syntax. Bare numbers are left
 * out: here they match equal numbers, in liqe a part of the digits.
 */
const services = ['api', 'billing-api', 'web', 'Worker']
const texts = ['Timeout after retry', 'timeout', 'user logged in', 'API called']
const rows = services.flatMap((ServiceName, index) =>
  texts.map((Body, at) => ({
    Timestamp: index * 10 + at + 1e12,
    ServiceName,
    Body,
    SeverityNumber: 5 + 4 * ((index + at) % 4),
  })),
)

const telemetry = createTelemetry()
telemetry.load('logs', 'log', rows)
const store = telemetry.rows('logs')!

const word = fc.constantFrom('api', 'API', 'bill', 'timeout', 'Time', 'e', 'nothing', 'worker')
const number = fc.integer({ min: 0, max: 20 })
const bounds = fc.tuple(number, number)
const leaf = fc.oneof(
  word.map(one => `ServiceName:${one}`),
  word.map(one => `Body:${one}`),
  fc.tuple(fc.constantFrom('>', '>=', '<', '<='), number).map(([sign, one]) => `SeverityNumber:${sign}${one}`),
  bounds.map(([low, high]) => `SeverityNumber:[${low} TO ${high}]`),
  bounds.map(([low, high]) => `SeverityNumber:{${low} TO ${high}}`),
)
const query = fc.letrec<{ any: string; row: string; not: string; leaf: string }>(tie => ({
  leaf,
  not: tie('any').map(one => `(NOT ${one})`),
  row: fc
    .tuple(fc.constantFrom(' AND ', ' OR ', ' '), fc.array(tie('any'), { minLength: 2, maxLength: 3 }))
    .map(([operator, parts]) => `(${parts.join(operator)})`),
  any: fc.oneof({ maxDepth: 3, withCrossShrink: true }, tie('leaf'), tie('row'), tie('not')),
})).any

it('finds the same rows as liqe', () => {
  fc.assert(
    fc.property(query, text => {
      const matches = compileFilters(store, planFilters([{ text }], { kind: 'log', edition: '2.36' })) ?? (() => true)
      const found = rows.filter((_, index) => matches(index))
      expect(new Set(found)).toEqual(new Set(liqeFilter(liqeParse(text), rows)))
    }),
    { numRuns: 300 },
  )
})
