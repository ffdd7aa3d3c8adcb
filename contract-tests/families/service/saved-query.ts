import type { Check } from '../../engine/check.ts'
import { neverSucceeds } from '../../rules/steps.ts'
import { lifeOf, nameOf } from '../../visits/life.ts'
import { visit } from '../../visits/visit.ts'
import { service } from './service.ts'

export const { steps, lines } = visit('cloud', 'saved query', run => {
  const queries = lifeOf(run, 'savedQuery', {
    within: service,
    body: (_, name) => ({ name, sql: 'SELECT {number:UInt8}', database: 'default', parameters: { number: '1' } }),
  })
  const main = queries.begin()
  // The twin needs the first query, whose name it repeats.
  const twin = queries.create('twin', {
    why: 'saves another query of the same name',
    ifSucceeds: main.line,
    notJudgedByOperation: true,
    alter: (body, context) => ({ ...body, name: nameOf(context, 'savedQuery', 'main') }),
  })
  queries.read()
  queries.update()
  queries.whole()
  queries.end()
  return { twin }
})

export const checks = {
  'savedQuery/name-is-unique': neverSucceeds([lines.twin.line]),
} as const satisfies Record<string, Check>
