import type { Check } from '../../engine/check.ts'
import type { Past, Step } from '../../engine/step.ts'
import { neverSucceeds } from '../../rules/observations.ts'
import { type Life, nameOf } from '../../visits/life.ts'
import { lifeSteps, stepsOfLife } from '../../visits/life-steps.ts'
import { inOwnService } from '../../visits/singleton.ts'
import { after } from '../calls.ts'

const [main, twin] = ['cloud:savedQuery.create-main', 'cloud:savedQuery.create-twin'] as const

const life: Life = {
  form: 'cloud',
  resource: 'savedQuery',
  within: inOwnService,
  body: (past: Past, name: string, thing: string) => ({
    name: thing === 'twin' ? nameOf(past, 'savedQuery', 'main') : name,
    sql: 'SELECT {number:UInt8}',
    database: 'default',
    parameters: { number: '1' },
  }),
}

export const checks = { 'savedQuery/name-is-unique': neverSucceeds([twin]) } as const satisfies Record<string, Check>

const { operation: _, ...second } = stepsOfLife(life).create('twin', 15, 'saves another query of the same name')

export const steps: readonly Step[] = [
  ...lifeSteps(life),
  // Without the first query the second is none of the same name.
  { ...second, from: [...(second.from ?? []), main], draft: after(main, second.draft) },
]
